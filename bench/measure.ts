import { freePort, Worker } from "./processes.ts";
import type { LoadOrder, LoadResult } from "./processes/load.ts";
import type { UpstreamCounts, UpstreamOrder } from "./processes/upstream.ts";
import { requestOf } from "./requests.ts";
import { type Shape, unitOf } from "./shapes.ts";
import type { Subject } from "./subjects.ts";

/** The two processes around the subjects. */
export interface Rig {
  readonly load: Worker<LoadOrder, LoadResult>;
  readonly upstream: Worker<UpstreamOrder, UpstreamCounts>;
  readonly upstreamPort: number;
}

export async function startRig(): Promise<Rig & AsyncDisposable> {
  const upstreamPort = freePort();
  const load = await Worker.start<LoadOrder, LoadResult>("load.ts");
  const upstream = await Worker.start<UpstreamOrder, UpstreamCounts>(
    "upstream.ts",
    `${upstreamPort}`,
  );
  const stop = async () => void await Promise.all([load.stop(), upstream.stop()]);
  return { load, upstream, upstreamPort, [Symbol.asyncDispose]: stop };
}

/** One measurement of one subject. */
export interface Sample extends LoadResult {
  /** CPU time of all threads per call, or per event of a stream, in microseconds. */
  readonly cpuPerUnit: number;
  readonly callsPerSecond: number;
}

export interface ShapeResult {
  readonly shape: Shape;
  /** The load average when the last round ended. */
  readonly loadAverage: number;
  /** One sample per round, by subject. */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
}

export interface RoundOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Whole calls before the first round of a shape; of a streamed shape, a fifth of them. */
  readonly shapeWarmUp: number;
}

type LoadOptions =
  & Pick<LoadOrder, "durationMs">
  & Partial<Pick<LoadOrder, "request" | "counters" | "callsMax">>;

/** Loads one subject with one shape. */
export async function sampleOf(
  { load, upstream }: Rig,
  subject: Subject,
  shape: Shape,
  options: LoadOptions,
): Promise<Sample> {
  await upstream.ask(shape);
  const { pid, port, headers } = subject;
  const { connections, rate } = shape;
  const result = await load.ask({
    ...{ ...requestOf(shape, { headers }), pid, port, connections },
    ...rate !== undefined && { rate },
    ...options,
  });
  const units = result.calls * (unitOf(shape) === "event" ? shape.events : 1);
  return {
    ...result,
    cpuPerUnit: result.cpuMicros / units,
    callsPerSecond: result.calls * 1_000 / result.durationMs,
  };
}

const warmUpShape = { connections: 64 };
const warmUpMsMax = 3_600_000;

/** Makes this many calls before a process counts: the runtime optimizes its code for minutes. */
export async function warmUp(rig: Rig, subject: Subject, shape: Shape, calls: number) {
  const isPaced = shape.answer === "paced";
  const { rate: _, ...closed } = shape;
  return await sampleOf(rig, subject, isPaced ? closed : { ...closed, ...warmUpShape }, {
    durationMs: isPaced ? 1_000 : warmUpMsMax,
    callsMax: calls,
  });
}

/** Measures a shape in rounds. Subjects alternate, so that noise affects all alike. */
export async function measure(
  rig: Rig,
  subjects: readonly Subject[],
  shape: Shape,
  { rounds, seconds, shapeWarmUp }: RoundOptions,
): Promise<ShapeResult> {
  const samples = Object.fromEntries(subjects.map(({ name }): [string, Sample[]] => [name, []]));
  const warmUpCalls = shape.answer === "whole" ? shapeWarmUp : shapeWarmUp / 5;
  for (const subject of subjects) await warmUp(rig, subject, shape, warmUpCalls);
  for (let round = 0; round < rounds; round++) {
    for (const subject of rotated(subjects, round)) {
      const sample = await sampleOf(rig, subject, shape, { durationMs: seconds * 1_000 });
      samples[subject.name]?.push(sample);
    }
  }
  return { shape, loadAverage: Deno.loadavg()[0], samples };
}

/** Each round starts with another subject. */
function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
