import { createSecureServer, type SecureServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { createSend, networkFaultOf } from "../../lib/upstreams/send.ts";
import { always, startRawPeer } from "./raw_peer.ts";

/**
 * Run with the authority of `certificates/` in `DENO_CERT`; prints the outcome of each call.
 */

const here = new URL("./certificates/", import.meta.url);
const [cert, key] = ["server.pem", "server.key"].map((name) =>
  Deno.readTextFileSync(new URL(name, here))
);
const timeouts = { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 };
const hi = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
const body = "a".repeat(20_000);

/** The names mean the loopback for this lookup alone: no name server knows them. */
const send = createSend({
  dialFirst: true,
  addresses: { allowsPrivate: false, allowsLoopback: true },
  lookup: () => Promise.resolve(["127.0.0.1"]),
});

async function outcome(host: string, port: number): Promise<string> {
  const url = `https://${host}:${port}/v1`;
  const outbound = { url, origin: "console", headers: {}, body } as const;
  try {
    const answer = await send(outbound, timeouts, new AbortController().signal);
    return new TextDecoder().decode(await answer.readRest());
  } catch (error) {
    return networkFaultOf(error);
  }
}

/** Answers with the version of HTTP; sends each part of an answer at once. */
async function startNodeServer(options: SecureServerOptions) {
  const server = createSecureServer({ cert, key, ...options }, (request, response) => {
    request.resume();
    request.on("end", () => response.end(`HTTP/${request.httpVersion}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** The median of milliseconds to an answer, on a connection that is in use. */
async function medianWait(host: string, port: number): Promise<number> {
  const waits: number[] = [];
  for (let call = 0; call < 21; call++) {
    const startedAt = performance.now();
    await outcome(host, port);
    waits.push(performance.now() - startedAt);
  }
  return waits.sort((a, b) => a - b)[10];
}

/** The certificate's name, and an address that it does not have. */
const [host, misnamed] = ["localhost", "127.0.0.1"];
const outcomes: Record<string, unknown> = {};
{
  await using peer = startRawPeer(always(hi), {
    tls: { cert, key, alpnProtocols: ["h2", "http/1.1"] },
  });
  outcomes.named = await outcome(host, peer.port);
  outcomes.again = await outcome(host, peer.port);
  outcomes.connections = peer.count();
  outcomes.misnamed = await outcome(misnamed, peer.port);
}
const both = await startNodeServer({ allowHTTP1: true });
outcomes.both = await outcome(host, both.port);
if (outcomes.both === "HTTP/1.1") outcomes.isDelayed = await medianWait(host, both.port) > 25;
const http2Only = await startNodeServer({ allowHTTP1: false });
let http2OnlyConnections = 0;
http2Only.server.on("connection", () => http2OnlyConnections++);
outcomes.http2Only = await outcome("localhost", http2Only.port);
outcomes.http2OnlyAgain = await outcome("localhost", http2Only.port);
outcomes.http2OnlyConnections = http2OnlyConnections;
console.log(JSON.stringify(outcomes));
Deno.exit();
