import { GatewayError } from "../canonical/mod.ts";

/** The error for a path whose base URL has a duplicate segment; it names the base URL that works. */
export function doubledSegment(path: string, baseUrl: string): GatewayError | undefined {
  if (path.length > doubledCharsMax) return undefined;
  const found = doublings.find(({ pattern }) => pattern.test(path));
  if (!found) return undefined;
  const base = found.base.replaceAll("{base_url}", baseUrl);
  return new GatewayError(
    "duplicated_path_segment",
    `The path repeats ${found.segment}: set the client's base URL to ${base}, without the endpoint's path`,
  );
}

/** Maximum length of a path to check: the patterns take quadratic time, and no client doubles a longer path. */
const doubledCharsMax = 1_000;
const versions = "v1|v1beta|v1alpha";
const doublings = [
  { // @google/genai 3.1.0 appends /v1 or /v1beta itself, whatever its base URL ends in
    pattern: new RegExp(`^/(?:${versions})/(?:${versions})/.*:\\w+$`),
    segment: "the version",
    base: "{base_url} (or {base_url}/v1beta where the client adds no version)",
  },
  {
    pattern: new RegExp(`^/(?:(?:${versions})/v1(?:beta|alpha)|v1(?:beta|alpha)/v1)/models(?:/|$)`),
    segment: "the version",
    base: "{base_url} (or {base_url}/v1beta where the client adds no version)",
  },
  {
    pattern: /\/chat\/completions\/(?:.*\/)?chat\/completions$/,
    segment: "/chat/completions",
    base: "{base_url}/v1",
  },
  {
    pattern:
      /\/chat\/completions\/(?:v1\/)?(?:responses|models|messages|embeddings|images|audio|moderations|rerank)/,
    segment: "the endpoint",
    base: "{base_url}/v1",
  },
  {
    pattern: /\/(embeddings|completions|moderations|rerank)\/(?:v1\/)?\1$/,
    segment: "the endpoint",
    base: "{base_url}/v1",
  },
  { pattern: /\/responses\/(?:v1\/)?responses$/, segment: "/responses", base: "{base_url}/v1" },
  {
    pattern: /\/messages\/(?:v1\/)?messages(?:\/count_tokens)?$/,
    segment: "/messages",
    base: "{base_url}",
  },
  {
    pattern: /\/models\/(?:v1beta\/|v1\/)?models\//,
    segment: "/models",
    base: "{base_url}/v1beta",
  },
  {
    pattern: new RegExp(`^/(?:${versions})/(?:${versions})/messages`),
    segment: "/v1",
    base: "{base_url}",
  },
  {
    pattern: new RegExp(`^/(?:${versions})/(?:${versions})(?:/|$)`),
    segment: "/v1",
    base: "{base_url}/v1 (or {base_url} where the client adds /v1 itself)",
  },
];
