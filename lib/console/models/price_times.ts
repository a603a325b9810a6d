import { priceIn, type RowPrice, upstreamNames } from "../../admin/models/model_rows.ts";
import { scheduleOf } from "../../admin/models/price_changes.ts";
import { catalogModel } from "../../catalog/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";

/** A price with its start. */
export interface PastPrice {
  /** 0 for a price without a start. */
  readonly fromMs: number;
  /** The same time as text, which names the price in a schedule. */
  readonly from: string;
  readonly state: "past" | "current" | "coming";
  readonly price: RowPrice;
}

/**
 * The past, present and future prices of a model in a group, newest first: an administrator's, else
 * the catalog's.
 */
export function priceTimes(
  id: string,
  group: Pick<Group, "priceRatio">,
  { directory, nowMs }: {
    readonly directory: Pick<Directory, "models" | "upstreams">;
    readonly nowMs: number;
  },
): readonly PastPrice[] {
  const names = [id, ...upstreamNames(directory.upstreams()).get(id) ?? []];
  const own = (name: string) => directory.models().find((model) => model.id === name)?.price;
  const prices = names.map((name) => own(name) ?? catalogModel(name)?.price)
    .find((price) => price !== undefined);
  const schedule = scheduleOf(prices);
  const current = schedule.findLastIndex(({ from }) => Date.parse(from) <= nowMs);
  return schedule.map((price, at): PastPrice => ({
    fromMs: Date.parse(price.from),
    from: price.from,
    state: at === current ? "current" : at < current ? "past" : "coming",
    price: priceIn(group, price),
  })).toReversed();
}
