import { hostedToolKinds } from "../../canonical/mod.ts";
import type { ModelPrice, PriceTier } from "../../store/catalog/mod.ts";
import { type PriceValues, rateNames, tierFields, tiersMax, toolFields } from "./price_values.ts";

/** The faults of a field or of the model. */
type PriceFault = "price" | "above" | "twice" | "from";
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
  const { serviceTiers, regions } = before ?? {};
  return { ...price, ...(serviceTiers && { serviceTiers }), ...(regions && { regions }) };
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
function readMoment(text: string): number | undefined | "fault" {
  if (text === "") return undefined;
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(text);
  const atMs = isMoment ? Date.parse(text.includes("T") ? `${text}Z` : text) : NaN;
  return Number.isNaN(atMs) ? "fault" : atMs;
}
