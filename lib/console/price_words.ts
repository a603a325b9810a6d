import type { ModelPrice, TokenRates } from "../store/mod.ts";
import { type RateName, rateNames } from "./price_values.ts";

/** Under what name the audit log keeps each rate. */
const wordNames = {
  input: "inputPrice",
  output: "outputPrice",
  cachedInput: "cacheReadPrice",
  cacheWrite: "cacheWritePrice",
  cacheWrite1h: "cacheWrite1hPrice",
  reasoning: "reasoningPrice",
  audioInput: "audioInputPrice",
  audioOutput: "audioOutputPrice",
  imageInput: "imageInputPrice",
  imageOutput: "imageOutputPrice",
} as const satisfies Record<RateName, string>;

/** A price in words, as the audit log keeps it. */
export function priceWords(price: ModelPrice | undefined): Record<string, string | undefined> {
  const { request, hostedTools = {}, tiers = [] } = price ?? {};
  const tools = Object.entries(hostedTools).map(([kind, usd]) => `${kind} $${usd}`);
  return {
    ...Object.fromEntries(rateNames.map((name) => [wordNames[name], words(price?.[name])])),
    requestPrice: words(request),
    toolPrices: tools.length > 0 ? tools.join(", ") : undefined,
    tierPrices: tiers.length > 0 ? tiers.map(tierWords).join("; ") : undefined,
  };
}

function tierWords({ aboveInputTokens, ...rates }: Partial<TokenRates> & {
  readonly aboveInputTokens: number;
}): string {
  const named = rateNames.flatMap((name) =>
    rates[name] === undefined ? [] : [`${name} $${rates[name]}`]
  );
  return `> ${aboveInputTokens}: ${named.join(", ")}`;
}

function words(usd: number | undefined): string | undefined {
  return usd === undefined ? undefined : `$${usd}`;
}
