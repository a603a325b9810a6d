const route = "chat/completions|completions|responses(?:/input_tokens)?|conversations|embeddings" +
  "|images/(?:generations|edits)|audio/(?:speech|transcriptions|translations)|moderations|rerank" +
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
