import type { Context } from "fresh";
import type { ConsoleState } from "../session/state.ts";

/** The site's public origin: as configured, or else as the requesting browser sees it. */
export function publicOrigin(
  { req, url, state }: Pick<Context<ConsoleState>, "req" | "url" | "state">,
): string {
  return state.services.config.publicUrl ?? returnOrigin(req, url);
}

/**
 * Where a browser that posted a form finds this site again, such as `https://gateway.example.com`.
 * Behind a proxy that ends TLS only the browser knows the scheme: its `origin` header counts where
 * it names the same host that was asked.
 */
export function returnOrigin(request: Request, url: URL): string {
  const origin = URL.parse(request.headers.get("origin") ?? "");
  const same = origin?.host === url.host && /^https?:$/.test(origin.protocol);
  return same ? origin.origin : url.origin;
}
