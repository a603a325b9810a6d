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

/** The usage that a call is charged for, and beside it the number that was not charged. */
interface BelievedUsage extends SettledUsage {
  /** The upstream's own, where the counted one is charged instead. */
  readonly statedUsage?: Usage;
  /** The counted one, where the upstream's is charged although it is hardly true. */
  readonly countedUsage?: Usage;
}

interface Judged {
  readonly asked?: Decoded;
  /** The limit of each alternative that went out, where it was lowered. */
  readonly outputTokens?: number;
  /** Counts request and answer. */
  readonly counted: () => Usage;
}

/**
 * Judges the usage that an upstream states by what the request allows. Where the request holds all
 * that is billed, each side beyond it is charged as it is counted here; else the upstream is
 * believed, and the row keeps the counted usage too.
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

/** Samplings are charged one by one: they must not bring back the tokens that are not believed. */
function withoutSamplings(usage: Usage, beyond: Beyond): Usage {
  if (!beyond.input && !beyond.output) return usage;
  const { samplings: _, ...summed } = usage;
  return summed;
}

/** Nearly every usage is far below what its request allows, which costs nothing to see. */
function isPlain(usage: Usage, asked: Decoded, outputTokens?: number): boolean {
  const { maxOutputTokens, alternatives } = asked.envelope;
  const limit = outputTokens ?? maxOutputTokens ?? plainAnswerTokens;
  return isSurelyWithin(asked, totalInputTokens(usage)) &&
    totalOutputTokens(usage) <= limit * alternatives &&
    Object.values(usage.hostedToolCalls).every((calls) => calls <= plainHostedToolCalls);
}

const plainAnswerTokens = 100_000;
const plainHostedToolCalls = 20;

/** Which parts of a usage its request does not allow. */
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
