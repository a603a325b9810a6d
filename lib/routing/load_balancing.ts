import { hash } from "node:crypto";
import type { Observed } from "./observation.ts";

/** Sorting by u^(1/w) draws without replacement in proportion to the weights (Efraimidis and Spirakis, 2006). */
export function weightedDraw(weight: number, fraction: number): number {
  return weight > 0 ? fraction ** (1 / weight) : -1;
}

/**
 * A function from names to numbers in [0, 1), which are the same for every turn of a conversation.
 */
export function fractionsOf(conversation: string): (name: string) => number {
  const digest = hash("sha256", conversation, "hex");
  const high = Number.parseInt(digest.slice(0, 8), 16);
  const low = Number.parseInt(digest.slice(8, 16), 16);
  return (name) => (mixed(name, high) * 2 ** 21 + (mixed(name, low) >>> 11)) / 2 ** 53;
}

/** 32 bits of a text and a seed, well mixed (FNV-1a with the finish of MurmurHash3). */
function mixed(text: string, seed: number): number {
  let bits = seed;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The minimum share of its weight that an upstream keeps, so that a recovery is noticed. */
const factorMin = 0.1;

/** Smaller differences in latency hardly matter. */
const latencyGrainMs = 100;

/**
 * The factor that lowers an upstream's weight: the success share squared, times the square root of
 * its latency against its fastest peer's. Four times the latency halves it.
 */
export function observedFactor({ firstByteMs, errorShare }: Observed, fastestMs: number): number {
  const answering = (1 - errorShare) ** 2;
  const ratio = firstByteMs === undefined
    ? 1
    : (fastestMs + latencyGrainMs) / (firstByteMs + latencyGrainMs);
  return Math.max(factorMin, answering * Math.sqrt(Math.min(1, ratio)));
}

/** A conversation keeps its upstream, and so its prompt cache, down to this factor. */
const steadyMin = 0.5;

export function steadyFactor(factor: number): number {
  return factor >= steadyMin ? 1 : factorMin;
}
