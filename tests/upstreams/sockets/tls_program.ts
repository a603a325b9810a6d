import type { Outbound } from "../../../lib/upstreams/send.ts";
import { createSend } from "../../../lib/upstreams/send.ts";
import { UpstreamSockets } from "../../../lib/upstreams/sockets/mod.ts";
import { startConnectProxy } from "./connect_proxy.ts";
import { answerTurn } from "./socket_upstream.ts";

/**
 * Run with `PROXY` if calls go through a proxy, which is then set in the environment; prints what an
 * upstream over TLS and a proxy saw.
 */

const here = new URL("../certificates/", import.meta.url);
const [cert, key] = ["server.pem", "server.key"].map((name) =>
  Deno.readTextFileSync(new URL(name, here))
);
const seen = { handshakes: 0, posts: 0 };
const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, cert, key, onListen() {} },
  (request) => {
    if (request.headers.get("upgrade") === null) {
      seen.posts++;
      return new Response("posted");
    }
    seen.handshakes++;
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) =>
      answerTurn({
        ...{ frame: JSON.parse(data), socket, connection: 0 },
        send: (event) => socket.send(JSON.stringify(event)),
      });
    return response;
  },
);

const proxy = startConnectProxy();
const isBehindProxy = Deno.env.has("PROXY");
if (isBehindProxy) Deno.env.set("HTTPS_PROXY", `http://user:pass@127.0.0.1:${proxy.port}`);

const send = createSend({
  dialFirst: !isBehindProxy,
  addresses: { allowsPrivate: false, allowsLoopback: true },
  lookup: () => Promise.resolve(["127.0.0.1"]),
});

async function outcome(host: string): Promise<string> {
  const url = `https://${host}:${server.addr.port}/v1/responses`;
  const body = JSON.stringify({ model: "m", input: "hi", stream: true });
  const outbound: Outbound = { url, origin: "console", headers: {}, body };
  const timeouts = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 };
  const sockets = new UpstreamSockets();
  try {
    const answer = await send(outbound, timeouts, new AbortController().signal, sockets);
    const text = new TextDecoder().decode(await answer.readRest());
    return text.includes("1 items") ? "over a WebSocket" : text;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  } finally {
    sockets.close();
  }
}

const named = await outcome("localhost");
const misnamed = await outcome("127.0.0.1");
console.log(JSON.stringify({ named, misnamed, ...seen, tunnels: proxy.tunnels }));
Deno.exit();
