import {
  type DatedModelPrice,
  isDated,
  type ModelPrice,
  type ModelPrices,
} from "../../store/catalog/mod.ts";

/** The most prices that are kept of one model; the oldest go first. */
const pricesMax = 50;
const everMs = 0;

/** The prices one after the other; one without a date has counted for ever. */
export function scheduleOf(prices: ModelPrices | undefined): readonly DatedModelPrice[] {
  if (prices === undefined) return [];
  if (!isDated(prices)) return [{ ...prices, from: momentText(everMs) }];
  return prices.toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

/**
 * The prices once another one counts from a time on. Without a time it counts at once: alone, where
 * there is no schedule, else between what has counted so far and what is still to come.
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

/** The prices without the one that begins at a time; undefined where none is left. */
export function withoutPrice(prices: ModelPrices, from: string): ModelPrices | undefined {
  const left = scheduleOf(prices).filter((one) => one.from !== from);
  return left.length === 0 ? undefined : left;
}

export function momentText(atMs: number): string {
  return new Date(atMs).toISOString().replace(".000Z", "Z");
}
