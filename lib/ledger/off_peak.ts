import { dayMinutes, minutesOf, type OffPeakPrice } from "../store/catalog/mod.ts";

/** Minutes since the beginning of Monday in UTC. */
type Span = readonly [from: number, to: number];

/** A price that is another one in some hours of the week. */
export interface HourlyPrice<Price> {
  readonly offPeak?: { readonly price: Price; readonly spans: readonly Span[] };
}

/** The spans of a week in which a price applies. */
export function weekSpans(times: OffPeakPrice["times"]): readonly Span[] {
  return times.flatMap(({ days, hours }) =>
    days.flatMap((day) => {
      const start = (day - 1) * dayMinutes;
      return hours.map(minutesOf).map(([from, to]): Span => [start + from, start + to]);
    })
  );
}

/** The epoch was a Thursday. */
const epochMinutes = 3 * dayMinutes;

/** The price for a call that begins at a time. */
export function priceAtHour<Price extends HourlyPrice<Price>>(price: Price, atMs: number): Price {
  const { offPeak } = price;
  if (offPeak === undefined) return price;
  const minute = (Math.floor(atMs / 60_000) + epochMinutes) % (7 * dayMinutes);
  const isIn = offPeak.spans.some(([from, to]) => minute >= from && minute < to);
  return isIn ? offPeak.price : price;
}
