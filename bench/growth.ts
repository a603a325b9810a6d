import { type Rig, sampleOf } from "./measure.ts";
import type { Options } from "./options.ts";
import { residentBytesOf } from "./process_tree.ts";
import type { LoadOrder } from "./processes/load.ts";
import { type Names, requestOf } from "./requests.ts";
import type { Growth, GrowthPoint } from "./results.ts";
import { type SessionOptions, withSession } from "./session.ts";
import { type Shape, standardShapes } from "./shapes.ts";
import type { Subject } from "./subjects.ts";

const [whole] = standardShapes;
const burst = standardShapes.find(({ name }) => name === "burst") ?? whole;

/** One size of the quantity that grows. */
interface Step extends Names {
  readonly size: number;
  readonly shape: Shape;
  /** Keys and models to start new gateways with; undefined keeps those of the step before. */
  readonly session?: Pick<SessionOptions, "keys" | "models">;
  readonly counters?: LoadOrder["counters"];
}

interface Plan {
  readonly axis: string;
  readonly steps: (quick: boolean) => readonly Step[];
}

const plans: Readonly<Record<string, Plan>> = {
  keys: {
    axis: "API keys, used in turn",
    steps: (quick) =>
      powersOfTen(10, quick ? 1_000 : 100_000).map((size) => ({
        size,
        shape: whole,
        key: numbered("sk-bench-many-", 0),
        counters: [{ text: numbered("sk-bench-many-", 0), count: size }],
        session: { keys: keysOf(size) },
      })),
  },
  models: {
    axis: "models, used in turn",
    steps: (quick) =>
      powersOfTen(10, quick ? 1_000 : 10_000).map((size) => ({
        size,
        shape: whole,
        model: numbered("many-", 0),
        counters: [{ text: numbered("many-", 0), count: size }],
        session: { models: namesOf("many-", size) },
      })),
  },
  body: {
    axis: "bytes of the request's body",
    steps: (quick) =>
      powersOfTen(1_000, quick ? 100_000 : 10_000_000).map((size) => ({
        size,
        shape: { ...whole, bodyBytes: size, connections: size < 1_000_000 ? 32 : 4 },
      })),
  },
  events: {
    axis: "events of an answer, sent at once",
    steps: (quick) =>
      powersOfTen(10, quick ? 1_000 : 100_000).map((size) => ({
        size,
        shape: { ...burst, events: size, connections: size < 10_000 ? 32 : 4 },
      })),
  },
};

/** Measures the cost of a call at growing sizes. `rows` is the calls that one process has stored. */
export async function measureGrowth(name: string, options: Options): Promise<Growth> {
  if (name === "rows") return await measureRows(options);
  const plan = plans[name];
  if (!plan) throw new Error(`Unknown growth ${name}; known: rows,${Object.keys(plans)}`);
  const steps = plan.steps(options.quick);
  const points = steps[0]?.session
    ? await eachAlone(steps, options)
    : await withSession(options, (session) => eachInTurn(steps, session, options));
  return { name, axis: plan.axis, points };
}

async function eachAlone(steps: readonly Step[], options: Options): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  for (const step of steps) {
    const [point] = await withSession(
      { ...options, ...step.session },
      (session) => eachInTurn([step], session, options),
    );
    if (point) points.push(point);
  }
  return points;
}

async function eachInTurn(
  steps: readonly Step[],
  { rig, subjects }: { rig: Rig; subjects: readonly Subject[] },
  { rounds, seconds }: Options,
): Promise<GrowthPoint[]> {
  const points: GrowthPoint[] = [];
  for (const { size, shape, counters, key, model } of steps) {
    const { request } = requestOf(shape, { key, model });
    const load = { request, ...counters && { counters }, durationMs: seconds * 1_000 };
    for (const subject of subjects) await sampleOf(rig, subject, shape, load); // fills caches
    points.push(await pointOf({ size, rig, subjects, shape, load, rounds }));
    console.log(points.at(-1));
  }
  return points;
}

interface PointOptions {
  readonly size: number;
  readonly rig: Rig;
  readonly subjects: readonly Subject[];
  readonly shape: Shape;
  readonly load: Parameters<typeof sampleOf>[3];
  readonly rounds: number;
}

async function pointOf(
  { size, rig, subjects, shape, load, rounds }: PointOptions,
): Promise<GrowthPoint> {
  const cpuPerCall = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      const { cpuMicros, calls, errors, firstError } = await sampleOf(rig, subject, shape, load);
      if (errors > 0) throw new Error(`${subject.name}, size ${size}: ${firstError}`);
      const sum = (cpuPerCall.get(subject.name) ?? 0) + cpuMicros / calls / rounds;
      cpuPerCall.set(subject.name, sum);
    }
  }
  return { size, cpuPerCall: Object.fromEntries(cpuPerCall), residentMb: residentOf(subjects) };
}

function residentOf(subjects: readonly Subject[]): Record<string, number> {
  return Object.fromEntries(
    subjects.map(({ name, pid }) => [name, Math.round(residentBytesOf(pid) / 2 ** 20)]),
  );
}

const rowSteps = 20;

/** A million calls of one process, whose rows stay in its store. */
async function measureRows(options: Options): Promise<Growth> {
  const calls = options.quick ? 1_000 : 50_000;
  const points = await withSession(options, async ({ rig, subjects }) => {
    const points: GrowthPoint[] = [];
    for (let step = 1; step <= rowSteps; step++) {
      const load = { durationMs: 600_000, callsMax: calls };
      points.push(
        await pointOf({ size: step * calls, rig, subjects, shape: whole, load, rounds: 1 }),
      );
      console.log(points.at(-1));
    }
    return points;
  });
  return { name: "rows", axis: "calls of the process, each with a row in the log", points };
}

function powersOfTen(from: number, to: number): number[] {
  const sizes: number[] = [];
  for (let size = from; size <= to; size *= 10) sizes.push(size);
  return sizes;
}

function numbered(prefix: string, number: number): string {
  return prefix + `${number}`.padStart(9, "0");
}

function namesOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => numbered(prefix, number));
}

function keysOf(count: number) {
  return namesOf("sk-bench-many-", count).map((value) => ({ name: value, value }));
}
