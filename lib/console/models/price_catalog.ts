import { updateModels } from "../../store/catalog/mod.ts";
import { type AuditContext, auditEntry, changesBetween } from "../audit/audit.ts";
import type { AccountState } from "../session/state.ts";
import { isOutdated, type PriceRow, priceRows } from "./price_rows.ts";
import { priceWords } from "./price_words.ts";
import { isBare, priced } from "./set_price.ts";

/** A rate for which a model's own price differs from the catalog. */
interface PriceDifference {
  /** The field's name in the audit log, such as `inputPrice`. */
  readonly field: string;
  readonly own?: string;
  readonly listed?: string;
}

/** A model with its own price, and the differences from the catalog. */
export interface OutdatedPrice {
  readonly id: string;
  readonly differences: readonly PriceDifference[];
}

/** The maximum number of models that one commit resets. */
export const takenMax = 90;

/** Models whose own price differs from the catalog's. */
export function outdatedPrices({ services: { directory }, nowMs }: AccountState): OutdatedPrice[] {
  return priceRows(directory, nowMs).filter(isOutdated).map((row) => ({
    id: row.id,
    differences: differencesOf(row),
  }));
}

/**
 * Resets models to the catalog's price: deletes their own prices in one commit, with an audit entry
 * for each.
 */
export async function takeListed(ids: readonly string[], ctx: AuditContext): Promise<number> {
  const { services: { store, directory }, nowMs } = ctx.state;
  const rows = new Map(priceRows(directory, nowMs).map((row) => [row.id, row]));
  const outdated = ids.filter((id) => rows.get(id)?.listed).slice(0, takenMax);
  const taken = await updateModels(store, outdated, {
    change: (model) => isBare(model) ? undefined : priced(model, undefined),
    audit: ({ id }) => {
      const row = rows.get(id);
      const changes = changesBetween(
        { ...priceWords(row?.price), priceSource: "own" },
        { ...priceWords(row?.listed), priceSource: "catalog" },
      );
      const target = { targetId: id, targetName: id };
      return auditEntry(ctx, { kind: "model", action: "changed", ...target, changes });
    },
  });
  return taken.length;
}

function differencesOf({ price, listed }: PriceRow): PriceDifference[] {
  return changesBetween(priceWords(price), priceWords(listed)).map(({ field, before, after }) => ({
    field,
    ...(before !== undefined && { own: before }),
    ...(after !== undefined && { listed: after }),
  }));
}
