import {
  hoursPattern,
  type ModelPrice,
  type OffPeakPrice,
  type PriceTier,
  type ServiceTierPrice,
  type TokenRates,
} from "../store/catalog/mod.ts";

/** One entry of LiteLLM's file of prices. */
export type FeedEntry = Readonly<Record<string, unknown>>;

/** The purposes whose calls are charged by tokens; false for those whose answers have none. */
const modes: Readonly<Partial<Record<string, boolean>>> = {
  chat: true,
  responses: true,
  completion: true,
  image_generation: true,
  audio_transcription: true,
  embedding: false,
  rerank: false,
  moderation: false,
};

const rateFields = {
  input: "input_cost_per_token",
  cachedInput: "cache_read_input_token_cost",
  cacheWrite: "cache_creation_input_token_cost",
  cacheWrite1h: "cache_creation_input_token_cost_above_1hr",
  cacheWrite12h: "cache_creation_input_token_cost_above_12hr",
  output: "output_cost_per_token",
  reasoning: "output_cost_per_reasoning_token",
  audioInput: "input_cost_per_audio_token",
  audioOutput: "output_cost_per_audio_token",
  imageInput: "input_cost_per_image_token",
  imageOutput: "output_cost_per_image_token",
} as const satisfies Record<keyof TokenRates, string>;

const rateNames = Object.keys(rateFields) as (keyof TokenRates)[]; // its own keys

/** The rate that an absent one equals. */
const usualRates: Readonly<Partial<Record<keyof TokenRates, keyof TokenRates>>> = {
  cachedInput: "input",
  cacheWrite: "input",
  cacheWrite1h: "cacheWrite",
  cacheWrite12h: "cacheWrite1h",
  reasoning: "output",
  audioInput: "input",
  audioOutput: "output",
  imageInput: "input",
  imageOutput: "output",
};

/** The service tiers of a price, with the ends of their fields. */
const tierEnds = { flex: "_flex", fast: "_priority", ultrafast: "_ultrafast" } as const;

/** The price of an entry in the fields of this gateway; undefined if its tokens have none. */
export function feedPrice(entry: FeedEntry): ModelPrice | undefined {
  if (typeof entry.mode !== "string" || !Object.hasOwn(modes, entry.mode)) return undefined;
  const ranges = rangesOf(entry);
  const rates = ratesIn(ranges[0]?.entry ?? entry);
  const { input, output = answerless(entry) ? 0 : rates.imageOutput } = rates;
  if (input === undefined || output === undefined) return undefined;
  if (output === 0 && input > 0 && !answerless(entry)) return undefined; // answers are never free alone
  const standard = withoutUsual({ ...rates, input, output });
  const tiers = ranges.length > 0 ? rangeTiers(ranges, standard) : boundTiers(entry, standard);
  const serviceTiers = serviceTiersOf(entry, standard);
  const search = searchPrice(entry);
  const us = numberIn(entry.provider_specific_entry, "us");
  const offPeak = offPeakOf(entry, standard);
  return {
    ...standard,
    ...(search > 0 && { hostedTools: { "web-search": search } }),
    ...(tiers.length > 0 && { tiers }),
    ...(Object.keys(serviceTiers).length > 0 && { serviceTiers }),
    ...(us !== undefined && { regions: { us } }),
    ...(offPeak && { offPeak }),
  };
}

/** True for models whose answers have no tokens; others without a rate for them have no price. */
function answerless({ mode }: FeedEntry): boolean {
  return modes[String(mode)] === false;
}

function ratesIn(entry: FeedEntry, end = ""): Partial<TokenRates> {
  return Object.fromEntries(rateNames.flatMap((name) => {
    const usd = numberIn(entry, rateFields[name] + end);
    const isFreeWrite = usd === 0 && name.startsWith("cacheWrite"); // such vendors count no writes
    return usd === undefined || isFreeWrite ? [] : [[name, times(usd, 1_000_000)]];
  }));
}

/** Leaves out the rates that equal those which an absent one equals anyway. */
function withoutUsual(rates: TokenRates): TokenRates {
  const kept = rateNames.filter((name) => {
    const usual = usualRates[name];
    return rates[name] !== undefined && (!usual || rates[name] !== (rates[usual] ?? rates.input));
  });
  return { input: rates.input, output: rates.output, ...picked(rates, kept) };
}

function picked(rates: Partial<TokenRates>, names: readonly (keyof TokenRates)[]) {
  return Object.fromEntries(
    names.flatMap((name) => rates[name] === undefined ? [] : [[name, rates[name]]]),
  );
}

