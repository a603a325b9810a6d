import type { ModelPrice, ServiceTierPrice, TokenRates } from "../../store/catalog/mod.ts";
import { type RateName, rateNames } from "./price_form.ts";

/** The field name of each rate in the audit log. */
const wordNames = {
  input: "inputPrice",
  output: "outputPrice",
  cachedInput: "cacheReadPrice",
  cacheWrite: "cacheWritePrice",
  cacheWrite1h: "cacheWrite1hPrice",
  cacheWrite12h: "cacheWrite12hPrice",
  reasoning: "reasoningPrice",
  audioInput: "audioInputPrice",
  audioOutput: "audioOutputPrice",
  imageInput: "imageInputPrice",
  imageOutput: "imageOutputPrice",
} as const satisfies Record<RateName, string>;

/** A price in words, as the audit log keeps it. */
export function priceWords(price: ModelPrice | undefined): Record<string, string | undefined> {
  const { request, hostedTools = {}, tiers = [], serviceTiers = {}, regions = {} } = price ?? {};
  const services = Object.entries(serviceTiers).map(([name, tier = {}]) =>
    `${name}: ${serviceWords(tier)}`
  );
  const places = Object.entries(regions).map(([name, factor]) => `${name}: × ${factor}`);
  const tools = Object.entries(hostedTools).map(([kind, usd]) => `${kind} $${usd}`);
  return {
    ...Object.fromEntries(rateNames.map((name) => [wordNames[name], words(price?.[name])])),
    requestPrice: words(request),
    toolPrices: tools.length > 0 ? tools.join(", ") : undefined,
    tierPrices: tiers.length > 0 ? tiers.map(tierWords).join("; ") : undefined,
    serviceTierPrices: services.length > 0 ? services.join("; ") : undefined,
    regionPrices: places.length > 0 ? places.join("; ") : undefined,
  };
}

function tierWords({ aboveInputTokens, ...rates }: Partial<TokenRates> & {
  readonly aboveInputTokens: number;
}): string {
  return `> ${aboveInputTokens}: ${rateWords(rates).join(", ")}`;
}

function serviceWords({ factor, ...rates }: ServiceTierPrice): string {
  return [...(factor === undefined ? [] : [`× ${factor}`]), ...rateWords(rates)].join(", ");
}

function rateWords(rates: Partial<TokenRates>): string[] {
  return rateNames.flatMap((name) => rates[name] === undefined ? [] : [`${name} $${rates[name]}`]);
}

function words(usd: number | undefined): string | undefined {
  return usd === undefined ? undefined : `$${usd}`;
}
