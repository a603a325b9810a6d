import {
  type DatedModelPrice,
  isDated,
  type ModelPrice,
  type ModelPrices,
} from "../../store/catalog/mod.ts";

/** Maximum number of prices stored for a model; the oldest are dropped. */
const pricesMax = 50;

const everMs = 0;

/** The prices in order of their start; one without a date has no lower bound. */
export function scheduleOf(prices: ModelPrices | undefined): readonly DatedModelPrice[] {
  if (prices === undefined) return [];
  if (!isDated(prices)) return [{ ...prices, from: momentText(everMs) }];
  return prices.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

/**
 * Adds a price that starts at `fromMs`. Without `fromMs` it applies at once: it replaces a price
 * without dates, and is inserted at the current time in a schedule.
 */
export function withPrice(
  prices: ModelPrices | undefined,
  { price, fromMs, nowMs }: {
    readonly price: ModelPrice;
    readonly fromMs?: number;
    readonly nowMs: number;
  },
): ModelPrices {
  if (fromMs === undefined && (prices === undefined || !isDated(prices))) return price;
  const from = momentText(fromMs ?? nowMs);
  const others = scheduleOf(prices).filter((one) => Date.parse(one.from) !== Date.parse(from));
  return scheduleOf([...others, { ...price, from }]).slice(-pricesMax);
}

/** Removes the price that starts at `from`; undefined if none is left. */
export function withoutPrice(prices: ModelPrices, from: string): ModelPrices | undefined {
  const left = scheduleOf(prices).filter((one) => one.from !== from);
  return left.length === 0 ? undefined : left;
}

export function momentText(atMs: number): string {
  return new Date(atMs).toISOString().replace(".000Z", "Z");
}
