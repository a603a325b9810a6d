import { doubledSegment } from "./doubled_segment.ts";
import { type Match, matchIn, type ServedEndpoint, tableOf } from "./endpoint_table.ts";
import { misplacedRow, type Miss, missing } from "./missing_endpoint.ts";

export type { Match, ServedEndpoint } from "./endpoint_table.ts";
export { methodNotAllowed, type Miss } from "./missing_endpoint.ts";

/** `baseUrl` returns the gateway's address without a path, for messages. */
type FindEndpoint = (method: string, pathname: string, baseUrl?: () => string) => Match | Miss;

/**
 * Makes the table of all addresses. A miss has the error `method_not_allowed`,
 * `duplicated_path_segment` (with the base URL to configure), or `unknown_endpoint` (with the base
 * URL that works, an alternative, or the nearest address).
 */
export function endpointFinder(served: readonly ServedEndpoint[]): FindEndpoint {
  const table = tableOf(served);
  return (method, pathname, origin = () => "{base_url}") => {
    const path = canonicalPath(pathname);
    const match = table.literal.get(`${method} ${path}`);
    if (match) return match;
    const baseUrl = origin();
    const doubled = doubledSegment(path, baseUrl); // before the patterns: `/v1/models/v1/models` is not a model
    if (doubled) return { codec: misplacedRow(table, path)?.codec, error: doubled };
    return matchIn(table, method, path) ?? missing(table, { method, path, baseUrl });
  };
}

/** Removes a slash at the end, and unescapes the colon of a verb, which some clients escape. */
function canonicalPath(path: string): string {
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return bare.replace(/%3A(?=[A-Za-z]+$)/i, ":");
}
