import { hangUpWhenLate } from "./hang_up.ts";
import { forwardedFor, trustedProxies } from "./forwarded.ts";

/** The two ends of a server: what answers the API's requests, and what answers all others. */
export interface Answering {
  readonly api: (
    request: Request,
    info: Deno.ServeHandlerInfo,
  ) => Promise<Response> | undefined;
  readonly other: Deno.ServeHandler;
}

/**
 * The handler of all requests. Of one that comes by way of a trusted proxy both ends see the
 * caller's address as the connection's, and the console also the address that the browser asked
 * for; everybody else's word on that is not heard.
 */
export function behindProxies(
  blocks: readonly string[],
  { api, other }: Answering,
): Deno.ServeHandler {
  const trusted = trustedProxies(blocks);
  const answer: Deno.ServeHandler = (request, info) => {
    const { remoteAddr } = info;
    const forwarded = blocks.length > 0 && remoteAddr.transport === "tcp"
      ? forwardedFor(request.headers, remoteAddr.hostname, trusted)
      : undefined;
    if (forwarded === undefined) return api(request, info) ?? other(request, info);
    const { completed } = info;
    const from = {
      remoteAddr: { transport: "tcp", hostname: forwarded.ip, port: 0 },
      completed,
    } as const;
    return api(request, from) ?? other(asAsked(request, forwarded), from);
  };
  return async (request, info) => await hangUpWhenLate(await answer(request, info));
}

/** The request with the URL that the caller used. */
function asAsked(
  request: Request,
  { scheme, host }: { readonly scheme?: string; readonly host?: string },
): Request {
  const url = URL.parse(request.url);
  if (url === null) return request;
  const asked = URL.parse(
    `${scheme ?? url.protocol.slice(0, -1)}://${host ?? url.host}${url.pathname}${url.search}`,
  );
  return asked === null || asked.href === url.href ? request : new Request(asked, request);
}
