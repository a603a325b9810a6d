import {
  type Delivered,
  noUsage,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import type { StreamResult } from "../http/stream/transcoder.ts";
import {
  countTextTokens,
  estimatedInputTokens,
  estimatedTextTokens,
  measureRequest,
  type RequestTokens,
} from "../tokens/mod.ts";

/** What a call is charged for, and who says so; `none` has no usage. */
export interface SettledUsage {
  readonly usage?: Usage;
  /** `counted` where anything of it was counted here. */
  readonly usageSource: "upstream" | "counted" | "none";
}

/**
 * The usage of a call that is over, however it ended: the upstream's own where it states it; else
 * what went out, counted by a tokenizer, and the prompt with it, each of the two by itself. A call
 * that was cut short before any content went out used nothing, whatever the upstream says. Loads the
 * tokenizer only where it must count, and then takes as long as the texts are; never throws.
 */
export function settledUsage(result: StreamResult, asked?: Decoded): SettledUsage {
  return usageBy({ ...counting, input: () => asked ? countedInput(asked) : {} }, result);
}

/**
 * The same for a call in flight, as if it ended now: estimated where it would be counted, so that it
 * can be asked again and again. `inputTokens` gives what `likelyInputTokens` said of its request.
 */
export function flightUsage(result: StreamResult, inputTokens: () => number): SettledUsage {
  const input = () => ({ inputTokens: inputTokens() });
  return usageBy({ ...estimating, input }, { ...result, outcome: "truncated" });
}

/** Counts request and answer, whatever the upstream states. */
export function countedUsage(result: StreamResult, asked?: Decoded): Usage {
  return usageOf({ ...counting, input: () => asked ? countedInput(asked) : {} }, result);
}

/** The same for a call in flight, as `flightUsage` says. */
export function estimatedUsage(result: StreamResult, inputTokens: () => number): Usage {
  return usageOf({ ...estimating, input: () => ({ inputTokens: inputTokens() }) }, result);
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

/** About as many tokens as a request's prompt has, without counting them; walks over all of it. */
export function likelyInputTokens({ wire, fileTokens = 0 }: Decoded): number {
  return Math.ceil((estimatedInputTokens(wire.body) + fileTokens) * likelyShare);
}

/** How tokens are found that nobody states. */
interface Meter {
  input(): Partial<RequestTokens>;
  /** Of a text of which `text` is the beginning. */
  output(text: string): number;
  readonly charsMax: number;
}

function usageBy(meter: Meter, result: StreamResult): SettledUsage {
  const { usage, delivered, outcome, counted, servedTier } = result;
  if (usage && counted) return { usage, usageSource: "counted" };
  if (!delivered?.begun) {
    return usage && outcome === "completed"
      ? { usage, usageSource: "upstream" }
      : { usageSource: "none" };
  }
  const states = statedBy(result);
  if (usage && states.input && states.output) return { usage, usageSource: "upstream" };
  const { samplings: _, ...summed } = usage ?? noUsage; // they would be charged in place of what is counted
  return {
    usage: {
      ...summed,
      ...(servedTier !== undefined && { servedTier }),
      ...(!states.input && meter.input()),
      ...(!states.output && outputOf(meter, delivered)),
    },
    usageSource: "counted",
  };
}

/** What an upstream's usage can be taken for: beside content a zero is no count, and at the beginning of a stream there are placeholders. */
function statedBy({ usage = noUsage, outputPending }: StreamResult) {
  return {
    input: totalInputTokens(usage) > 0,
    output: !outputPending && totalOutputTokens(usage) > 0,
  };
}

type Text = NonNullable<StreamResult["delivered"]>["answer"];

/** Of a text that is too long to be looked at, the rest is like its beginning. */
function tokensOf(growing: Text, { output, charsMax }: Meter): number {
  const text = growing.text().slice(0, charsMax);
  return text === "" ? 0 : Math.ceil(output(text) * growing.chars / text.length);
}

const counting = { output: countTextTokens, charsMax: Infinity };
const estimating = {
  output: (text: string) => estimatedTextTokens(text) * likelyShare,
  charsMax: 2_000,
};

/** The estimates are upper ones: of prose this share is what a tokenizer counts. */
const likelyShare = 0.6;

function countedInput(asked: Decoded): Partial<RequestTokens> {
  try {
    return measureRequest(asked.canonical());
  } catch {
    return { inputTokens: likelyInputTokens(asked) }; // what cannot be decoded here, an upstream may have taken
  }
}
