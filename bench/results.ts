import type { ShapeResult } from "./measure.ts";
import type { Times } from "./processes/load.ts";

/** The machine and the state of it, which absolute figures depend on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly deno: string;
  readonly startedAt: string;
  readonly loadAverage: number;
  /** The time to write 4 KB to the data folder's disk durably. */
  readonly flushMs: Times;
}

/** A measurement after so many units of growth: keys, models, calls, bytes or events. */
export interface GrowthPoint {
  readonly size: number;
  /** CPU time per call in microseconds, by subject. */
  readonly cpuPerCall: Readonly<Record<string, number>>;
  readonly residentMb: Readonly<Record<string, number>>;
}

export interface Growth {
  readonly name: string;
  /** The quantity that grows, with its unit. */
  readonly axis: string;
  readonly points: readonly GrowthPoint[];
}

/** Everything that a run of the bench writes to its JSON file. */
export interface Results {
  readonly machine: Machine;
  /** Measured with few calls of warm-up: good for development only. */
  readonly quick: boolean;
  readonly warmUpCalls: number;
  /** The same shapes, each time with new processes. */
  readonly runs: readonly (readonly ShapeResult[])[];
  readonly latency: readonly ShapeResult[];
  readonly parallel: readonly ShapeResult[];
  readonly growth: readonly Growth[];
}
