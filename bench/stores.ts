import { parseArgs } from "node:util";
import { describeMachine } from "./machine.ts";
import { type Rig, sampleOf, startRig, warmUp } from "./measure.ts";
import { latencyShapes, type Shape, standardShapes } from "./shapes.ts";
import { spreadOf } from "./statistics.ts";
import { type CommitTimes, timeCommits } from "./stores/commits.ts";
import { type StoreEngine, withEngines } from "./stores/engines.ts";
import { startBareProxy, startGateway, type Subject } from "./subjects.ts";
import { markdownTable } from "./table.ts";

/** An engine that is slower than this gets fewer calls. */
const fillSecondsMax = 60;
const inFlight = [1, 8, 32] as const;
const [whole32, whole256] = standardShapes;
const [latencyShape] = latencyShapes;

/** A gateway with the store that it has. */
interface Gateway {
  readonly engine: StoreEngine;
  readonly subject: Subject;
  calls: number;
}

interface Load {
  readonly callsPerSecond: number;
  /** CPU µs of a call. */
  readonly gateway: number;
  readonly database: number;
}

interface Plan {
  readonly parts: ReadonlySet<string>;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpCalls: number;
  /** Each store has the rows of so many calls when it is measured, if it can take them in time. */
  readonly rows: number;
  readonly idleSeconds: number;
}

/** The cells of a table's row: its name, and one for each engine. */
type Cells = readonly string[];

async function measureStores(plan: Plan): Promise<void> {
  console.log(await describeMachine("/tmp"));
  await using rig = await startRig();
  await withEngines(async (engines) => {
    const rows: Cells[] = [];
    const add = (more: readonly Cells[]) => {
      rows.push(...more);
      console.log(`\n${markdownTable(["", ...engines.map(({ name }) => name)], rows)}`);
    };
    if (plan.parts.has("commits")) add(await commits(engines, plan));
    await withGateways(engines, rig, plan, async (running) => {
      const shapes = plan.parts.has("load") ? [whole32, whole256] : [];
      for (const shape of shapes) add(await loads(rig, running.gateways, shape, plan));
      if (plan.parts.has("latency")) add(await latencies(rig, running, plan));
      if (plan.parts.has("rows")) add(await sizes(rig, running.gateways, plan));
    });
    if (plan.parts.has("idle")) add(await idle(engines, rig, plan.idleSeconds));
  });
}

async function commits(engines: readonly StoreEngine[], { seconds }: Plan): Promise<Cells[]> {
  const all: CommitTimes[][] = [];
  for (const engine of engines) all.push(await timeCommits(engine, inFlight, seconds));
  return inFlight.map((count, at) => [
    `commit, ${count} in flight: p50 / p99 ms (per s)`,
    ...all.map((times) => commitCell(times[at])),
  ]);
}

interface Running {
  readonly gateways: readonly Gateway[];
  readonly bare: Subject;
}

/** Runs warmed-up gateways, one for each engine, and the bare proxy during the work. */
async function withGateways(
  engines: readonly StoreEngine[],
  rig: Rig,
  { warmUpCalls }: Plan,
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const gateways: Gateway[] = [];
  for (const engine of engines) gateways.push(await gatewayOn(engine, rig));
  const bare = await startBareProxy(rig.upstreamPort);
  for (const gateway of gateways) {
    await load(rig, gateway, whole256, { calls: warmUpCalls, seconds: fillSecondsMax });
  }
  await warmUp(rig, bare, whole256, warmUpCalls);
  await work({ gateways, bare });
  await Promise.all([bare, ...gateways.map(({ subject }) => subject)].map((one) => one.stop()));
}

