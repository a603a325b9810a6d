import {
  answerBuckets,
  boundedCount,
  promptBuckets,
  type TokenBucket,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import type { SettledUsage } from "./settled_usage.ts";
import { isSurelyWithin, type UsageBounds, usageBoundsOf } from "./usage_bounds.ts";

/** The usage that a call is charged for, and the other measurement that was not charged. */
export interface BelievedUsage extends SettledUsage {
  /** The upstream's usage, if our own count is charged instead. */
  readonly statedUsage?: Usage;
  /** Our own count, if the upstream's implausible usage is charged. */
  readonly countedUsage?: Usage;
}

interface Judged {
  readonly asked?: Decoded;
  /** The lowered output limit that was sent, for each alternative. */
  readonly outputTokens?: number;
  /** Counts request and answer. */
  readonly counted: () => Usage;
}

/**
 * Checks an upstream's usage against the bounds of its request. If the request holds everything
 * that is billed, a side beyond its bound is charged by our own count; otherwise the upstream's
 * usage is charged, and the row keeps our count too.
 */
export function believedUsage(
  settled: SettledUsage,
  { asked, outputTokens, counted }: Judged,
): BelievedUsage {
  const { usage } = settled;
  if (!usage || !asked || isPlain(usage, asked, outputTokens)) return settled;
  const bounds = usageBoundsOf(asked, outputTokens);
  const beyond = beyondOf(usage, bounds);
  if (!beyond.input && !beyond.output && !beyond.hostedToolCalls) return settled;
  const own = counted();
  if (!bounds.isWhole) return { ...settled, countedUsage: own };
  return {
    usage: {
      ...withoutSamplings(usage, beyond),
      ...(beyond.input && countsOf(own, promptBuckets)),
      ...(beyond.output && countsOf(own, answerBuckets)),
      ...(beyond.hostedToolCalls && { hostedToolCalls: {} }),
    },
    usageSource: "counted",
    statedUsage: usage,
  };
}

/** Drops the samplings: they are charged one by one and would bring the rejected tokens back. */
function withoutSamplings(usage: Usage, beyond: Beyond): Usage {
  if (!beyond.input && !beyond.output) return usage;
  const { samplings: _, ...summed } = usage;
  return summed;
}

/** Returns true if the usage is far below its bounds, as nearly every usage is: a cheap check. */
function isPlain(usage: Usage, asked: Decoded, outputTokens?: number): boolean {
  const { maxOutputTokens, alternatives } = asked.envelope;
  const limit = outputTokens ?? maxOutputTokens ?? plainAnswerTokens;
  return isSurelyWithin(asked, totalInputTokens(usage)) &&
    totalOutputTokens(usage) <= limit * alternatives &&
    hasPlainToolCalls(usage);
}

function hasPlainToolCalls({ hostedToolCalls }: Usage): boolean {
  for (const kind in hostedToolCalls) {
    if (!(hostedToolCalls[kind] <= plainHostedToolCalls)) return false;
  }
  return true;
}

const plainAnswerTokens = 100_000;
const plainHostedToolCalls = 20;

/** The parts of a usage that exceed the bounds of its request. */
interface Beyond {
  readonly input: boolean;
  readonly output: boolean;
  readonly hostedToolCalls: boolean;
}

function beyondOf(usage: Usage, bounds: UsageBounds): Beyond {
  return {
    input: totalInputTokens(usage) > bounds.input,
    output: totalOutputTokens(usage) > bounds.output,
    hostedToolCalls: Object.values(usage.hostedToolCalls).some((calls) =>
      boundedCount(calls) > bounds.hostedToolCalls
    ),
  };
}

function countsOf(usage: Usage, buckets: readonly TokenBucket[]): Partial<Usage> {
  return Object.fromEntries(buckets.map((bucket) => [bucket, usage[bucket]]));
}
