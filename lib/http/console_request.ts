import { carriedKey } from "./key_carrier.ts";
import { suggestedBaseUrl } from "./suggested_base_url.ts";

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
  "reference",
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
  if (isDocument(url.pathname)) return isRead; // no form is sent there
  return isConsolePath(url.pathname) ? !isStrayCall(request, url) : isPageLoad(request, url);
}

/** Returns true for a path of the console. */
export function isConsolePath(path: string): boolean {
  return consoleSegments.has(path.split("/", 2)[1]);
}

function isDocument(path: string): boolean {
  return path.split("/", 2)[1] === "docs";
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
