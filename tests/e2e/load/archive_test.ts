import { assert, assertEquals } from "@std/assert";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { archiveLog, openPlace } from "../../../lib/archive/mod.ts";
import { readLog } from "../../../lib/archive/read_log.ts";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { requestIdOf } from "../../store/log/row_arbitrary.ts";
import { sampleRow } from "../../store/samples.ts";
import { removeFolder } from "../../store/temp_store.ts";

/** The figures of an archive: its speed, its memory, and the bytes of a call. */

const calls = Number(Deno.env.get("ARCHIVE_CALLS") ?? 60_000);
const dayMs = 86_400_000;
/** A file's rows, not the log's: 60,000 rows alone take more. */
const heapGrowthMax = 64 * 1024 * 1024;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;

Deno.test(`archive: ${calls} calls of a day in bounded memory`, async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tessera.db`;
  const store = await openStore({ location: { type: "file", path }, logRetentionMs: Infinity });
  for (let n = 0; n < calls; n += 5_000) {
    await leaveRows(store, Array.from({ length: 5_000 }, (_, at) => callOf(n + at)));
    await compactRows(store);
  }
  const place = openPlace({ type: "folder", path: `${folder}/archive` });
  const memory = new Peak();
  const run = await timed(() => archiveLog({ store, place, keepDays: 1, nowMs: Date.now() }));
  const { rows = 0, bytes = 0, files } = run.result ?? {};
  assertEquals(rows, calls);
  console.log(
    `archived ${rows} calls in ${files} files: ${perSecond(run.ms)} calls/s, ${
      (bytes / rows).toFixed(1)
    } bytes a call, ${memory.text()}`,
  );
  const read = await timed(async () => {
    let count = 0;
    for await (const batch of readLog({ store, place })) count += batch.length;
    return count;
  });
  assertEquals(read.result, calls);
  console.log(`read them: ${perSecond(read.ms)} calls/s, ${memory.text()}`);
  assert(memory.stop() < heapGrowthMax);
  store.close();
  await removeFolder(folder);
});

function callOf(n: number) {
  const atMs = todayMs - 2 * dayMs + Math.floor(n * (dayMs / calls));
  return sampleRow(n, {
    ...{ id: requestIdOf(atMs, n), atMs, upstreamId: "acme", upstreamModel: "acme-large" },
    ...{ keyId: `key_${n % 50}`, keyName: `key ${n % 50}`, model: `model-${n % 7}` },
    ...{ durationMs: n % 9_000, firstByteMs: n % 700, ip: `10.0.${n % 256}.7` },
    ...{ usageSource: "upstream", userAgent: "openai-python/1.99", costNanoUsd: BigInt(n * 991) },
    usage: { ...noUsage, inputTokens: n % 5_000, outputTokens: n % 900 },
    costLines: [
      { bucket: "input", quantity: n % 5_000, nanoUsd: BigInt(n * 700) },
      { bucket: "output", quantity: n % 900, nanoUsd: BigInt(n * 291) },
    ],
  });
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Memory without what can be collected. */
function memoryInUse(): Deno.MemoryUsage {
  collectGarbage();
  return Deno.memoryUsage();
}

/** The highest memory that was in use since the start, sampled while it works. */
class Peak {
  readonly #start = memoryInUse();
  #heap = 0;
  #rss = 0;
  readonly #timer = setInterval(() => this.#note(), 2_000);

  #note(): void {
    const { heapUsed, external, rss } = memoryInUse();
    this.#heap = Math.max(
      this.#heap,
      heapUsed + external - this.#start.heapUsed - this.#start.external,
    );
    this.#rss = Math.max(this.#rss, rss - this.#start.rss);
  }

  text(): string {
    return `${mebibytes(this.#heap)} MiB of live heap and ${
      mebibytes(this.#rss)
    } MiB of memory more at the peak`;
  }

  stop(): number {
    clearInterval(this.#timer);
    return this.#heap;
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function perSecond(ms: number): number {
  return Math.round(calls / ms * 1_000);
}

async function timed<Result>(act: () => Promise<Result>) {
  const startedAt = performance.now();
  const result = await act();
  return { result, ms: performance.now() - startedAt };
}
