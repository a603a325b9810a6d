import { hangUpWhenLate } from "./hang_up.ts";
import { forwardedFor, trustedProxies } from "./forwarded.ts";

/** Where a request of the API comes from. */
export interface ApiInfo extends Deno.ServeHandlerInfo {
  /** The origin that the caller used, as a trusted proxy names it; absent where the request's URL has it. */
  readonly askedOrigin?: string;
}

/** The two ends of a server: what answers the API's requests, and what answers all others. */
export interface Answering {
  readonly api: (request: Request, info: ApiInfo) => Promise<Response> | undefined;
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
    const asked = askedUrl(request, forwarded);
    const answer = api(request, { ...from, ...(asked && { askedOrigin: asked.origin }) });
    return answer ?? other(asAsked(request, asked), from);
  };
  return async (request, info) => await hangUpWhenLate(await answer(request, info));
}

/** The URL that the caller used; undefined where the request's own cannot be read. */
function askedUrl(
  request: Request,
  { scheme, host }: { readonly scheme?: string; readonly host?: string },
): URL | undefined {
  const url = URL.parse(request.url);
  if (url === null) return undefined;
  const origin = `${scheme ?? url.protocol.slice(0, -1)}://${host ?? url.host}`;
  return URL.parse(`${origin}${url.pathname}${url.search}`) ?? undefined;
}

function asAsked(request: Request, asked: URL | undefined): Request {
  return asked === undefined || asked.href === request.url ? request : new Request(asked, request);
}
