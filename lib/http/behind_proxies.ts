import { forwardedFor, trustedProxies } from "./forwarded.ts";
import { hangUpWhenLate } from "./hang_up.ts";

/** The origin of a request, and the address that the caller used. */
export interface ApiInfo extends Deno.ServeHandlerInfo {
  /** The origin that the caller used, according to a trusted proxy; absent if the request's URL has it. */
  readonly askedOrigin?: string;
}

interface Answering {
  readonly api: (request: Request, info: ApiInfo) => Response | Promise<Response> | undefined;
  readonly other: Deno.ServeHandler;
}

/**
 * The handler of all requests. For a request from a trusted proxy both handlers see the caller's
 * address as the connection's, and the console also sees the address that the browser used;
 * forwarded headers of other clients are ignored.
 */
export function behindProxies(
  blocks: readonly string[],
  { api, other }: Answering,
): Deno.ServeHandler {
  const trusted = trustedProxies(blocks);
  const answerForwarded = (
    request: Request,
    { remoteAddr, completed }: Deno.ServeHandlerInfo,
  ) => {
    const forwarded = remoteAddr.transport === "tcp"
      ? forwardedFor(request.headers, remoteAddr.hostname, trusted)
      : undefined;
    if (forwarded === undefined) return undefined;
    const from = {
      remoteAddr: { transport: "tcp", hostname: forwarded.ip, port: 0 },
      completed,
    } as const;
    const asked = askedUrl(request, forwarded);
    return api(request, { ...from, ...(asked && { askedOrigin: asked.origin }) }) ??
      other(asAsked(request, asked), from);
  };
  return (request, info) => {
    const forwarded = blocks.length > 0 ? answerForwarded(request, info) : undefined;
    const answering = forwarded ?? api(request, info) ?? other(request, info);
    return answering instanceof Promise
      ? answering.then(hangUpWhenLate)
      : hangUpWhenLate(answering);
  };
}

/** The URL that the caller used; undefined for a malformed request URL. */
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
