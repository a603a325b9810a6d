import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Rig, sampleOf, startRig } from "../../bench/measure.ts";
import { standardShapes } from "../../bench/shapes.ts";
import type { Subject } from "../../bench/subjects.ts";

const [shape] = standardShapes;

/** The upstream itself as subject. */
function upstreamOf({ upstream, upstreamPort }: Rig): Subject {
  return { ...upstream, name: "upstream", port: upstreamPort, stop: () => Promise.resolve() };
}

Deno.test("load: every call reaches the server once and is counted once", async () => {
  await using rig = await startRig();
  const result = await sampleOf(rig, upstreamOf(rig), shape, {
    durationMs: 10_000,
    callsMax: 500,
  });
  const { calls } = await rig.upstream.ask(shape);
  assertEquals([result.calls, result.errors, calls], [500, 0, 500]);
  assert(result.whole.p50 > 0 && result.whole.p50 <= result.whole.p99);
  assert(result.firstByte.p50 <= result.whole.p50);
});

Deno.test("load: an answer with another status is an error, not a fast call", async () => {
  await using rig = await startRig();
  const failing = { ...shape, connections: 2, status: 500 };
  const result = await sampleOf(rig, upstreamOf(rig), failing, {
    durationMs: 10_000,
    callsMax: 20,
  });
  assertEquals([result.calls, result.errors], [0, 20]);
  assertMatch(result.firstError ?? "", /HTTP\/1.1 500/);
});

Deno.test("load: an answer without its last event is an error", async () => {
  await using rig = await startRig();
  await rig.upstream.ask({ ...shape, answer: "burst", events: 3 });
  const result = await rig.load.ask({
    ...{ port: rig.upstreamPort, pid: Deno.pid, connections: 1 },
    request: "POST /v1/messages HTTP/1.1\r\ncontent-length: 0\r\n\r\n",
    ending: "[DONE]", // of another format
    durationMs: 10_000,
    callsMax: 3,
  });
  assertEquals([result.calls, result.errors], [0, 3]);
});

Deno.test("load: a server that is gone ends the run with errors", async () => {
  await using rig = await startRig();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const closing = (async () => {
    for await (const connection of listener) connection.close();
  })();
  const result = await rig.load.ask({
    ...{ port: listener.addr.port, pid: Deno.pid, connections: 4 },
    ...{ request: "GET / HTTP/1.1\r\n\r\n", ending: "", durationMs: 60_000 },
  });
  assertEquals(result.calls, 0);
  assert(result.errors >= 100);
  listener.close();
  await closing;
});

Deno.test("load: a rate spreads the calls over the time", async () => {
  await using rig = await startRig();
  const result = await sampleOf(rig, upstreamOf(rig), { ...shape, connections: 4, rate: 40 }, {
    durationMs: 10_000,
    callsMax: 20,
  });
  assertEquals([result.calls, result.errors], [20, 0]);
  assert(result.durationMs >= 475, `${result.durationMs} ms`); // the last call is due then
});

Deno.test("load: a stream's events are counted, paced or at once", async () => {
  await using rig = await startRig();
  for (const answer of ["paced", "burst"] as const) {
    const streamed = { ...shape, answer, events: 7, intervalMs: 1, connections: 3 };
    const before = (await rig.upstream.ask(shape)).events;
    const result = await sampleOf(rig, upstreamOf(rig), streamed, {
      durationMs: 10_000,
      callsMax: 6,
    });
    const { events } = await rig.upstream.ask(shape);
    assertEquals([result.calls, result.errors, events - before], [6, 0, 42], answer);
  }
});

Deno.test("load: counters in the request count up and start again", async () => {
  await using rig = await startRig();
  const seen: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    seen.push(request.headers.get("x-api-key") ?? "");
    return new Response("ok");
  });
  await rig.load.ask({
    ...{ port: server.addr.port, pid: Deno.pid, connections: 1, durationMs: 10_000, callsMax: 5 },
    request: "POST / HTTP/1.1\r\nhost: x\r\nx-api-key: sk-0000\r\ncontent-length: 0\r\n\r\n",
    counters: [{ text: "sk-0000", count: 3 }],
    ending: "ok",
  });
  assertEquals(seen, ["sk-0001", "sk-0002", "sk-0000", "sk-0001", "sk-0002"]);
});
