import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { Connections, oldestOfMost } from "../../lib/http/connections.ts";
import { RawClient } from "../raw_client.ts";
import { later } from "../waiting.ts";
import { get, withServer } from "./raw_server.ts";

const unfinished = "POST / HTTP/1.1\r\nho";
const http2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const fine = () => new Response("fine");

/** The callers' networks, in the order of their connections. */
function networksOf(names: readonly string[]) {
  let accepted = 0;
  return {
    of: () => names[accepted++] ?? "another",
    mayBeProxy: (address: string) => address === "",
  };
}

async function answered(client: RawClient): Promise<void> {
  await client.write(get);
  await client.readUntil("fine");
}

for (
  const [name, sent, limits] of [
    ["that sends nothing", "", { headTimeoutMs: 200 }],
    ["with an unfinished head", unfinished, { headTimeoutMs: 200 }],
    ["with HTTP/2 and no request", http2Preface, { headTimeoutMs: 200 }],
    ["after an answer", get, { idleTimeoutMs: 200 }],
    ["with an unfinished head after an answer", get + unfinished, { idleTimeoutMs: 200 }],
  ] as const
) {
  Deno.test(`connections: one ${name} is closed after its time`, () =>
    withServer(fine, async ({ addr }) => {
      const startedAt = performance.now();
      const client = await RawClient.to(addr);
      await client.write(sent);
      assert(await client.isClosedByServer(5_000));
      assert(performance.now() - startedAt > 150);
    }, { limits }));
}

Deno.test("connections: one with a request in flight is not idle, however long it is silent", () =>
  withServer(
    ({ url, signal }) =>
      url.endsWith("/whole")
        ? later(700).then(() => new Response(signal.aborted ? "aborted" : "whole"))
        : new Response(ReadableStream.from(silent())),
    async ({ addr }) => {
      using stream = await RawClient.to(addr);
      using whole = await RawClient.to(addr);
      await stream.write(get);
      await whole.write(get.replace("/", "/whole"));
      await Promise.all([stream.readUntil("the end"), whole.readUntil("whole")]);
      await answeredAgain(stream);
    },
    { limits: { headTimeoutMs: 100, idleTimeoutMs: 100 } },
  ));

async function* silent(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("the start");
  await later(700);
  yield new TextEncoder().encode("the end");
}

/** Its time starts again with each answer. */
async function answeredAgain(client: RawClient): Promise<void> {
  await client.write(get);
  await client.readUntil("the end");
}

Deno.test("connections: one whose client does not read a whole answer is closed, too", () => {
  const bytes = new Uint8Array(40_000_000);
  return withServer(() => new Response(bytes), async ({ addr }) => {
    const client = await RawClient.to(addr);
    await client.write(get);
    await later(1_500);
    assertLess((await client.readAll()).length, bytes.length);
  }, { limits: { idleTimeoutMs: 200 } });
});

Deno.test("connections: a full server closes the oldest idle one of the network that has most", () =>
  withServer(fine, async ({ addr }) => {
    const open: RawClient[] = [];
    for (let client = 0; client < 5; client++) open.push(await RawClient.to(addr));
    await later(50);
    using newcomer = await RawClient.to(addr);
    await answered(newcomer);
    const closed = await Promise.all(open.map((client) => client.isClosedByServer(300)));
    assertEquals(closed, [false, true, false, false, false]);
  }, {
    limits: { connectionsMax: 5, networkConnectionsPercent: 100 },
    networks: networksOf(["user", "flood", "flood", "other", "flood", "newcomer"]),
  }));

Deno.test("connections: a full server without idle ones answers 503, and accepts again later", async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await withServer(async () => {
    await isReleased;
    return new Response("fine");
  }, async ({ addr }) => {
    const busy = await Promise.all([RawClient.to(addr), RawClient.to(addr)]);
    for (const client of busy) await client.write(get);
    await later(50);
    using refused = await RawClient.to(addr);
    const answer = await refused.readAll();
    assertStringIncludes(answer, "HTTP/1.1 503 Service Unavailable\r\n");
    assertStringIncludes(answer, "retry-after: 2\r\n");
    release();
    for (const client of busy) {
      await client.readUntil("fine");
      client.close();
    }
    await later(200);
    using accepted = await RawClient.to(addr);
    await answered(accepted);
  }, { limits: { connectionsMax: 2, networkConnectionsPercent: 100 } });
});

Deno.test("connections: a network has its share, and takes none of the others'", () =>
  withServer(fine, async ({ addr }) => {
    using user = await RawClient.to(addr);
    await answered(user);
    const flood: RawClient[] = [];
    for (let client = 0; client < 20; client++) flood.push(await RawClient.to(addr));
    await later(100);
    const closed = await Promise.all(flood.map((client) => client.isClosedByServer(300)));
    assertEquals(closed.filter((one) => !one).length, 4);
    assertEquals(closed.slice(-4), [false, false, false, false]);
    await answered(user);
  }, {
    limits: { connectionsMax: 8, networkConnectionsPercent: 50 },
    networks: networksOf(["user", ...Array(20).fill("flood")]),
  }));

Deno.test("connections: the share of a network does not bind a proxy", () =>
  withServer(fine, async ({ addr }) => {
    const open: RawClient[] = [];
    for (let client = 0; client < 8; client++) open.push(await RawClient.to(addr));
    for (const client of open) await answered(client);
    for (const client of open) client.close();
  }, {
    limits: { connectionsMax: 8, networkConnectionsPercent: 50 },
    networks: { of: () => "proxy", mayBeProxy: (address) => address === "127.0.0.1" },
  }));

Deno.test("connections: a shutdown does not wait for the rest of a head", () =>
  withServer(fine, async (server) => {
    using client = await RawClient.to(server.addr);
    await client.write(unfinished);
    await later(50);
    const startedAt = performance.now();
    await server.shutdown();
    assertLess(performance.now() - startedAt, 1_000);
  }));

Deno.test("connections: a newcomer does not wait for ever for the end of a closed one", async () => {
  const limits = {
    connectionsMax: 1,
    networkConnectionsPercent: 100,
    headTimeoutMs: 60_000,
    idleTimeoutMs: 60_000,
  };
  const connections = new Connections(limits, { of: () => "a", mayBeProxy: () => false });
  const first = await connections.admit("10.0.0.1"); // nobody serves it, so nothing ends it
  assert(first);
  const waited = later(5_000).then(() => "waits for ever" as const);
  assertEquals(await Promise.race([connections.admit("10.0.0.2"), waited]), undefined);
  connections.delete(first);
  await waited;
});

Deno.test("oldestOfMost leaves the networks that have most with equally many", () => {
  const connections = [
    ..."aaaa".split("").map((network, at) => ({ network, idleSinceMs: at })),
    ...[{ network: "b", idleSinceMs: -5 }, { network: "b", idleSinceMs: 9 }],
    { network: "c", idleSinceMs: -9 },
  ];
  const closed = (count: number) =>
    oldestOfMost(connections, count).map(({ network, idleSinceMs }) => `${network}${idleSinceMs}`);
  assertEquals(closed(2), ["a0", "a1"]);
  assertEquals(closed(4), ["a0", "a1", "b-5", "a2"]);
  assertEquals(closed(5).at(-1), "c-9");
});
