import {
  type Delivered,
  noUsage,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import type { StreamResult } from "../http/stream/transcoder.ts";
import { lengthOf } from "../json/mod.ts";
import type { Steps } from "../pace.ts";
import {
  countTextTokens,
  estimatedInputTokens,
  estimatedTextTokens,
  measureRequest,
  measuringSteps,
  type RequestTokens,
  textTokenSteps,
} from "../tokens/mod.ts";

/** The usage that a call is charged for, and its source; `none` has no usage. */
export interface SettledUsage {
  readonly usage?: Usage;
  /** `counted` if any part of it was counted here. */
  readonly usageSource: "upstream" | "counted" | "none";
}

/**
 * The usage of an ended call: the upstream's own if it reports it, else prompt and answer counted
 * here by a tokenizer, each side separately. A call that was cut short before any content went out
 * used nothing, even if the upstream reports usage, unless its caller steered it. Loads the tokenizer
 * only to count, which takes time in proportion to the texts. Never throws.
 */
export function settledUsage(result: StreamResult, asked?: Decoded): SettledUsage {
  return certainUsage(result) ?? measuredUsage(countingOf(asked), result);
}

/** Texts and requests that are counted ahead of `settledUsage`. */
const texts = new WeakMap<Text, number>();
const inputs = new WeakMap<Decoded, RequestTokens>();
/** So many characters are counted in some milliseconds. */
const shortChars = 64 * 1024;

/** Counts in steps what `settledUsage` counts; undefined if it counts nothing long. */
export function countingSteps(result: StreamResult, asked?: Decoded): Steps<void> | undefined {
  const chars = (result.delivered?.chars ?? 0) + (asked ? lengthOf(asked.read) : 0);
  return chars < shortChars || certainUsage(result) ? undefined : counting(result, asked);
}

function* counting({ usage = noUsage, delivered }: StreamResult, asked?: Decoded): Steps<void> {
  for (const text of delivered ? [delivered.answer, delivered.reasoning] : []) {
    texts.set(text, yield* textTokenSteps(text.text()));
  }
  if (!asked || statesInput(usage)) return;
  try {
    inputs.set(asked, yield* measuringSteps(asked.canonical()));
  } catch {
    return; // it is estimated
  }
}

/**
 * The usage of a call in flight, as if it ended now. Estimates instead of counting, so that it is
 * cheap to repeat. `inputTokens` returns the `likelyInputTokens` of its request.
 */
export function flightUsage(result: StreamResult, inputTokens: () => number): SettledUsage {
  return certainUsage(result, "truncated") ?? measuredUsage(estimatingOf(inputTokens), result);
}

/** Counts request and answer here, ignoring the upstream's usage. */
export function countedUsage(result: StreamResult, asked?: Decoded): Usage {
  return usageOf(countingOf(asked), result);
}

/** Estimates request and answer of a call in flight, ignoring the upstream's usage. */
export function estimatedUsage(result: StreamResult, inputTokens: () => number): Usage {
  return usageOf(estimatingOf(inputTokens), result);
}

function usageOf(meter: Meter, { delivered, said }: StreamResult): Usage {
  return { ...noUsage, ...meter.input(), ...outputOf(meter, delivered ?? said?.()) };
}

function outputOf(meter: Meter, delivered: Delivered | undefined): Partial<Usage> {
  return delivered
    ? {
      outputTokens: tokensOf(delivered.answer, meter),
      reasoningTokens: tokensOf(delivered.reasoning, meter),
    }
    : {};
}

/** Estimates a request's prompt tokens without a tokenizer, in one pass over the body. */
export function likelyInputTokens({ wire, fileTokens = 0 }: Decoded): number {
  return Math.ceil((estimatedInputTokens(wire.body) + fileTokens) * likelyShare);
}

/** Measures tokens that the upstream does not report: by counting or by estimating. */
interface Meter {
  input(): Partial<RequestTokens>;
  /** The tokens of `text`, the beginning of an answer. */
  output(text: string, growing: Text): number;
  readonly charsMax: number;
}

/** The usage that needs no measurement here; undefined if a side of it must be measured. */
function certainUsage(
  { usage, delivered, outcome: ended, outputPending, counted, isSteered }: StreamResult,
  outcome = ended,
): SettledUsage | undefined {
  if (usage && counted) return { usage, usageSource: "counted" };
  if (!delivered?.begun && !isSteered) {
    return usage && outcome === "completed"
      ? { usage, usageSource: "upstream" }
      : { usageSource: "none" };
  }
  if (!usage || !statesInput(usage) || !statesOutput(usage, outputPending)) return undefined;
  return { usage, usageSource: "upstream" };
}

/** The usage with each side that the upstream did not report measured here. */
function measuredUsage(meter: Meter, result: StreamResult): SettledUsage {
  const { usage = noUsage, delivered, outputPending, servedTier } = result;
  const { samplings: _, ...summed } = usage; // charged in place of the counts
  return {
    usage: {
      ...summed,
      ...(servedTier !== undefined && { servedTier }),
      ...(!statesInput(usage) && meter.input()),
      ...(!statesOutput(usage, outputPending) && outputOf(meter, delivered)),
    },
    usageSource: "counted",
  };
}

/** Zeros next to content and placeholders do not count as reported. */
function statesInput(usage: Usage): boolean {
  return totalInputTokens(usage) > 0;
}

function statesOutput(usage: Usage, outputPending: boolean | undefined): boolean {
  return !outputPending && totalOutputTokens(usage) > 0;
}

type Text = NonNullable<StreamResult["delivered"]>["answer"];

/** The tokens of a text; beyond `charsMax` it is extrapolated from its beginning. */
function tokensOf(growing: Text, { output, charsMax }: Meter): number {
  const text = growing.text().slice(0, charsMax);
  return text === "" ? 0 : Math.ceil(output(text, growing) * growing.chars / text.length);
}

function countingOf(asked: Decoded | undefined): Meter {
  const input = () => asked ? countedInput(asked) : {};
  const output = (text: string, growing: Text) => texts.get(growing) ?? countTextTokens(text);
  return { input, output, charsMax: Infinity };
}

function estimatingOf(inputTokens: () => number): Meter {
  return {
    input: () => ({ inputTokens: inputTokens() }),
    output: (text) => estimatedTextTokens(text) * likelyShare,
    charsMax: 2_000,
  };
}

/** The typical ratio of counted to estimated tokens in prose: the estimates are upper bounds. */
const likelyShare = 0.6;

function countedInput(asked: Decoded): Partial<RequestTokens> {
  try {
    return inputs.get(asked) ?? measureRequest(asked.canonical());
  } catch {
    return { inputTokens: likelyInputTokens(asked) }; // the upstream may have accepted it
  }
}
