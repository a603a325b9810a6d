import { getHeapStatistics } from "node:v8";
import { GatewayError } from "../canonical/mod.ts";
import { failureResponse } from "../gateway.ts";
import type { Call } from "../http/call.ts";
import { rawConnectionOf } from "../http/raw_upgrade.ts";
import { type SocketPlace, socketPlaceOf } from "../http/server.ts";
import { lazy } from "../lazy.ts";
import { SocketMemory } from "../responses_state/mod.ts";
import { Socket, type SocketDeps } from "./socket.ts";

/** In JSON characters: what the sockets of one account remember. */
const accountLength = 64 * 1024 * 1024;
const keyProtocol = "openai-insecure-api-key.";

/** Opens sockets, and counts those of each account. */
export class Sockets {
  readonly #deps: SocketDeps;
  readonly #ofAccounts = new Map<string, Set<Socket>>();
  readonly #opener = lazy(async () => {
    const { createOpener } = await import("./transport.ts"); // most gateways open none
    return createOpener(this.#deps.gateway.limits.bodyBytesMax);
  });

  constructor(deps: Omit<SocketDeps, "memory">) {
    const totalLength = getHeapStatistics().heap_size_limit / 16;
    const memory = new SocketMemory({
      totalLength,
      accountLength: Math.min(accountLength, totalLength),
    });
    this.#deps = { ...deps, memory };
  }

  /**
   * Answers a request for a socket. Never resolves if it opens one: the connection is then the
   * socket's. A refusal is an answer in the format's own shape.
   */
  async open(arrived: Call): Promise<Response> {
    const { gateway } = this.#deps;
    const handshake = { ...arrived, request: asPost(arrived) };
    try {
      const place = socketPlaceOf(arrived.request);
      if (!place) throw unavailable();
      const headers = handshakeHeaders(arrived.request.headers);
      const { key: { accountId } } = await gateway.identify(handshake);
      gateway.assertRecording();
      const open = await this.#opener();
      this.#assertRoom(accountId); // behind the last wait: handshakes at once count one another
      const connection = rawConnectionOf(arrived.request);
      if (!connection) throw unavailable();
      open(connection, headers, (wire) => {
        this.#add(new Socket(wire, this.#deps, { handshake, accountId, place }), accountId, place);
      });
      return await new Promise<never>(() => {});
    } catch (thrown) {
      return failureResponse(handshake, thrown, gateway);
    }
  }

  #assertRoom(accountId: string): void {
    const max = this.#deps.gateway.limits.accountSocketsMax;
    if ((this.#ofAccounts.get(accountId)?.size ?? 0) < max) return;
    const message =
      `Rate limited: the account has ${max} open WebSockets. Not charged. Close one, or POST to the same address`;
    throw new GatewayError("rate_limit_exceeded", message, { retryAfterSeconds: 10 });
  }

  #add(socket: Socket, accountId: string, place: SocketPlace): void {
    const ofAccount = this.#ofAccounts.getOrInsertComputed(accountId, () => new Set());
    ofAccount.add(socket);
    place.upgrade(socket);
    void socket.ended.then(() => {
      ofAccount.delete(socket);
      if (ofAccount.size === 0) this.#ofAccounts.delete(accountId);
    });
  }

  /** The open sockets of callers, and the connections to upstreams that are kept for them. */
  counts(): { readonly caller: number; readonly upstream: number } {
    const open = this.#ofAccounts.values().flatMap((sockets) => sockets).toArray();
    return {
      caller: open.length,
      upstream: open.reduce((sum, { upstreams }) => sum + upstreams.size, 0),
    };
  }
}

/** The head of a call on the socket: the handshake's without what opened the socket. */
function asPost({ url, request }: Call): Request {
  const headers = new Headers(request.headers);
  const key = protocolsIn(headers).find((protocol) => protocol.startsWith(keyProtocol));
  for (const name of [...headers.keys()]) if (ofTheHandshake.test(name)) headers.delete(name);
  if (/websocket/.test(headers.get("openai-beta") ?? "")) headers.delete("openai-beta");
  headers.set("content-type", "application/json");
  if (key !== undefined && !headers.has("authorization")) {
    headers.set("authorization", `Bearer ${key.slice(keyProtocol.length)}`);
  }
  return new Request(url, { method: "POST", headers });
}

const ofTheHandshake =
  /^(connection|content-.*|origin|sec-websocket-.*|transfer-encoding|upgrade)$/;

/** Checked headers of a handshake (RFC 6455), with the one protocol to agree on: never the key's. */
function handshakeHeaders(headers: Headers): Readonly<Record<string, string>> {
  const key = headers.get("sec-websocket-key") ?? "";
  if (headers.get("sec-websocket-version") !== "13") throw malformed("sec-websocket-version", "13");
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key)) {
    throw malformed("sec-websocket-key", "16 bytes in base64");
  }
  if (!/\bupgrade\b/i.test(headers.get("connection") ?? "")) {
    throw malformed("connection", "upgrade");
  }
  const protocol = protocolsIn(headers).find((one) => !one.startsWith(keyProtocol));
  return {
    upgrade: "websocket",
    "sec-websocket-key": key,
    "sec-websocket-version": "13",
    ...(protocol !== undefined && { "sec-websocket-protocol": protocol }),
  };
}

function protocolsIn(headers: Headers): readonly string[] {
  const said = headers.get("sec-websocket-protocol") ?? "";
  return said.split(",").map((one) => one.trim()).filter((one) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(one)
  );
}

function malformed(name: string, rule: string): GatewayError {
  return new GatewayError("invalid_request", `Cannot open a WebSocket: ${name} must be ${rule}`, {
    param: name,
  });
}

function unavailable(): GatewayError {
  return new GatewayError(
    "websocket_unsupported",
    "This server opens no WebSockets: POST to the same address and read server-sent events",
  );
}
