import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { networkFaultOf } from "../../../lib/upstreams/network_fault.ts";
import { until } from "../../waiting.ts";
import { always, startClient, startRawPeer } from "./raw_peer.ts";

const hi = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
const half = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf";
const mebibyte = 1024 * 1024;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("http1: a request has the fields that fetch sends, in one write", async () => {
  const reads: string[] = [];
  await using peer = startRawPeer(async ({ connection }) => {
    const bytes = new Uint8Array(65_536);
    reads.push(new TextDecoder().decode(bytes.subarray(0, await connection.read(bytes) ?? 0)));
    await connection.write(new TextEncoder().encode(hi));
  });
  using client = startClient();
  const headers = { "X-Api-Key": "caf\xe9", connection: "close", "content-length": "9" };
  await client.text(`${peer.url}/a%20b?x=1#f`, { headers, body: '{"é":1}' });
  assertEquals(reads, [[
    "POST /v1/a%20b?x=1 HTTP/1.1",
    `host: 127.0.0.1:${peer.port}`,
    "accept: */*",
    "accept-language: *",
    "accept-encoding: identity",
    `user-agent: Deno/${Deno.version.deno}`,
    "content-type: application/json",
    "x-api-key: caf\ufffd", // one byte, which is no UTF-8
    "content-length: 8",
    "",
    '{"é":1}',
  ].join("\r\n")]);
});

for (const [name, value] of [["x-a", "1\r\nx-b: 2"], ["x-a", "\0"], ["x-a", "€"], ["x a", "1"]]) {
  Deno.test(`http1: a header ${JSON.stringify([name, value])} is not sent`, async () => {
    await using peer = startRawPeer(always(hi));
    using client = startClient();
    await assertRejects(() => client.call(peer.url, { headers: { [name]: value } }), TypeError);
    assertEquals(peer.count(), 0);
  });
}

Deno.test("http1: a connection is used again after its answer, another is opened beside it", async () => {
  await using peer = startRawPeer(async (peer) => {
    for (let request = await peer.readRequest(); request; request = await peer.readRequest()) {
      if (request.body.length > 2) await pause(20);
      await peer.write(hi);
    }
  });
  using client = startClient();
  for (let count = 0; count < 5; count++) assertEquals(await client.text(peer.url), "hi");
  assertEquals(peer.count(), 1);
  await Promise.all([1, 2, 3].map(() => client.text(peer.url, { body: "slow" })));
  assertEquals(peer.count(), 3);
  await client.text(peer.url);
  assertEquals(peer.count(), 3);
  assertEquals(client.phases.slice(0, 3), ["connection", "first byte", "first byte"]);
});

Deno.test("http1: an answer that is not read to its end is not followed by another request", async () => {
  let left = 0;
  await using peer = startRawPeer(async (peer) => {
    await peer.readRequest();
    await peer.write(half);
    await peer.left();
    left++;
  });
  using client = startClient();
  const answer = await client.call(peer.url);
  await answer.read();
  answer.cancel(undefined);
  await until(() => left === 1, "the connection stays open");
  await (await client.call(peer.url)).read();
  assertEquals(peer.count(), 2);
});

Deno.test("http1: a connection that the peer closed while idle is not used", async () => {
  await using peer = startRawPeer(async (peer, number) => {
    await peer.readRequest();
    await peer.write(hi);
    if (number > 0) await peer.left();
  });
  using client = startClient();
  await client.text(peer.url);
  await pause(10);
  await client.text(peer.url);
  assertEquals(peer.count(), 2);
  assertEquals(client.phases, ["connection", "first byte", "connection", "first byte"]);
});

Deno.test("http1: a request on a stale connection is sent again once, with its whole body", async () => {
  const bodies: number[] = [];
  await using peer = startRawPeer(async (peer) => {
    bodies.push((await peer.readRequest())?.body.length ?? -1);
    await peer.write(hi);
    await peer.readHead(); // the peer closes when the next request arrives, or some of it
  });
  using client = startClient();
  for (const size of [2, 200_000]) {
    await client.text(peer.url, { body: "a".repeat(size) });
    assertEquals(await client.text(peer.url, { body: "b".repeat(size) }), "hi");
  }
  assertEquals(bodies.filter((length) => length > 0).length, bodies.length);
});

