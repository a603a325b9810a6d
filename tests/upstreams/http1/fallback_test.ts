import { assertEquals, assertRejects } from "@std/assert";
import { Http2Only } from "../../../lib/upstreams/http1/answer_fault.ts";
import { http1OrFetch } from "../../../lib/upstreams/http1/mod.ts";
import type { Transport, UpstreamAnswer } from "../../../lib/upstreams/transport.ts";
import { always, startClient, startRawPeer } from "./raw_peer.ts";

const certificates = new URL("../certificates/", import.meta.url);
const [cert, key] = ["server.pem", "server.key"].map((name) =>
  Deno.readTextFileSync(new URL(name, certificates))
);

/** The handshake fails before the certificate counts. */
function startHttp2Only() {
  return startRawPeer(always(""), { cert, key, alpnProtocols: ["h2"] });
}

Deno.test("http1: an upstream that accepts only HTTP/2 fails with an error of its own", async () => {
  await using peer = startHttp2Only();
  using client = startClient();
  await assertRejects(() => client.call(peer.url), Http2Only);
});

/** A transport that answers every call, and records its URL. */
function startFetch() {
  const fetched: string[] = [];
  const answer: UpstreamAnswer = {
    status: 200,
    headers: new Headers(),
    read: () => Promise.resolve(undefined),
    readRest: () => Promise.resolve(new Uint8Array()),
    cancel: () => {},
  };
  const byFetch: Transport = Object.assign(({ url }: { readonly url: string }) => {
    fetched.push(url);
    return Promise.resolve(answer);
  }, { doubt: () => {}, close: () => {} });
  return { byFetch, answer, fetched };
}

const phases = {
  awaitConnection: () => {},
  awaitFirstByte: () => {},
  signal: new AbortController().signal,
};

Deno.test("http1OrFetch calls an upstream that accepts only HTTP/2 by fetch, and remembers it", async () => {
  await using peer = startHttp2Only();
  const { byFetch, answer, fetched } = startFetch();
  const transport = http1OrFetch({ dialFirst: true }, byFetch);
  for (let count = 0; count < 2; count++) {
    assertEquals(await transport({ url: peer.url, origin: "config", headers: {} }, phases), answer);
  }
  assertEquals(fetched, [peer.url, peer.url]);
  assertEquals(peer.count(), 1);
  transport.close();
});

Deno.test({
  name: "http1OrFetch calls a host by fetch if the runtime refuses to connect to its address",
  permissions: { net: ["localhost"] },
  fn: async () => {
    const { byFetch, answer, fetched } = startFetch();
    const addresses = { allowsPrivate: true, allowsLoopback: true };
    const transport = http1OrFetch({ dialFirst: true, addresses }, byFetch);
    const outbound = { url: "https://127.0.0.1:1/v1", origin: "config", headers: {} } as const;
    assertEquals(await transport(outbound, phases), answer);
    assertEquals(fetched, [outbound.url]);
    transport.close();
  },
});
