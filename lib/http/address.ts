import { BoundedMap } from "../bounded_map.ts";
import type { Match } from "./endpoints.ts";
import { carriedKey } from "./key_carrier.ts";
import { suggestedBaseUrl } from "./suggested_base_url.ts";

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
  /** The endpoints that requests matched there so far, by method. */
  readonly matches: Map<string, Match>;
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
    matches: new Map(),
  };
}

/**
 * True for the API's paths, also with an incomplete base URL: without `/v1`, or with a slash at the
 * end.
 */
function isApiPath(path: string): boolean {
  return /^\/+(v\d+(beta|alpha)?|chat|responses|conversations|messages|models|completions|embeddings|images|audio|moderations|rerank|decisions|dashboard\/billing)(\/|$)/i
    .test(path);
}

/** First segments of the console's pages and files; `routes/` and `static/` have no others. */
export const consoleSegments: ReadonlySet<string> = new Set([
  "console",
  "css",
  "docs",
  "favicon.ico",
  "fonts",
  "icon.svg",
  "icons.svg",
  "invitation",
  "login",
  "logout",
  "password",
  "preferences",
  "pricing",
  "setup",
  "signup",
  "_fresh",
]);

/**
 * Returns true if the console handles a request that matches no API address: its own pages, and
 * page loads of browsers.
 */
export function isForConsole(request: Request, url: URL): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (/^\/docs(\/|$)/.test(url.pathname)) return isRead; // no form is sent there
  return isConsolePath(url.pathname) ? !isStrayCall(request, url) : isPageLoad(request, url);
}

function isConsolePath(path: string): boolean {
  return consoleSegments.has(path.split("/", 2)[1]);
}

/** Returns true for an API call whose client has a base URL within the console. */
function isStrayCall({ method, headers }: Request, { origin, pathname }: URL): boolean {
  if (carriedKey(headers, new URL(origin)) === undefined) return false; // `?key=` names a key in the console
  const isForm = /form/.test(headers.get("content-type") ?? "");
  return (method === "POST" ? !isForm : /\/v1/.test(pathname)) &&
    suggestedBaseUrl(origin, pathname) !== undefined;
}

function isPageLoad({ method, headers }: Request, url: URL): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const isRoot = url.pathname === "/";
  const wantsPage = /\btext\/html\b/.test(headers.get("accept") ?? "");
  if (isRoot && wantsPage) return true; // a proxy with its own sign-in may add a bearer token
  const hasKey = carriedKey(headers, url) !== undefined || headers.has("api-key");
  return !hasKey && (isRoot || wantsPage);
}

/**
 * Returns true for the addresses of the management API: those below `/api/v1`, except for the
 * routes of model calls, which OpenRouter has there and which get the base URL that works here.
 */
function isManagementPath(path: string): boolean {
  if (!/^\/api\/v1(\/|$)/.test(path)) return false;
  return /^\/api\/v1\/(models|usage)(\/|$)/.test(path) || suggestedBaseUrl("", path) === undefined;
}

/**
 * The reason why a request's head is ambiguous: a proxy may read it differently, and take a part of
 * the body for another request, or its address for another host (RFC 9112). Undefined for a clear
 * one. `docs/maintainers/asvs.md` lists what the runtime hides.
 */
export function framingFault(headers: Headers): string | undefined {
  if (headers.get("host")?.includes(",")) return "it has more than one host";
  const coding = headers.get("transfer-encoding");
  if (coding === null) return undefined;
  if (headers.has("content-length")) return "it has both content-length and transfer-encoding";
  if (coding.toLowerCase() !== "chunked") return "its transfer-encoding is not chunked alone";
}