Deno.test("http1: a request is not sent again after a byte of its answer", async () => {
  let requests = 0;
  await using peer = startRawPeer(async (peer, number) => {
    for (let at = 0; await peer.readRequest(); at++) {
      requests++;
      if (number === 0 && at === 1) return await peer.write("H");
      await peer.write(hi);
    }
  });
  using client = startClient();
  await client.text(peer.url);
  const error = await assertRejects(() => client.call(peer.url));
  assertEquals(networkFaultOf(error), "closed");
  assertEquals([requests, peer.count()], [2, 1]);
});

Deno.test("http1: a request on a new connection is never sent again", async () => {
  await using peer = startRawPeer(async (peer) => void await peer.readRequest());
  using client = startClient();
  await assertRejects(() => client.call(peer.url));
  assertEquals(peer.count(), 1);
});

Deno.test("http1: a call that was served for a while and then cut off is not sent again", async () => {
  let requests = 0;
  await using peer = startRawPeer(async (peer) => {
    await peer.readRequest();
    await peer.write(hi);
    if (await peer.readRequest()) requests++;
    await pause(1_200);
  });
  using client = startClient();
  await client.text(peer.url);
  await assertRejects(() => client.call(peer.url));
  assertEquals([requests, peer.count()], [1, 1]);
});

Deno.test("http1: a peer that speaks unasked loses its connection", async () => {
  let dropped = 0;
  await using peer = startRawPeer(async (peer) => {
    await peer.readRequest();
    await peer.write(hi);
    await pause(5);
    await peer.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil");
    await peer.left();
    dropped++;
  });
  using client = startClient();
  await client.text(peer.url);
  await until(() => dropped === 1, "the connection stays open");
  assertEquals(await client.text(peer.url), "hi");
  assertEquals(peer.count(), 2);
});

const moments: readonly (readonly [name: string, sent: string])[] = [
  ["before the head", ""],
  ["within the head", "HTTP/1.1 200 OK\r\ncontent-"],
  ["within the body", half],
];
for (const [name, sent] of moments) {
  Deno.test(`http1: an abort ${name} closes the connection`, async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    await using peer = startRawPeer(async (peer) => {
      await peer.readRequest();
      await peer.write(sent);
      await peer.left();
      resolve();
    });
    using client = startClient();
    const abort = new AbortController();
    const reading = (async () => {
      const answer = await client.call(peer.url, {}, abort.signal);
      while (await answer.read());
    })();
    await pause(10);
    abort.abort();
    await assertRejects(() => reading);
    await left;
  });
}

Deno.test("http1: an abort after the answer leaves the connection to the next call", async () => {
  await using peer = startRawPeer(always(hi));
  using client = startClient();
  const abort = new AbortController();
  const answer = await client.call(peer.url, {}, abort.signal);
  assertEquals(new TextDecoder().decode(await answer.readRest()), "hi");
  abort.abort();
  answer.cancel(undefined);
  await client.text(peer.url);
  assertEquals(peer.count(), 1);
});

Deno.test("http1: an aborted call sends nothing", async () => {
  let requests = 0;
  await using peer = startRawPeer(async (peer) => {
    for (; await peer.readRequest(); requests++) await peer.write(hi);
  });
  using client = startClient();
  await assertRejects(() => client.call(peer.url, {}, AbortSignal.abort()));
  await client.text(peer.url);
  await assertRejects(() => client.call(peer.url, {}, AbortSignal.abort())); // on a kept connection
  await pause(5);
  assertEquals(requests, 1);
});

Deno.test("http1: an answer that comes before the body is written is delivered, and ends the connection", async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  await using peer = startRawPeer(async (peer) => {
    await peer.readHead();
    await peer.write("HTTP/1.1 413 Content Too Large\r\ncontent-length: 3\r\n\r\nbig");
    await pause(50);
    resolve();
  });
  using client = startClient();
  const answer = await client.call(peer.url, { body: new Uint8Array(30 * mebibyte) });
  assertEquals(answer.status, 413);
  assertEquals(new TextDecoder().decode(await answer.readRest()), "big");
  await left;
});

