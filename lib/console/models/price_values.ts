import { hostedToolKinds } from "../../canonical/mod.ts";
import type { ModelPrice, PriceTier, TokenRates } from "../../store/catalog/mod.ts";

/** The token prices, in the order of the form. */
export const rateNames = [
  "input",
  "output",
  "cachedInput",
  "cacheWrite",
  "cacheWrite1h",
  "cacheWrite12h",
  "reasoning",
  "audioInput",
  "audioOutput",
  "imageInput",
  "imageOutput",
] as const satisfies readonly (keyof TokenRates)[];
export type RateName = typeof rateNames[number];

/** The maximum number of long-prompt tiers in a form. */
export const tiersMax = 6;

/**
 * The values of a price form by field. A tier's fields begin with `tier0.`, a tool's with `tool.`.
 */
export type PriceValues = Readonly<Record<string, string>>;

export const toolFields = hostedToolKinds.map((kind) => `tool.${kind}`);

/** The names of one tier's fields. */
export function tierFields(at: number): readonly string[] {
  return [`tier${at}.above`, ...rateNames.map((name) => `tier${at}.${name}`)];
}

const allFields = [
  ...rateNames,
  "request",
  ...toolFields,
  ...Array.from({ length: tiersMax }, (_, at) => tierFields(at)).flat(),
  "from",
];

export function readPriceValues(form: URLSearchParams): PriceValues {
  return Object.fromEntries(
    allFields.map((name) => [name, (form.get(name) ?? "").trim().slice(0, 40)]),
  );
}

/** The form's values for a price. */
export function priceValues(price?: ModelPrice): PriceValues {
  const { tiers = [], hostedTools = {}, request } = price ?? {};
  const ascending = tiers.toSorted((a, b) => a.aboveInputTokens - b.aboveInputTokens);
  return Object.fromEntries([
    ...rateNames.map((name) => [name, text(price?.[name])]),
    ["request", text(request)],
    ...hostedToolKinds.map((kind) => [`tool.${kind}`, text(hostedTools[kind])]),
    ...ascending.flatMap(tierEntries),
    ["from", ""],
  ]);
}

function tierEntries(tier: PriceTier, at: number): [string, string][] {
  return [
    [`tier${at}.above`, String(tier.aboveInputTokens)],
    ...rateNames.map((name): [string, string] => [`tier${at}.${name}`, text(tier[name])]),
  ];
}

function text(usd: number | undefined): string {
  return usd?.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 }) ?? "";
}

/** The number of tiers in the form: the filled ones and an empty one. */
export function tiersShown(values: PriceValues): number {
  const filled = Array.from({ length: tiersMax }, (_, at) => at)
    .filter((at) => tierFields(at).some((name) => values[name]));
  return Math.min((filled.at(-1) ?? -1) + 2, tiersMax);
}
