import type { Context } from "fresh";
import type { ConsoleState } from "../session/state.ts";

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
