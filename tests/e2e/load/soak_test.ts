import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { listAllowances } from "../../../lib/store/money/mod.ts";
import { startFaultUpstream } from "../faults/fault_upstream.ts";
import { faults } from "../faults/faults.ts";
import { faultyConfig, modelFor, postTo } from "../faults/faulty_gateway.ts";
import { properly } from "../faults/injections.ts";
import { withStoreFolder } from "../money/place.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { later, until } from "../../waiting.ts";
import { median, type ProcessSample, sampleProcess } from "./process_sample.ts";
import { bodySizes } from "./sized_body.ts";

/**
 * A gateway under steady load for long: every format as the caller's and the upstream's, whole and
 * streamed, small and large requests, upstreams with faults and callers that leave. Memory and
 * descriptors stay as they are, and each call is in the log once. SOAK_MINUTES is the time.
 */

const loadMs = Number(Deno.env.get("SOAK_MINUTES") ?? 0.5) * 60_000;
const callers = 16;
const samples = 60;
/** The share of callers that leave, and the time within which they do. */
const [leavingShare, leavingWithinMs] = [0.15, 400];
/** The share of calls whose upstream has no fault. */
const properShare = 0.6;
const mebibyte = 1024 * 1024;
/** The growth from the second quarter of the time to the last that a noisy heap may show; a short run still warms up. */
const grownMax = { ratio: 1.1, bytes: 256 * mebibyte };
/** The least share of calls whose answers are read to the end: the others leave, or meet a fault. */
const readShareMin = 0.5;
/** Pooled connections to upstreams and of the sampling itself. */
const descriptorsMore = 24;
/** The share of requests of 1 MB. */
const heavyShare = 0.005;
/** The longest time between two calls of a caller. */
const restsMs = 150;

const light = faults.filter(({ isHeavy }) => !isHeavy);
const proper = light.filter(({ whole, streamed, timeouts }) =>
  whole.type === "completes" && streamed.type === "completes" && timeouts === undefined
);

/** The callers' side of the run. */
interface Seen {
  begun: number;
  left: number;
  /** The ids of the answers that were read to their end. */
  readonly read: string[];
  /** Answers without an id. */
  nameless: number;
}

Deno.test(`${loadMs / 60_000} minutes of faults and leaving callers: memory and descriptors stay, nothing is lost`, () =>
  withStoreFolder(async (folder) => {
    await using upstream = startFaultUpstream([...faults, { name: "healthy", inject: properly }]);
    const server = await startServer(folder, {
      config: faultyConfig(upstream, { withSecond: true }),
    });
    const seen: Seen = { begun: 0, left: 0, read: [], nameless: 0 };
    try {
      const taken = await underLoad(server, `${folder}/tessera.db`, seen);
      print(taken, seen);
      await assertSteady(server, taken);
    } finally {
      assertEquals(await server.stop(), 0);
    }
    await assertNothingLost(`${folder}/tessera.db`, seen);
  }));

/** A sample, and the number of calls until then. */
type CountedSample = ProcessSample & { readonly calls: number };

/** Samples taken at even intervals. */
type Taken = readonly CountedSample[];

async function underLoad(server: ServerProcess, storePath: string, seen: Seen): Promise<Taken> {
  const stop = new AbortController();
  const calling = Array.from({ length: callers }, () => callUntil(server.base, seen, stop.signal));
  const taken: CountedSample[] = [];
  const startedAt = performance.now();
  for (let at = 1; at <= samples; at++) {
    await later(startedAt + at * loadMs / samples - performance.now());
    taken.push({ ...await sampleProcess(server.process.pid, storePath), calls: seen.begun });
  }
  stop.abort();
  await Promise.all(calling);
  return taken;
}

async function callUntil(base: string, seen: Seen, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const leaves = Math.random() < leavingShare;
    await later(Math.random() * restsMs);
    seen.begun++;
    try {
      const id = await callOnce(base, leaves);
      if (id === null) seen.nameless++;
      else seen.read.push(id);
    } catch (error) {
      if (!leaves && !isBroken(error)) throw error;
      if (leaves) seen.left++;
    }
  }
}

/** Reads an answer to its end; returns the call's id. */
async function callOnce(base: string, leaves: boolean): Promise<string | null> {
  const fault = anyOf(Math.random() < properShare ? proper : light);
  const [caller, format] = [anyOf(formatNames), anyOf(formatNames)];
  const stream = Math.random() < 0.5;
  const bytes = Math.random() < heavyShare
    ? bodySizes[2].bytes
    : anyOf(bodySizes.slice(0, 2)).bytes;
  const model = modelFor(fault, format, `${caller}.${stream ? "streamed" : "whole"}`);
  const init = leaves && { signal: AbortSignal.timeout(Math.random() * leavingWithinMs) };
  const response = await postTo({ base }, caller, { model, stream, bytes, ...init && { init } });
  await response.body?.pipeTo(new WritableStream());
  return response.headers.get("x-request-id");
}

/** A stream that broke in the middle is cut off at the caller's side too. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && /body|connection/.test(error.message);
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)];
}

async function assertSteady(server: ServerProcess, taken: Taken): Promise<void> {
  const quarter = samples / 4;
  const early = median(taken.slice(quarter, 2 * quarter).map(({ resident }) => resident));
  const late = median(taken.slice(-quarter).map(({ resident }) => resident));
  assert(late <= early * grownMax.ratio + grownMax.bytes, `memory grew from ${early} to ${late}`);
  const most = Math.max(...taken.map(({ descriptors }) => descriptors));
  const descriptors = async () => (await sampleProcess(server.process.pid, "")).descriptors;
  const atRest = descriptorsAtRest + descriptorsMore;
  await until(async () => await descriptors() <= atRest, `${most} descriptors stay open`, restMs);
}

/** A gateway that has served one call and rests holds so many. */
const descriptorsAtRest = 40;
/** Idle connections of the pool are closed after 90 s. */
const restMs = 120_000;

async function assertNothingLost(
  path: string,
  { begun, read, nameless }: Seen,
): Promise<void> {
  assertEquals(nameless, 0, "answers without an id");
  assert(read.length >= begun * readShareMin, `${read.length} answers of ${begun} calls`);
  const store = await openStore({ location: { type: "file", path } });
  try {
    const ids = new Set<string>();
    for await (const { id } of allRows(store)) {
      assert(!ids.has(id), `${id} is there twice`);
      ids.add(id);
    }
    assertEquals(read.filter((id) => !ids.has(id)), []);
    assert(ids.size >= read.length && ids.size <= begun, `${ids.size} calls of ${begun}`);
    assertEquals((await auditStore(store)).differences, []);
    for (const { id, allotted, spent } of await listAllowances(store)) {
      if (id.startsWith("budget")) assertEquals([id, allotted], [id, spent]);
    }
  } finally {
    store.close();
  }
}

function print(taken: Taken, { begun, left, read }: Seen): void {
  console.log(`${begun} calls, ${left} left, ${read.length} answers read`);
  for (const sample of taken.filter((_, at) => at % 6 === 5)) {
    const { calls, resident, descriptors, stored } = sample;
    console.log(
      `${calls} calls: ${
        Math.round(resident / mebibyte)
      } MiB resident, ${descriptors} descriptors, ` +
        `${Math.round(stored / calls)} bytes a call`,
    );
  }
}
