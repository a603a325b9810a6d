import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { until } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { callSlowly, sizeAt, slowConfig } from "./slow_calls.ts";
import { type SlowUpstream, startSlowUpstream } from "./slow_upstream.ts";

/** A server that receives SIGTERM while streams are open. */

const streams = 50;
const endingInTime = 20;
const everyMs = 100;
/** Bodies of 1 MB on a busy machine. */
const openMsMax = 30_000;
const stopGraceMs = 2_000;
/** The grace period, and the time to interrupt and settle the remaining streams. */
const stoppedMsMax = stopGraceMs + 8_000;

for (const isolates of [undefined, 2]) {
  const how = isolates === undefined
    ? "deno task start"
    : `deno serve --parallel, ${isolates} isolates`;

  Deno.test(`SIGTERM with ${streams} streams open, ${how}: some end, the others get an error, all are settled`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startSlowUpstream(everyMs);
      const server = await startServer(folder, { config: configFor(upstream), isolates });
      const calls = Array.from(
        { length: streams },
        (_, at) => callSlowly(server.base, at, sizeAt(at)),
      );
      for (const call of calls) call.catch(() => {}); // seen when all are waited for
      await open(upstream, streams);
      const startedAt = performance.now();
      const stopping = server.stop();
      await refused(server);
      upstream.finishSome(endingInTime);
      await open(upstream, streams - endingInTime);
      const judged = await Promise.all(calls);
      assertEquals(await stopping, 0);
      const tookMs = performance.now() - startedAt;
      const rows = await rowsOf(folder);
      console.log(`${how}: stopped after ${tookMs.toFixed(0)} ms`);
      assertEquals(judged.flatMap(({ problems }) => problems), []);
      assertEquals(counted(judged.map(({ type }) => type)), {
        completes: endingInTime,
        breaks: streams - endingInTime,
      });
      assertEquals(counted(rows.map(({ errorCode }) => errorCode ?? "none")), {
        none: endingInTime,
        shutting_down: streams - endingInTime,
      });
      assert(rows.every(({ usage, costNanoUsd }) => usage && costNanoUsd), "a call is not charged");
      assert(tookMs >= stopGraceMs - everyMs && tookMs < stoppedMsMax, `${tookMs} ms`);
    }));
}

function configFor(upstream: SlowUpstream) {
  const { upstreams } = slowConfig(upstream);
  return {
    upstreams,
    models: upstreams.flatMap(({ models }) =>
      models.map((id) => ({ id, price: { input: 1, output: 2 } }))
    ),
    keys: [{
      name: "test",
      group: "default",
      value: testKey,
      budget: { usd: 10, period: "total" },
      limits: { concurrency: 4 * streams }, // a busy isolate gives places back late
    }],
    limits: { stopGraceMs },
  };
}

/** Waits until this many streams are open. */
async function open(upstream: SlowUpstream, count: number): Promise<void> {
  await until(() => upstream.open() === count, `there are not ${count} streams open`, openMsMax);
}

/** Waits until new requests are refused: the connection, or by an error in the called format. */
async function refused({ base }: ServerProcess): Promise<void> {
  const headers = { authorization: `Bearer ${testKey}` };
  let code: unknown;
  await until(async () => {
    const answer = await fetch(`${base}/v1/models`, { headers }).catch(() => undefined);
    const body = await answer?.json().catch(() => undefined);
    code = body?.error?.code;
    return !answer?.ok;
  }, "the server goes on as if it had not been told to stop");
  assert(code === undefined || code === "shutting_down", `the refusal says ${code}`);
}

async function rowsOf(folder: string): Promise<readonly RequestLogRow[]> {
  const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
  try {
    const audit = await auditStore(store);
    assertEquals([audit.ok, audit.calls, audit.differences], [true, streams, []]);
    return (await listRequestLogs(store, { limit: streams * 2 })).rows;
  } finally {
    store.close();
  }
}

function counted(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]),
  );
}
