import { assertEquals } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { CallLog } from "../../lib/telemetry/mod.ts";
import { sampleRow } from "../store/samples.ts";

Deno.test("call log: a line for each call, with what it cost", async () => {
  const { log, lines } = openLog();
  log.add(sampleRow(1, {
    atMs: Date.UTC(2026, 10, 21),
    upstreamId: "second",
    upstreamModel: "m-1",
    upstreamFormat: "messages",
    usage: { ...noUsage, inputTokens: 7, cacheReadTokens: 5, outputTokens: 2 },
    costNanoUsd: 1_500_000n,
    firstByteMs: 3,
    userAgent: "curl",
    ip: "192.0.2.1",
    attempts: [
      {
        upstreamId: "first",
        upstreamModel: "m-1",
        startedAfterMs: 0,
        durationMs: 4,
        status: 500,
        outcome: "upstream_error",
        errorCode: "upstream_error",
        errorMessage: "words of the upstream",
      },
    ],
  }));
  await log.close();
  assertEquals(lines(), [{
    type: "call",
    at: "2026-11-21T00:00:00.000Z",
    id: "req_00000001",
    accountId: "owner",
    groupId: "default",
    keyId: "key_1",
    keyName: "one",
    operation: "generate",
    format: "messages",
    model: "m",
    upstream: "second",
    upstreamFormat: "messages",
    upstreamModel: "m-1",
    stream: false,
    status: 200,
    outcome: "completed",
    inputTokens: 12,
    cacheReadTokens: 5,
    outputTokens: 2,
    costUsd: 0.0015,
    firstByteMs: 3,
    durationMs: 1,
    attempts: [
      {
        upstream: "first",
        status: 500,
        outcome: "upstream_error",
        errorCode: "upstream_error",
        durationMs: 4,
      },
    ],
  }]);
});

Deno.test("call log: a model name with a line break stays on its line", async () => {
  const { log, lines } = openLog();
  log.add(sampleRow(1, { model: 'm\n{"type":"call"}' }));
  await log.close();
  assertEquals(lines().map(({ model }) => model), ['m\n{"type":"call"}']);
});

Deno.test("call log: calls of a tenth of a second are written together, in order", async () => {
  const { log, lines, writes } = openLog();
  for (let n = 0; n < 150; n++) log.add(sampleRow(n));
  await log.close();
  assertEquals(lines().map(({ id }) => id), Array.from({ length: 150 }, (_, n) => sampleRow(n).id));
  assertEquals(writes(), 1);
});

Deno.test("call log: a reader that does not read costs no memory, and learns how many calls it missed", async () => {
  const gate = Promise.withResolvers<void>();
  const { log, lines } = openLog(() => gate.promise);
  for (let n = 0; n < 12_000; n++) log.add(sampleRow(n));
  setTimeout(gate.resolve, 150);
  await log.close();
  const { calls, missed } = Object.groupBy(
    lines(),
    ({ type }) => type === "call" ? "calls" : "missed",
  );
  assertEquals(calls?.length, 10_000);
  assertEquals(missed, [{ type: "dropped", calls: 2_000 }]);
});

Deno.test("call log: a reader that never reads delays the stop by a second at most", async () => {
  const { promise } = Promise.withResolvers<void>();
  const log = new CallLog(() => promise);
  log.add(sampleRow(1));
  const startedAt = performance.now();
  await log.close();
  assertEquals(performance.now() - startedAt < 1_500, true);
});

Deno.test("call log: it ends with a line to the operator if nobody reads any more", async () => {
  const said: string[] = [];
  const { error } = console;
  console.error = (line: string) => said.push(line);
  try {
    const log = new CallLog(() => Promise.reject(new Deno.errors.BrokenPipe("gone")));
    log.add(sampleRow(1));
    await log.close();
    log.add(sampleRow(2));
  } finally {
    console.error = error;
  }
  assertEquals(said.map((line) => JSON.parse(line).reason), ["gone"]);
});

interface Line {
  readonly [field: string]: unknown;
}

function openLog(wait: () => Promise<void> = () => Promise.resolve()) {
  const written: string[] = [];
  const log = new CallLog(async (bytes) => {
    await wait();
    written.push(new TextDecoder().decode(bytes));
  });
  return {
    log,
    lines: (): Line[] => written.join("").split("\n").slice(0, -1).map((line) => JSON.parse(line)),
    writes: () => written.length,
  };
}
