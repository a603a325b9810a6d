import type { ModelPrice, ModelPrices, TokenRates } from "../store/catalog/mod.ts";

/** What a vendor publishes of one model. */
export interface ModelFacts {
  /** The vendor's own name for it, as a request gives it. */
  readonly id: string;
  /** Other names for the very same model. */
  readonly aliases?: readonly string[];
  readonly displayName: string;
  /** Tokens of prompt and answer together. Absent: the vendor states none, of a model for another purpose than answers. */
  readonly contextWindow?: number;
  /** Absent: the vendor states none beside the context window. */
  readonly maxOutputTokens?: number;
  /** List price in USD: standard rates, and those of the service tiers and regions that the vendor states. */
  readonly price: ModelPrices;
}

/** The models of one vendor. */
export interface VendorCatalog {
  /** The vendor, as `owned_by` says it. */
  readonly ownedBy: string;
  /** What gateways put before its models' names, as in `openai/gpt-5.1`. */
  readonly prefixes: readonly string[];
  /** The day on which all of it was looked up, such as `2026-11-21`. */
  readonly asOf: string;
  readonly models: readonly ModelFacts[];
}

/** How a vendor's rates rise once a prompt is long. */
export interface LongPromptRule {
  readonly aboveInputTokens: number;
  /** What rates of the prompt are multiplied by. */
  readonly input: number;
  /** What rates of the answer are multiplied by. */
  readonly output: number;
}

/** The price with its tier for long prompts, where a vendor states one rule for all of its rates. */
export function withLongPrompts(price: ModelPrice, rule: LongPromptRule): ModelPrice {
  const { aboveInputTokens, input, output } = rule;
  const rates = Object.entries(price).flatMap(([name, rate]) => {
    if (typeof rate !== "number" || !isRate(name)) return [];
    return [[name, times(rate, factorSides[name] === "prompt" ? input : output)]];
  });
  return { ...price, tiers: [{ aboveInputTokens, ...Object.fromEntries(rates) }] };
}

const factorSides = {
  input: "prompt",
  cachedInput: "prompt",
  cacheWrite: "prompt",
  cacheWrite1h: "prompt",
  cacheWrite12h: "prompt",
  audioInput: "prompt",
  imageInput: "prompt",
  output: "answer",
  reasoning: "answer",
  audioOutput: "answer",
  imageOutput: "answer",
} as const satisfies Record<keyof TokenRates, "prompt" | "answer">;

function isRate(name: string): name is keyof typeof factorSides {
  return Object.hasOwn(factorSides, name);
}

/** Without the noise that doubles add: rates have six decimals at most. */
function times(rate: number, factor: number): number {
  return Number((rate * factor).toFixed(6));
}