function commitCell({ p50, p99, perSecond }: CommitTimes): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} (${perSecond.toFixed(0)})`;
}

async function gatewayOn(
  engine: StoreEngine,
  { upstreamPort }: Rig,
  store: "gateway" | "idle" = "gateway",
): Promise<Gateway> {
  const subject = await startGateway({
    name: store,
    source: new URL("..", import.meta.url).pathname,
    folder: engine.folder,
    upstreamPort,
    env: engine.env(store),
  });
  return { engine, subject, calls: 0 };
}

async function load(
  rig: Rig,
  gateway: Gateway,
  shape: Shape,
  { calls, seconds }: { readonly calls?: number; readonly seconds: number },
) {
  const cpuBefore = gateway.engine.cpuMicros();
  const sample = await sampleOf(rig, gateway.subject, shape, {
    durationMs: seconds * 1_000,
    ...calls !== undefined && { callsMax: calls },
  });
  if (sample.errors > 0) throw new Error(`${gateway.engine.name}: ${sample.firstError}`);
  gateway.calls += sample.calls;
  const database = (gateway.engine.cpuMicros() - cpuBefore) / sample.calls;
  return { ...sample, gateway: sample.cpuPerUnit, database };
}

/** Loads the gateways in turn, in rounds. */
async function loads(
  rig: Rig,
  gateways: readonly Gateway[],
  shape: Shape,
  { rounds, seconds }: Plan,
): Promise<Cells[]> {
  const samples = new Map(gateways.map((gateway): [Gateway, Load[]] => [gateway, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [gateway, own] of samples) own.push(await load(rig, gateway, shape, { seconds }));
  }
  const median = (own: readonly Load[], of: keyof Load) =>
    spreadOf(own.map((sample) => sample[of])).median.toFixed(0);
  const all = [...samples.values()];
  const what = `${shape.connections} connections`;
  return [
    [`calls/s, ${what}`, ...all.map((own) => median(own, "callsPerSecond"))],
    [
      `CPU µs of a call, gateway + database, ${what}`,
      ...all.map((own) => `${median(own, "gateway")} + ${median(own, "database")}`),
    ],
  ];
}

/** The latency that each gateway adds to the bare proxy's at a constant rate, and its CPU time. */
async function latencies(
  rig: Rig,
  { gateways, bare }: Running,
  { rounds, seconds }: Plan,
): Promise<Cells[]> {
  const added: { p50: number[]; p99: number[]; gateway: number[]; database: number[] }[] = gateways
    .map(() => ({ p50: [], p99: [], gateway: [], database: [] }));
  const durationMs = seconds * 1_000;
  for (let round = 0; round < rounds; round++) {
    const { whole: floor } = await sampleOf(rig, bare, latencyShape, { durationMs });
    for (const [at, gateway] of gateways.entries()) {
      const sample = await load(rig, gateway, latencyShape, { seconds });
      added[at].p50.push(sample.whole.p50 - floor.p50);
      added[at].p99.push(sample.whole.p99 - floor.p99);
      added[at].gateway.push(sample.gateway);
      added[at].database.push(sample.database);
    }
  }
  const what = `${latencyShape.rate} calls/s`;
  return [
    [
      `added latency at ${what}: p50 / p99 ms`,
      ...added.map(({ p50, p99 }) =>
        `${spreadOf(p50).median.toFixed(2)} / ${spreadOf(p99).median.toFixed(1)}`
      ),
    ],
    [
      `CPU µs of a call, gateway + database, ${what}`,
      ...added.map(({ gateway, database }) =>
        `${spreadOf(gateway).median.toFixed(0)} + ${spreadOf(database).median.toFixed(0)}`
      ),
    ],
  ];
}

/** Longer than the compactor waits. */
const compactedMs = 35_000;

async function sizes(rig: Rig, gateways: readonly Gateway[], { rows }: Plan): Promise<Cells[]> {
  for (const gateway of gateways) {
    if (gateway.calls < rows) {
      await load(rig, gateway, whole256, {
        calls: rows - gateway.calls,
        seconds: fillSecondsMax,
      });
    }
  }
  await new Promise((resolve) => setTimeout(resolve, compactedMs));
  const cells = await Promise.all(gateways.map(async ({ engine, calls }) => {
    const bytes = await engine.bytes("gateway");
    return `${(bytes / calls).toFixed(0)} (${calls})`;
  }));
  return [["bytes on disk per call (calls)", ...cells]];
}

/** A new gateway does more in its first half minute. */
const settledMs = 30_000;

/** The statements of gateways without calls. */
async function idle(engines: readonly StoreEngine[], rig: Rig, seconds: number): Promise<Cells[]> {
  const gateways: Gateway[] = [];
  for (const engine of engines) gateways.push(await gatewayOn(engine, rig, "idle"));
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  const before = await Promise.all(engines.map((engine) => engine.statements()));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const after = await Promise.all(engines.map((engine) => engine.statements()));
  await Promise.all(gateways.map(({ subject }) => subject.stop()));
  const cells = after.map((count = NaN, at) => {
    const perMinute = (count - (before[at] ?? NaN)) * 60 / seconds;
    return Number.isNaN(perMinute) ? "-" : perMinute.toFixed(0);
  });
  return [["statements or requests of an idle gateway, per minute", ...cells]];
}

const options = {
  parts: { type: "string", default: "commits,load,latency,rows,idle" },
  rounds: { type: "string", default: "3" },
  seconds: { type: "string", default: "4" },
  "warm-up": { type: "string", default: "20000" },
  rows: { type: "string", default: "100000" },
  "idle-seconds": { type: "string", default: "60" },
} as const;

/**
 * `deno task bench:stores`: a file, denokv and PostgreSQL side by side. denokv and PostgreSQL are
 * left out where they are not installed.
 */
if (import.meta.main) {
  const { values } = parseArgs({ options });
  await measureStores({
    parts: new Set(values.parts.split(",")),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUpCalls: Number(values["warm-up"]),
    rows: Number(values.rows),
    idleSeconds: Number(values["idle-seconds"]),
  });
  Deno.exit(0);
}
