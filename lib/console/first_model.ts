import type { ModelRow } from "./model_rows.ts";

/** The model that a first call asks: the cheapest whose price is known, else the first. */
export function firstModel(rows: readonly ModelRow[]): string | undefined {
  const priced = rows.filter(({ price }) => price !== undefined);
  const [cheapest] = priced.toSorted((a, b) => costOf(a) - costOf(b));
  return (cheapest ?? rows[0])?.id;
}

function costOf({ price }: ModelRow): number {
  return price ? price.input + price.output : Infinity;
}