/** The rates for long prompts, in fields such as `input_cost_per_token_above_272k_tokens`. */
function boundTiers(entry: FeedEntry, standard: TokenRates): PriceTier[] {
  const bounds = Object.keys(entry).flatMap((field) =>
    /^input_cost_per_token_above_(\d{1,4})k_tokens$/.exec(field)?.[1] ?? []
  );
  return bounds.map(Number).sort((a, b) => a - b).map((bound) => ({
    aboveInputTokens: bound * 1_000,
    ...picked(ratesIn(entry, `_above_${bound}k_tokens`), statedIn(standard)),
  }));
}

interface PriceRange {
  readonly above: number;
  readonly entry: FeedEntry;
}

/** The other form of long prompts: all rates by the range of the prompt's length. */
function rangesOf({ tiered_pricing: ranges }: FeedEntry): readonly PriceRange[] {
  if (!Array.isArray(ranges)) return [];
  return ranges.filter(isEntry).flatMap((entry) => {
    const { range } = entry;
    const above: unknown = Array.isArray(range) ? range[0] : undefined;
    return typeof above === "number" ? [{ above, entry }] : [];
  });
}

function rangeTiers([, ...longer]: readonly PriceRange[], standard: TokenRates): PriceTier[] {
  return longer.map(({ above, entry }) => ({
    aboveInputTokens: above,
    ...picked(ratesIn(entry), statedIn(standard)),
  }));
}

function statedIn(standard: TokenRates): readonly (keyof TokenRates)[] {
  return rateNames.filter((name) => standard[name] !== undefined);
}

function serviceTiersOf(entry: FeedEntry, standard: TokenRates): Record<string, ServiceTierPrice> {
  const factor = numberIn(entry.provider_specific_entry, "fast");
  const stated = Object.entries(tierEnds).flatMap(([tier, end]) => {
    const rates = ratesIn(entry, end);
    return rates.input === undefined ? [] : [[tier, tierPrice(rates, standard)] as const];
  });
  return { ...(factor !== undefined && { fast: { factor } }), ...Object.fromEntries(stated) };
}

/** A factor, and the rates that it does not hit. */
function tierPrice(rates: Partial<TokenRates>, standard: TokenRates): ServiceTierPrice {
  const names = statedIn(standard).filter((name) => rates[name] !== undefined);
  const factor = factorOf(rates, standard);
  if (factor === undefined) return picked(rates, names);
  return {
    factor,
    ...picked(rates, names.filter((name) => rates[name] !== times(standard[name] ?? 0, factor))),
  };
}

/** The ratio of the input or output rates, if it hits both exactly. */
function factorOf(rates: Partial<TokenRates>, standard: TokenRates): number | undefined {
  const factor = Number(((rates.input ?? 0) / standard.input).toFixed(4));
  const hits = (["input", "output"] as const).every((name) =>
    times(standard[name], factor) === (rates[name] ?? 0)
  );
  return hits ? factor : undefined;
}

const dayNumbers = [1, 2, 3, 4, 5, 6, 7];

/** The cheaper hours of the week. The feed lets a day end at 00:00. */
function offPeakOf(
  { off_peak_pricing: offPeak }: FeedEntry,
  standard: TokenRates,
): OffPeakPrice | undefined {
  if (!isEntry(offPeak) || !Array.isArray(offPeak.windows)) return undefined;
  const rates = ratesIn(offPeak);
  if (rates.input === undefined || rates.output === undefined) return undefined;
  const times = offPeak.windows.filter(isEntry).map(({ weekdays, hours_utc: hours }) => ({
    days: [weekdays].flat().flatMap((day) => dayNumbers.filter((one) => one === day)),
    hours: [hours].flat().flatMap((text) =>
      typeof text === "string" && hoursPattern.test(text) ? [text.replace(/-00:00$/, "-24:00")] : []
    ),
  }));
  return { ...tierPrice(rates, standard), times };
}

/** USD per 1,000 searches. */
function searchPrice({ search_context_cost_per_query: sizes }: FeedEntry): number {
  return times(numberIn(sizes, "search_context_size_medium") ?? 0, 1_000);
}

/** Rounds to six decimals, the most that rates have. */
function times(rate: number, factor: number): number {
  return Number((rate * factor).toFixed(6));
}

export function isEntry(value: unknown): value is FeedEntry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A price in USD for a token or a search, or a factor. */
function numberIn(entry: unknown, field: string): number | undefined {
  const value = isEntry(entry) ? entry[field] : undefined;
  return typeof value === "number" && value >= 0 && value <= 100 ? value : undefined;
}