Deno.test("http1: 100 MB go both ways, in memory that a slow reader bounds", async () => {
  const size = 100 * mebibyte;
  let written = 0;
  await using peer = startRawPeer(async (peer) => {
    const request = await peer.readRequest();
    if (!request) return;
    await peer.write(`HTTP/1.1 200 OK\r\ncontent-length: ${request.body.length}\r\n\r\n`);
    for (let at = 0; at < request.body.length; at += mebibyte) {
      await peer.write(request.body.subarray(at, at + mebibyte));
      written = at + mebibyte;
    }
  });
  using client = startClient();
  const body = new Uint8Array(size).fill(7);
  const answer = await client.call(peer.url, { body });
  await pause(200);
  assert(written < 20 * mebibyte, `${written} bytes are buffered for a reader that does not read`);
  let sum = 0;
  for (let chunk = await answer.read(); chunk; chunk = await answer.read()) {
    assert(chunk.length <= 64 * 1024);
    sum += chunk.length;
    if (sum < 70_000) assertEquals(chunk[0], 7);
  }
  assertEquals(sum, size);
});

Deno.test("http1: idle connections are closed with the client, and none is kept afterwards", async () => {
  let left = 0;
  await using peer = startRawPeer(async (peer) => {
    await always(hi)(peer);
    left++;
  });
  using client = startClient();
  await client.text(peer.url);
  client.client.close();
  await until(() => left === 1, "the idle connection stays open");
  assertEquals(await client.text(peer.url), "hi");
  await until(() => left === 2, "the connection is kept");
});

Deno.test("http1: after a doubt the host is connected to again", async () => {
  await using peer = startRawPeer(always(hi));
  using client = startClient();
  await client.text(peer.url);
  client.client.doubt({ url: peer.url, origin: "config", headers: {} });
  await client.text(peer.url);
  assertEquals(peer.count(), 2);
});

Deno.test("http1: a checked name that moves is called at its new address only", async () => {
  await using peer = startRawPeer(always(hi));
  const addresses = [["127.0.0.1"], ["127.0.0.9"]];
  const clock = { ms: 0 };
  using client = startClient({
    addresses: { allowsPrivate: false, allowsLoopback: true },
    lookup: () => Promise.resolve(addresses.shift() ?? []),
    now: () => clock.ms,
  });
  const url = `http://api.acme.test:${peer.port}/v1`;
  assertEquals(await client.text(url, { origin: "console" }), "hi");
  clock.ms = 60_000;
  const error = await assertRejects(() => client.call(url, { origin: "console" }));
  assertEquals(networkFaultOf(error), "refused"); // nobody listens there
  assertEquals(peer.count(), 1);
});

const codings: readonly (readonly [string, string])[] = [["gzip", "gzip"], ["br", "brotli"]];
for (const [coding, format] of codings) {
  Deno.test(`http1: an answer in ${coding} is decoded, as by fetch`, async () => {
    const text = "some text ".repeat(1_000);
    const stream = new Blob([text]).stream()
      .pipeThrough(new CompressionStream(format as CompressionFormat));
    const packed = await new Response(stream).bytes();
    await using peer = startRawPeer(async (peer) => {
      while (await peer.readRequest()) {
        await peer.write(
          `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${packed.length}\r\n\r\n`,
        );
        await peer.write(packed);
      }
    });
    using client = startClient();
    const answer = await client.call(peer.url);
    assertEquals([...answer.headers], []);
    assertEquals(new TextDecoder().decode(await answer.readRest()), text);
    const { body } = await fetch(peer.url);
    assertEquals(await new Response(body).text(), text);
    await client.text(peer.url);
    assertEquals(peer.count(), 2); // one of them is fetch's
  });
}

Deno.test("http1: an answer in a coding that is cut off fails", async () => {
  const packed = await new Response(
    new Blob(["some text"]).stream().pipeThrough(new CompressionStream("gzip")),
  ).bytes();
  await using peer = startRawPeer(async (peer) => {
    await peer.readRequest();
    await peer.write("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n");
    await peer.write(packed.subarray(0, -6));
  });
  using client = startClient();
  await assertRejects(async () => await (await client.call(peer.url)).readRest());
});

Deno.test("http1: the address of a name is the operating system's, an IPv6 address has no brackets", async () => {
  await using peer = startRawPeer(always(hi));
  using client = startClient();
  assertEquals(await client.text(`http://localhost:${peer.port}/`), "hi");
  const error = await assertRejects(() => client.call("http://[::1]:1/"));
  assertStringIncludes("refused unreachable", networkFaultOf(error));
});
