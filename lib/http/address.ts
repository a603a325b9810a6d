import { BoundedMap } from "../bounded_map.ts";
import { isConsolePath } from "./console_request.ts";
import type { Match } from "./endpoints.ts";
import { isManagementPath } from "./management_path.ts";

/** The address of a request. */
export interface Address {
  readonly url: URL;
  readonly path: Path;
}

/** The facts about a path that hold for all requests to it. */
export interface Path {
  readonly pathname: string;
  /** True if some method of it may be the operator's. */
  readonly isOperational: boolean;
  readonly isManagement: boolean;
  readonly isApi: boolean;
  /** True for addresses that pages of other origins may call: not the console's and the operator's. */
  readonly isForOtherOrigins: boolean;
  /** The endpoints that requests found there, by method. */
  readonly found: Map<string, Match>;
}

/** Clients call few addresses; longer ones, and addresses with a query, which may hold a key, are not kept. */
const keptMax = 256;
const keptChars = 256;

/**
 * Makes the reader of requests' addresses, which knows the operator's paths apart from `/`. It
 * returns undefined for a malformed URL instead of throwing: the exception's text would leak
 * `?key=`.
 */
export function addressReader(
  operatorPaths: ReadonlySet<string>,
): (request: Request) => Address | undefined {
  const addresses = new BoundedMap<string, Address>(keptMax);
  const paths = new BoundedMap<string, Path>(keptMax);
  const knownPath = (pathname: string) =>
    pathname.length > keptChars
      ? newPath(pathname, operatorPaths)
      : paths.getOrInsert(pathname, () => newPath(pathname, operatorPaths));
  return ({ url: text }) => {
    const known = addresses.get(text);
    if (known) return known;
    const url = URL.parse(text);
    if (!url) return undefined;
    const address = { url, path: knownPath(url.pathname) };
    if (text.length <= keptChars && !text.includes("?")) addresses.set(text, address);
    return address;
  };
}

function newPath(pathname: string, operatorPaths: ReadonlySet<string>): Path {
  const isOperators = operatorPaths.has(pathname);
  return {
    pathname,
    isOperational: isOperators || pathname === "/",
    isManagement: isManagementPath(pathname),
    isApi: isApiPath(pathname),
    isForOtherOrigins: !isOperators && !isConsolePath(pathname),
    found: new Map(),
  };
}

/**
 * True for the API's paths, also with an incomplete base URL: without `/v1`, or with a slash at the
 * end.
 */
function isApiPath(path: string): boolean {
  return /^\/+(v\d+(beta|alpha)?|chat|responses|conversations|messages|models|completions|embeddings|images|audio|moderations|rerank|dashboard\/billing)(\/|$)/i
    .test(path);
}
