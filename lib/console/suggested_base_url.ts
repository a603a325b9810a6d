const route = "chat/completions|completions|responses|embeddings|messages(?:/count_tokens)?" +
  "|models(?:/[^/]+)?";
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
  const isOfBareKind = asked.startsWith("messages") || asked.includes(":");
  if (version !== undefined && (isOfBareKind || /\/v1/.test(before))) return origin;
  return `${origin}${asked.includes(":") ? "/v1beta" : "/v1"}`;
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
