import type { Cloud, UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { surfaceEndpoints } from "../../lib/upstreams/surfaces/mod.ts";

/** The addresses of an upstream in a cloud; `base` replaces the cloud's own host. */
export function cloudAddress(
  cloud: Cloud,
  base?: string,
): Pick<UpstreamRecord, "endpoints" | "cloud"> {
  return { cloud, endpoints: surfaceEndpoints(cloud, base) };
}
