import { networkFaultOf } from "../../../lib/upstreams/network_fault.ts";
import { createSend } from "../../../lib/upstreams/send.ts";
import { always, startRawPeer } from "./raw_peer.ts";

/** Run with the authority of `certificates/` in `DENO_CERT`; prints the outcome of each call. */

const here = new URL("./certificates/", import.meta.url);
const [cert, key] = ["server.pem", "server.key"].map((name) =>
  Deno.readTextFileSync(new URL(name, here))
);
const timeouts = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 };
const hi = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";

/** The name means the loopback for this lookup alone: no name server knows it. */
const send = createSend({
  client: "http1",
  dialFirst: true,
  addresses: { allowsPrivate: false, allowsLoopback: true },
  lookup: () => Promise.resolve(["127.0.0.1"]),
});

async function outcome(host: string, port: number): Promise<string> {
  const url = `https://${host}:${port}/v1`;
  const outbound = { url, origin: "console", headers: {}, body: "a".repeat(20_000) } as const;
  try {
    const answer = await send(outbound, timeouts, new AbortController().signal);
    return new TextDecoder().decode(await answer.readRest());
  } catch (error) {
    return networkFaultOf(error);
  }
}

const outcomes: Record<string, unknown> = {};
{
  await using peer = startRawPeer(always(hi), { cert, key, alpnProtocols: ["h2", "http/1.1"] });
  outcomes.named = await outcome("api.acme.test", peer.port);
  outcomes.again = await outcome("api.acme.test", peer.port);
  outcomes.connections = peer.count();
  outcomes.misnamed = await outcome("api.other.test", peer.port);
}
{
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert, key, onListen: () => {} },
    () => new Response("over HTTP/2"),
  );
  outcomes.both = await outcome("api.acme.test", server.addr.port);
  await server.shutdown();
}
send.endAll();
console.log(JSON.stringify(outcomes));
Deno.exit();
