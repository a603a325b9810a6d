/**
 * The API key of a request. Every endpoint accepts every format's carrier, in this order, and
 * ignores empty ones: `Authorization: Bearer`, `x-api-key`, `x-alt-api-key`, `x-goog-api-key`,
 * `?key=`.
 */
export function carriedKey(headers: Headers, url: URL): string | undefined {
  return bearer(headers.get("authorization")) || headers.get("x-api-key")?.trim() ||
    alternativeHeader(headers) || keyInQuery(url) || undefined;
}

/** Returns true for a key in a carrier of the generate-content clients, which expect that format's model list. */
export function carriedAsGenerateContent(headers: Headers, url: URL): boolean {
  return alternativeHeader(headers) !== undefined ||
    (!headers.has("authorization") && !headers.has("x-api-key") && url.searchParams.has("key"));
}

function alternativeHeader(headers: Headers): string | undefined {
  return (headers.get("x-alt-api-key") || headers.get("x-goog-api-key"))?.trim() || undefined;
}

function keyInQuery(url: URL): string | undefined {
  return url.search === "" ? undefined : url.searchParams.get("key")?.trim();
}

function bearer(authorization: string | null): string | undefined {
  if (authorization === null) return undefined;
  if (authorization.startsWith("Bearer ")) return authorization.slice(7).trim() || undefined; // nearly all
  return /^bearer\s+(.*)$/i.exec(authorization.trim())?.[1].trim() || undefined;
}
