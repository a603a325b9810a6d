import {
  GatewayError,
  noUsage,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../canonical/mod.ts";
import type { Decoded } from "../http/decode.ts";
import type { StreamResult } from "../http/transcoder.ts";
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
 * what went out, counted by a tokenizer, and the prompt with it; each of the two by itself. A call that was cut short before any
 * content went out used nothing, whatever the upstream says. Loads the tokenizer only where it must
 * count, and then takes as long as the texts are; never throws.
 */
export function settledUsage(result: StreamResult, asked?: Decoded): SettledUsage {
  return usageBy(counting, result, asked);
}

/** The same for a call in flight, as if it ended now: estimated where it would be counted, so that it can be asked again and again. */
export function flightUsage(result: StreamResult, asked?: Decoded): SettledUsage {
  return usageBy(estimating, { ...result, outcome: "truncated" }, asked);
}

/** How tokens are found that nobody states. */
interface Meter {
  input(asked: Decoded): Partial<RequestTokens>;
  /** Of a text of which `text` is the beginning. */
  output(text: string): number;
  readonly charsMax: number;
}

function usageBy(meter: Meter, result: StreamResult, asked: Decoded | undefined): SettledUsage {
  const { usage, delivered, outcome, counted } = result;
  if (usage && counted) return { usage, usageSource: "counted" };
  if (!delivered?.begun) {
    return usage && outcome === "completed"
      ? { usage, usageSource: "upstream" }
      : { usageSource: "none" };
  }
  const states = statedBy(result);
  if (usage && states.input && states.output) return { usage, usageSource: "upstream" };
  return {
    usage: {
      ...(usage ?? noUsage),
      ...(!states.input && asked && meter.input(asked)),
      ...(!states.output && {
        outputTokens: tokensOf(delivered.answer, meter),
        reasoningTokens: tokensOf(delivered.reasoning, meter),
      }),
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

const counting: Meter = {
  input: (asked) => {
    try {
      return measureRequest(asked.canonical());
    } catch (error) {
      if (error instanceof GatewayError) return likelyInput(asked); // the upstream took what cannot be decoded here
      throw error;
    }
  },
  output: countTextTokens,
  charsMax: Infinity,
};

const estimating: Meter = {
  input: likelyInput,
  output: (text) => estimatedTextTokens(text) * likelyShare,
  charsMax: 2_000,
};

/** The estimates are upper ones: of prose this share is what a tokenizer counts. */
const likelyShare = 0.6;

function likelyInput({ wire }: Decoded): Partial<RequestTokens> {
  return { inputTokens: Math.ceil(estimatedInputTokens(wire.body) * likelyShare) };
}
