import { changesBetween } from "../../admin/audit.ts";
import {
  type AskedPrice,
  momentText,
  type PriceChange,
  priceWords,
  scheduleOf,
} from "../../admin/models/price_changes.ts";
import { priceOf, priceValues, withUnasked } from "../../admin/models/price_form.ts";
import { isDated, type Model, type ModelPrice, type ModelPrices } from "../../store/catalog/mod.ts";
import { digestOf } from "../../store/mod.ts";

/** A form of a model's page, by field. */
type PriceUndo = Readonly<Record<string, string>>;

/** The form that restores the former prices; undefined if the page has no such form. */
export function priceUndo(
  { before, after }: PriceChange,
  { fromMs }: AskedPrice,
  nowMs: number,
): PriceUndo | undefined {
  const fields = isDated(after)
    ? removal(before, fromMs ?? nowMs)
    : before === undefined
    ? { intent: "reset" }
    : isDated(before)
    ? undefined
    : formOf(before, after);
  return fields && { ...fields, expected: stampOf(after) };
}

/** Removes a dated price, unless it replaced another one of the same start. */
function removal(before: ModelPrices | undefined, fromMs: number): PriceUndo | undefined {
  const isReplaced = scheduleOf(before).some(({ from }) => Date.parse(from) === fromMs);
  return isReplaced ? undefined : { intent: "unschedule", begins: momentText(fromMs) };
}

function formOf(before: ModelPrice, after: ModelPrice): PriceUndo | undefined {
  const values = priceValues(before);
  const read = priceOf(values);
  if (read.type === "invalid") return undefined;
  const restored = priceWords(withUnasked(read.price, after));
  if (changesBetween(restored, priceWords(before)).length > 0) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

/** The prices are no longer those that the undo was offered for. */
export class PriceOvertaken extends Error {}

/** Refuses to undo another change: throws `PriceOvertaken` if the prices are not the expected ones. */
export function assertExpected(form: URLSearchParams, model: Model | undefined): void {
  const expected = form.get("expected");
  if (expected !== null && expected !== stampOf(model?.price)) throw new PriceOvertaken();
}

function stampOf(prices: ModelPrices | undefined): string {
  return digestOf(JSON.stringify(scheduleOf(prices).map((one) => [one.from, priceWords(one)])));
}
