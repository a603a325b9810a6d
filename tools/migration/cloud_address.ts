import type { FormatName } from "../../lib/canonical/mod.ts";
import type { Cloud, UpstreamRecord } from "../../lib/store/catalog/mod.ts";

/** The addresses of an upstream in a cloud. */
type CloudAddress = Pick<UpstreamRecord, "endpoints" | "cloud">;

/** Vertex AI's address for Gemini with an API key, which needs no project. */
export const expressBase = "https://aiplatform.googleapis.com/v1beta1/publishers/google";

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
