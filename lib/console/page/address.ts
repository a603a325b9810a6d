import type { Context } from "fresh";
import type { ConsoleState } from "../session/state.ts";

/** The address of the page at `path` with other query parameters; undefined removes one. */
export function withQuery(
  path: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(path, "http://localhost");
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
}

/** Returns the action that `?done=` names, if there is a text about it. */
export function doneIn<Texts extends object>(url: URL, texts: Texts): keyof Texts | undefined {
  const done = url.searchParams.get("done") ?? "";
  return Object.hasOwn(texts, done) ? done as keyof Texts : undefined; // its own key
}

/** The base for parsing: only the console's own pages are valid targets of a parameter. */
const base = "http://localhost";

/**
 * Returns a parameter's path with its query if it leads to a page of this site; else `fallback`.
 * Rejects other hosts, schemes, backslashes and control characters, which browsers drop or convert.
 */
export function localPath(text: string | null | undefined, fallback: string): string {
  if (!text || text.length > 2_000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return fallback;
  try {
    const url = new URL(text, base);
    const path = url.pathname + url.search;
    return url.origin === base && !path.startsWith("//") ? path : fallback;
  } catch {
    return fallback;
  }
}

/** The site's public origin: as configured, or else as the requesting browser sees it. */
export function publicOrigin(
  { req, url, state }: Pick<Context<ConsoleState>, "req" | "url" | "state">,
): string {
  return state.services.config.publicUrl ?? returnOrigin(req, url);
}

/**
 * The origin of this site for the browser that posted a form, such as
 * `https://gateway.example.com`. Behind a proxy that terminates TLS only the browser knows the
 * scheme, so its `origin` header counts if it names the requested host.
 */
export function returnOrigin(request: Request, url: URL): string {
  const origin = URL.parse(request.headers.get("origin") ?? "");
  const same = origin?.host === url.host && /^https?:$/.test(origin.protocol);
  return same ? origin.origin : url.origin;
}

/** Redirects a browser that has posted a form to the page that shows the result. */
export function seeOther(location: string, headers: Headers = new Headers()): Response {
  headers.set("location", location);
  return new Response(null, { status: 303, headers });
}
