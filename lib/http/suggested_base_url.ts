import { GatewayError } from "../canonical/mod.ts";

const route = "chat/completions|completions|responses(?:/input_tokens)?|conversations|embeddings" +
  "|images/(?:generations|edits)|audio/(?:speech|transcriptions|translations)|moderations|rerank|decisions" +
  "|messages(?:/count_tokens)?|models(?:/.+)?|usage|key|dashboard/billing/(?:subscription|usage)";
const ending = new RegExp(`^(.*?)(/v1(?:beta|alpha)?)?/(${route})/?$`);

/**
 * The base URL for a client, derived from the path that it called. The end of the path is the part
 * that the client appended: including a version if another one precedes it, or if clients of its
 * kind append one. Undefined if the end is not a route.
 */
export function suggestedBaseUrl(origin: string, path: string): string | undefined {
  const found = ending.exec(path);
  if (found === null) return undefined;
  const [, before, version, asked] = found;
  const isOfBareKind = addsVersion(asked);
  if (version !== undefined && (isOfBareKind || /\/v1/.test(before))) return origin;
  return `${origin}${asked.includes(":") ? "/v1beta" : "/v1"}`;
}

/** The same as a message, for a client that may or may not append the version itself. */
export function suggestedBaseUrls(origin: string, path: string): string | undefined {
  const base = suggestedBaseUrl(origin, path);
  if (base !== origin) return base;
  const version = path.includes(":") ? "/v1beta" : "/v1";
  return `${base} (or ${base}${version} where the client adds no version)`;
}

/** Returns true if clients of the format append the version themselves. */
function addsVersion(asked: string): boolean {
  return asked.startsWith("messages") || asked.includes(":");
}

/**
 * The base URL if the version was typed twice, and not appended by the client; undefined if that is
 * impossible.
 */
export function typedTwice(origin: string, path: string): string | undefined {
  const found = /^(\/v1(?:beta)?)\1\/(.*)/.exec(path);
  return found && !found[2].startsWith("messages") ? origin + found[1] : undefined;
}

/** Returns true if the path is a route alone, so that the base URL lacks its version. */
export function lacksVersion(path: string): boolean {
  const found = ending.exec(path);
  return found !== null && found[1] === "" && found[2] === undefined;
}

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
  { // @google/genai 3.3.0 appends /v1 or /v1beta itself, whatever its base URL ends in
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
      /\/chat\/completions\/(?:v1\/)?(?:responses|models|messages|embeddings|images|audio|moderations|rerank|decisions)/,
    segment: "the endpoint",
    base: "{base_url}/v1",
  },
  {
    pattern: /\/(embeddings|completions|moderations|rerank|decisions)\/(?:v1\/)?\1$/,
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
