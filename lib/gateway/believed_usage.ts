import {
  answerBuckets,
  boundedCount,
  GatewayError,
  type JsonObject,
  type Part,
  promptBuckets,
  type TokenBucket,
  type Tool,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import { byteLengthOf, lengthOf } from "../json/mod.ts";
import type { CallRecord } from "./call_context.ts";
import type { SettledUsage } from "./settled_usage.ts";

/** The usage that a call is charged for, and the other measurement that was not charged. */
export interface BelievedUsage extends SettledUsage {
  /** The upstream's usage, if our own count is charged instead. */
  readonly statedUsage?: Usage;
  /** Our own count, if the upstream's implausible usage is charged. */
  readonly countedUsage?: Usage;
}

/**
 * Checks an upstream's usage against the bounds of its request. If the request holds everything
 * that is billed, a side beyond its bound is charged by our own count; otherwise the upstream's
 * usage is charged, and the row keeps our count too. `counted` counts request and answer.
 */
export function believedUsage(
  settled: SettledUsage,
  { decoded: asked, hold }: Pick<CallRecord, "decoded" | "hold">,
  counted: () => Usage,
): BelievedUsage {
  const { usage } = settled;
  const outputTokens = hold?.outputTokens; // the lowered limit that was sent, for each alternative
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
  const limit = outputTokens ?? asked.envelope.maxOutputTokens ?? plainAnswerTokens;
  return isSurelyWithin(asked, totalInputTokens(usage)) &&
    totalOutputTokens(usage) <= limit * answersOf(asked) &&
    hasPlainToolCalls(usage);
}

/** The answers that a call may have: its alternatives, of each of its samplings. */
function answersOf({ envelope: { alternatives }, samplings = 1 }: Decoded): number {
  return alternatives * samplings;
}

function hasPlainToolCalls({ hostedToolCalls }: Usage): boolean {
  for (const kind in hostedToolCalls) {
    if (!(hostedToolCalls[kind] <= plainHostedToolCalls)) return false;
  }
  return true;
}

const plainAnswerTokens = 100_000;
const plainHostedToolCalls = 20;

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

interface UsageBounds {
  readonly input: number;
  readonly output: number;
  readonly hostedToolCalls: number;
  /** True if request and answer contain everything that is billed, so that we can count it. */
  readonly isWhole: boolean;
}

/** The allowance for a vendor's own instructions, which its template adds to a prompt. */
const templateTokens = 4_096;
/** The largest context of any model, with a margin (2026-11: 2 million). */
const readAtOnceMax = 4_000_000;
/** The most steps of a call with hosted tools; every step reads their results again. */
const stepsMax = 10;
/** The longest answer of any model, with a margin. */
const writtenAtOnceMax = 1_000_000;
/** The allowance for end-of-answer tokens, which some vendors count. */
const endTokens = 16;
/** The maximum number of hosted tool calls that we believe. */
const hostedToolCallsMax = 100;

/** Returns true if the prompt's length alone proves that it can have so many tokens. */
function isSurelyWithin({ read }: Decoded, inputTokens: number): boolean {
  return inputTokens <= lengthOf(read) + templateTokens; // in UTF-8 a text has no fewer bytes
}

/** `outputTokens` is the output limit that was sent for each alternative, if any. */
function usageBoundsOf(asked: Decoded, outputTokens?: number): UsageBounds {
  const isWhole = isWholeInBody(asked);
  const { maxOutputTokens: stated } = asked.envelope;
  const limit = isWhole ? outputTokens ?? stated ?? writtenAtOnceMax : writtenAtOnceMax * stepsMax;
  return {
    input: byteLengthOf(asked.read) + templateTokens + (isWhole ? 0 : readAtOnceMax * stepsMax),
    output: (limit + endTokens) * answersOf(asked),
    hostedToolCalls: hostedToolCallsMax,
    isWhole,
  };
}

/** Members that make an upstream read, generate or run something that the body does not contain. */
const elsewhere = [
  "attachments",
  "audio",
  "best_of",
  "cachedContent",
  "cached_content",
  "container",
  "context_management",
  "conversation",
  "fallbacks",
  "mcp_servers",
  "modalities",
  "plugins",
  "previous_response_id",
  "prompt",
  "search_parameters",
  "tool_resources",
  "web_search_options",
] as const;

function isWholeInBody(asked: Decoded): boolean {
  if (asked.billsText !== undefined) return asked.billsText;
  const { body } = asked.wire;
  if (elsewhere.some((name) => isSaid(body, name))) return false;
  try {
    const { turns, tools, instructions } = asked.canonical();
    return tools.every(isCallersOwn) && areTexts(instructions) &&
      turns.every(({ parts }) => areTexts(parts));
  } catch (error) {
    if (error instanceof GatewayError) return false; // not decodable here, so not countable
    throw error;
  }
}

function isSaid(body: JsonObject, name: string): boolean {
  return body[name] !== undefined && body[name] !== null;
}

function isCallersOwn({ type }: Tool): boolean {
  return type === "function" || type === "custom";
}

function areTexts(parts: readonly Part[]): boolean {
  return parts.every((part) =>
    part.type === "tool-result" ? areTexts(part.parts) : textTypes.has(part.type)
  );
}

const textTypes: ReadonlySet<Part["type"]> = new Set(["text", "refusal", "reasoning", "tool-call"]);
