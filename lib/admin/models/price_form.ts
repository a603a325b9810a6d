import { hostedToolKinds } from "../../canonical/mod.ts";
import type { ModelPrice, PriceTier, TokenRates } from "../../store/catalog/mod.ts";
import type { FaultCode } from "../faults.ts";

/** The faults of a field or of the model. */
type PriceFault = FaultCode<"price">;

export type PriceFaults = Readonly<Partial<Record<string, PriceFault>>>;

type PriceFormResult =
  | { readonly type: "valid"; readonly price: ModelPrice; readonly fromMs?: number }
  | { readonly type: "invalid"; readonly faults: PriceFaults };

const required = ["input", "output"];

/** The price in the form and its start, if one is given; else the faults by field. */
export function priceOf(values: PriceValues): PriceFormResult {
  const tiers = filledTiers(values);
  const fromMs = readMoment(values.from ?? "");
  const faults = { ...amountFaults(values, tiers), ...boundFaults(values, tiers) };
  const all = { ...faults, ...(fromMs === "fault" && { from: "from" as const }) };
  if (Object.keys(all).length > 0 || fromMs === "fault") return { type: "invalid", faults: all };
  const tools = hostedToolKinds.flatMap((kind) => named(kind, values[`tool.${kind}`]));
  const price: ModelPrice = {
    input: amount(values.input) ?? 0,
    output: amount(values.output) ?? 0,
    ...ratesIn(values, ""),
    ...Object.fromEntries(named("request", values.request)),
    ...(tools.length > 0 && { hostedTools: Object.fromEntries(tools) }),
    ...(tiers.length > 0 && { tiers: tiers.map((at) => tierOf(values, at)) }),
  };
  return { type: "valid", price, ...(fromMs !== undefined && { fromMs }) };
}

/** Keeps the parts of the replaced price that the form has no fields for. */
export function withUnasked(price: ModelPrice, before: ModelPrice | undefined): ModelPrice {
  const { serviceTiers, regions, offPeak } = before ?? {};
  return {
    ...price,
    ...(serviceTiers && { serviceTiers }),
    ...(regions && { regions }),
    ...(offPeak && { offPeak }),
  };
}

function filledTiers(values: PriceValues): number[] {
  return Array.from({ length: tiersMax }, (_, at) => at)
    .filter((at) => tierFields(at).some((name) => values[name]));
}

function amountFaults(values: PriceValues, tiers: readonly number[]): PriceFaults {
  const names = [
    ...rateNames,
    "request",
    ...toolFields,
    ...tiers.flatMap((at) => tierFields(at).slice(1)),
  ];
  const wrong = names.filter((name) => {
    const text = values[name] ?? "";
    return text === "" ? required.includes(name) : amount(text) === undefined;
  });
  return Object.fromEntries(wrong.map((name) => [name, "price"]));
}

/** Finds tiers without a bound and tiers with the same bound. */
function boundFaults(values: PriceValues, tiers: readonly number[]): PriceFaults {
  const bounds = tiers.map((at) => values[`tier${at}.above`] ?? "");
  return Object.fromEntries(tiers.flatMap((at, index): [string, PriceFault][] => {
    const bound = bounds[index];
    if (!/^[1-9]\d{0,9}$/.test(bound)) return [[`tier${at}.above`, "above"]];
    return bounds.indexOf(bound) < index ? [[`tier${at}.above`, "twice"]] : [];
  }));
}

function tierOf(values: PriceValues, at: number): PriceTier {
  return {
    aboveInputTokens: Number(values[`tier${at}.above`]),
    ...ratesIn(values, `tier${at}.`),
  };
}

function ratesIn(values: PriceValues, prefix: string) {
  return Object.fromEntries(rateNames.flatMap((name) => named(name, values[prefix + name])));
}

function named(name: string, text = ""): [string, number][] {
  const usd = amount(text);
  return usd === undefined ? [] : [[name, usd]];
}

function amount(text = ""): number | undefined {
  return /^\d{1,6}([.,]\d{1,9})?$/.test(text) ? Number(text.replace(",", ".")) : undefined;
}

/** Parses a `datetime-local` field as UTC; undefined if it is empty. */
export function readMoment(text: string): number | undefined | "fault" {
  if (text === "") return undefined;
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(text);
  const atMs = isMoment ? Date.parse(text.includes("T") ? `${text}Z` : text) : NaN;
  return Number.isNaN(atMs) ? "fault" : atMs;
}

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
  return Math.min((filledTiers(values).at(-1) ?? -1) + 2, tiersMax);
}
