import type { FormatName } from "../../lib/canonical/mod.ts";
import type { Cloud, UpstreamRecord } from "../../lib/store/catalog/mod.ts";

/** The addresses of an upstream in a cloud. */
type CloudAddress = Pick<UpstreamRecord, "endpoints" | "cloud">;

/** The addresses of a surface, in the given formats; `base` replaces the cloud's own host. */
export function cloudAddress(
  cloud: Cloud,
  { formats, base }: { readonly formats: readonly FormatName[]; readonly base?: string },
): CloudAddress {
  const all = stub(cloud, base);
  return { cloud, endpoints: Object.fromEntries(formats.map((name) => [name, all])) };
}
function stub({ surface, region, location }: Cloud, base?: string): string {
  return base ?? `https://${surface}.${region ?? location}.example`;
}
