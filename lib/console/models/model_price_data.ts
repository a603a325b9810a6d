import { scheduleOf } from "../../admin/models/price_changes.ts";
import { type PriceFaults, type PriceValues, priceValues } from "../../admin/models/price_form.ts";
import { type PriceRow, priceRow } from "../../admin/models/price_rows.ts";
import type { Rerating } from "../../admin/models/rerate.ts";
import { catalogModel } from "../../catalog/mod.ts";
import { type AuditEntry, listAuditEntries } from "../../store/audit/mod.ts";
import { type DatedModelPrice, type ModelPrice, priceInForce } from "../../store/catalog/mod.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";

/** The data of the page of one model's price. */
export interface ModelPriceData {
  readonly row: PriceRow;
  readonly listed?: { readonly price: ModelPrice; readonly asOf: string };
  /** The model's own prices, in order of their start. */
  readonly schedule: readonly DatedModelPrice[];
  readonly entries: readonly AuditEntry[];
  readonly values: PriceValues;
  readonly faults?: PriceFaults;
  readonly rerating?: Rerating;
}

const entriesMax = 20;

/** The prices of a model; the form starts with the price in force. */
export async function modelPriceData(id: string, state: AccountState): Promise<ModelPriceData> {
  const { services: { store, directory }, nowMs } = state;
  const row = priceRow(id, directory, nowMs);
  const facts = catalogModel(id);
  const price = facts && priceInForce(facts.price, nowMs);
  const filter = { kind: "model", text: id } as const;
  const found = await tryLoad(listAuditEntries(store, { filter, limit: entriesMax }));
  return {
    row,
    ...(price && { listed: { price, asOf: facts.asOf } }),
    schedule: scheduleOf(directory.model(id)?.price),
    entries: found?.entries.filter(({ targetId }) => targetId === id) ?? [],
    values: priceValues(row.price),
  };
}
