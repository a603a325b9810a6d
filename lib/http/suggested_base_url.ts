const route = "chat/completions|completions|responses(?:/input_tokens)?|conversations|embeddings" +
  "|images/(?:generations|edits)|audio/(?:speech|transcriptions|translations)|moderations|rerank" +
  "|messages(?:/count_tokens)?|models(?:/.+)?";
const ending = new RegExp(`^(.*?)(/v1(?:beta|alpha)?)?/(${route})/?$`);

/**
 * The base URL that leads a client to a served address, judged by the path that it called. What
 * stands at the path's end is what the client appended: with a version where one stands before that
 * already, and where clients of its kind append theirs. Undefined where the end is no route.
 */
export function suggestedBaseUrl(origin: string, path: string): string | undefined {
  const found = ending.exec(path);
  if (found === null) return undefined;
  const [, before, version, asked] = found;
  const isOfBareKind = addsVersion(asked);
  if (version !== undefined && (isOfBareKind || /\/v1/.test(before))) return origin;
  return `${origin}${asked.includes(":") ? "/v1beta" : "/v1"}`;
}

/** The same in words, for a client that may or may not append the version itself. */
export function suggestedBaseUrls(origin: string, path: string): string | undefined {
  const base = suggestedBaseUrl(origin, path);
  if (base !== origin) return base;
  const version = path.includes(":") ? "/v1beta" : "/v1";
  return `${base} (or ${base}${version} where the client adds no version)`;
}

/** Whether clients of the format append the version themselves. */
function addsVersion(asked: string): boolean {
  return asked.startsWith("messages") || asked.includes(":");
}

/**
 * What the base URL is instead where the version was written twice by hand, and not once by the
 * client; undefined where that cannot be.
 */
export function typedTwice(origin: string, path: string): string | undefined {
  const found = /^(\/v1(?:beta)?)\1\/(.*)/.exec(path);
  return found && !found[2].startsWith("messages") ? origin + found[1] : undefined;
}

/** Whether the path is a route alone, so that the base URL lacked its version. */
export function lacksVersion(path: string): boolean {
  const found = ending.exec(path);
  return found !== null && found[1] === "" && found[2] === undefined;
}
