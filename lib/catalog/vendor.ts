import type { ModelPrice, ModelPrices, TokenRates } from "../store/catalog/mod.ts";

/** A vendor's published data about one model. */
export interface VendorModel {
  /** The vendor's own name, as requests use it. */
  readonly id: string;
  /** Other names of the same model. */
  readonly aliases?: readonly string[];
  readonly displayName: string;
  /** Tokens of prompt and answer together; absent if the vendor states none, as for models other than chat. */
  readonly contextWindow?: number;
  /** Maximum output tokens; absent if the vendor states only the context window. */
  readonly maxOutputTokens?: number;
  /** List price in USD: standard rates, and those of the stated service tiers and regions. */
  readonly price: ModelPrices;
}

/** The models of one vendor. */
export interface VendorCatalog {
  /** The vendor's name in `owned_by`. */
  readonly ownedBy: string;
  /** Prefixes of its models' names at gateways, as in `openai/gpt-5.1`. */
  readonly prefixes: readonly string[];
  /** The date of the research, such as `2026-11-21`. */
  readonly asOf: string;
  readonly models: readonly VendorRow[];
}

/** A model as a row of its vendor's table: the fields of `VendorModel`. */
export type VendorRow = readonly [
  id: string,
  displayName: string,
  limits: Pick<VendorModel, "contextWindow" | "maxOutputTokens">,
  price: ModelPrices,
  aliases?: readonly string[],
];

export function modelOf([id, displayName, limits, price, aliases]: VendorRow): VendorModel {
  return { id, ...(aliases && { aliases }), displayName, ...limits, price };
}

/** The rates that nearly every model has, in USD per million tokens. */
export type UsualRates = Required<Pick<TokenRates, "input" | "cachedInput" | "output">>;

/** Rates in the order of the vendors' own tables. */
export function rates(input: number, cachedInput: number, output: number): UsualRates {
  return { input, cachedInput, output };
}

/** A vendor's higher rates for long prompts. */
export interface LongPromptRule {
  readonly aboveInputTokens: number;
  /** Factor for the rates of the prompt. */
  readonly input: number;
  /** Factor for the rates of the answer. */
  readonly output: number;
}

/** Adds the tier for long prompts, if a vendor has one rule for all of its rates. */
export function withLongPrompts(price: ModelPrice, rule: LongPromptRule): ModelPrice {
  const { aboveInputTokens, input, output } = rule;
  const long = Object.entries(price).flatMap(([name, rate]) => {
    if (typeof rate !== "number" || !isRate(name)) return [];
    return [[name, times(rate, factorSides[name] === "prompt" ? input : output)]];
  });
  return { ...price, tiers: [{ aboveInputTokens, ...Object.fromEntries(long) }] };
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

/** Rounds to six decimals, the most that rates have. */
function times(rate: number, factor: number): number {
  return Number((rate * factor).toFixed(6));
}
