import { cloudField } from "../../lib/config/cloud.ts";
import type { Cloud, UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { surfaceEndpoints } from "../../lib/upstreams/surfaces/mod.ts";

/** The addresses of an upstream in a cloud; `base` replaces the cloud's own host. */
export function cloudAddress(
  cloud: Cloud,
  base?: string,
): Pick<UpstreamRecord, "endpoints" | "cloud"> {
  return { cloud, endpoints: surfaceEndpoints(cloud, base) };
}

/** The reason that no address can hold a cloud's place; undefined if one can. */
export function wrongPlace(cloud: Cloud | undefined): string | undefined {
  const [wrong] = cloud ? cloudField.safeParse(cloud).error?.issues ?? [] : [];
  return wrong && `its ${wrong.path.join(".")} ${wrong.message}`;
}
