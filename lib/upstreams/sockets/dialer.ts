import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { BoundedMap } from "../../bounded_map.ts";
import type { NodeWebSocket } from "../../http/node_web_socket.ts";
import { bareHostname } from "../address.ts";
import type { Outbound } from "../fetch.ts";
import type { Reach } from "../reach.ts";
import { SocketConnection } from "./connection.ts";

/** The longest frame, like the default of the longest server-sent event. */
const frameBytesMax = 16 * 1024 * 1024;
/** After a refused handshake or a failed call, calls are POSTed for this time. */
const doubtMs = 60_000;
/** The most remembered refusals. */
const refusalsMax = 1_000;

/** Opens WebSockets at the addresses of POST requests. */
export class SocketDialer {
  readonly #reach: Reach;
  readonly #isBehindProxy: boolean;
  readonly #doubtedUntil = new BoundedMap<string, number>(refusalsMax);

  constructor(reach: Reach, options: { readonly isBehindProxy: boolean }) {
    this.#reach = reach;
    this.#isBehindProxy = options.isBehindProxy;
  }

  /**
   * Connects within `connectMs`, by the rules for addresses, proxies and certificates of `fetch`.
   * Resolves with undefined if that fails, or failed a short while ago.
   */
  async dial(
    outbound: Outbound,
    { caller, connectMs }: { readonly caller: AbortSignal; readonly connectMs: number },
  ): Promise<SocketConnection | undefined> {
    if ((this.#doubtedUntil.get(outbound.url) ?? 0) > performance.now()) return undefined;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), connectMs);
    try {
      return await this.#connect(outbound, AbortSignal.any([caller, timeout.signal]));
    } catch {
      if (!caller.aborted) this.doubt(outbound);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets calls to an address be POSTed for a while. */
  doubt({ url }: Outbound): void {
    this.#doubtedUntil.set(url, performance.now() + doubtMs);
  }

  async #connect(outbound: Outbound, signal: AbortSignal): Promise<SocketConnection> {
    const { address } = await this.#reach(outbound, () => signal);
    const target = new URL(outbound.url);
    const { host } = target;
    const name = bareHostname(target);
    if (address !== undefined) target.hostname = address.includes(":") ? `[${address}]` : address;
    const agent = this.#isBehindProxy ? await proxyAgent(outbound.url) : undefined;
    const socket = await newWebSocket(target.href.replace(/^http/, "ws"), {
      headers: { ...outbound.headers, ...(address !== undefined && { host }) },
      perMessageDeflate: false,
      maxPayload: frameBytesMax,
      agent,
      // behind a proxy, an address would be taken for `localhost` (https-proxy-agent 9.1.0)
      checkServerIdentity: (_: string, certificate: PeerCertificate) =>
        checkServerIdentity(name, certificate),
    });
    return await opened(socket, signal);
  }
}

function opened(socket: NodeWebSocket, signal: AbortSignal): Promise<SocketConnection> {
  return new Promise((resolve, reject) => {
    const connection = new SocketConnection(socket);
    const fail = (cause?: unknown) => {
      connection.close();
      reject(cause ?? signal.reason);
    };
    const abort = () => fail();
    socket.on("open", () => {
      signal.removeEventListener("abort", abort); // it is of one call, and the connection of many
      resolve(connection);
    });
    socket.on("unexpected-response", () => fail(new Error("The handshake was refused")));
    socket.on("error", fail);
    socket.on("close", fail);
    if (signal.aborted) return fail();
    signal.addEventListener("abort", abort, { once: true });
  });
}

// Both are loaded at the first connection: most gateways open none.

async function newWebSocket(
  url: string,
  options: Readonly<Record<string, unknown>>,
): Promise<NodeWebSocket> {
  const { default: WebSocket } = await import("ws");
  return new WebSocket(url, options);
}

/** The connection through the environment's proxy; undefined if it has none for this address. */
async function proxyAgent(url: string): Promise<unknown> {
  const [{ HttpsProxyAgent }, { getProxyForUrl }] = await Promise.all([
    import("https-proxy-agent"),
    import("proxy-from-env"),
  ]);
  const proxy = getProxyForUrl(url);
  return proxy === "" ? undefined : new HttpsProxyAgent(proxy);
}
