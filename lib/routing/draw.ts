import { hash } from "node:crypto";
import type { Observed } from "./observation.ts";

/** Sorting by u^(1/w) draws without replacement in proportion to the weights (Efraimidis and Spirakis, 2006). */
export function weightedDraw(weight: number, fraction: number): number {
  return weight > 0 ? fraction ** (1 / weight) : -1;
}

/** A number in [0, 1) that depends on the text alone. */
export function fractionOf(text: string): number {
  return Number.parseInt(hash("sha256", text, "hex").slice(0, 12), 16) / 2 ** 48;
}

/** However badly it does, it is still tried now and then, or nobody would see that it does better. */
const factorMin = 0.1;

/** Differences of less than this hardly matter. */
const latencyGrainMs = 100;

/**
 * By what a weight is lowered: failures count twice, latency by its root against the fastest of its
 * peers, so that four times as slow is half as often.
 */
export function observedFactor({ firstByteMs, errorShare }: Observed, fastestMs: number): number {
  const answering = (1 - errorShare) ** 2;
  const ratio = firstByteMs === undefined
    ? 1
    : (fastestMs + latencyGrainMs) / (firstByteMs + latencyGrainMs);
  return Math.max(factorMin, answering * Math.sqrt(Math.min(1, ratio)));
}

/** A conversation keeps its upstream, with its prompt cache, while that does no worse than half as well as it could. */
const steadyMin = 0.5;

export function steadyFactor(factor: number): number {
  return factor >= steadyMin ? 1 : factorMin;
}
