import { isDeepStrictEqual } from "node:util";
import { catalogFeed, catalogModel } from "../../catalog/mod.ts";
import {
  addPriceTake,
  feedChangeOf,
  listPriceTakes,
  type Model,
  type ModelPrice,
  type ModelPrices,
  type PriceFeed,
  priceInForce,
  type PriceTake,
  updateModels,
} from "../../store/catalog/mod.ts";
import { PriceFeedError } from "../../prices/mod.ts";
import type { AuditChange } from "../../store/audit/mod.ts";
import { newOrderedId } from "../../store/kv/id.ts";
import { type ActingState, type AuditContext, auditEntry, changesBetween } from "../audit.ts";
import { type PriceRow, priceRows } from "./model_rows.ts";
import { isBare, momentText, priced, priceWords, withPrice } from "./price_changes.ts";

/** A difference between the price in force and the feed's. */
export interface PriceProposal {
  readonly id: string;
  readonly source: PriceRow["source"];
  readonly current?: ModelPrice;
  readonly proposed: ModelPrice;
  readonly changes: readonly AuditChange[];
  /** The feed: the address of the last refresh, or the name of the catalog's. */
  readonly feed: string;
  /** The page that states the proposed price. */
  readonly page?: string;
  /** The first time that the feed had this price. */
  readonly sinceMs: number;
}

/** The maximum number of proposals that one commit takes. */
export const takenMax = 90;

/** Every difference between the feed and the prices in force, by model; declared prices have none. */
export function priceProposals({ services: { directory }, nowMs }: ActingState): PriceProposal[] {
  return priceRows(directory, nowMs).flatMap((row) =>
    proposalOf(row, directory.priceFeed(), nowMs)
  );
}

function proposalOf(
  row: PriceRow,
  feed: PriceFeed | undefined,
  nowMs: number,
): PriceProposal[] {
  const { id, as = id, source, price: current } = row;
  const fed = feedChangeOf(feed, id) ?? feedChangeOf(feed, as);
  const listed = catalogModel(id) ?? catalogModel(as);
  const proposed = fed?.price ?? (listed && priceInForce(listed.price, nowMs));
  if (!proposed || source === "declared") return [];
  const changes = changesBetween(priceWords(current), priceWords(proposed));
  if (changes.length === 0) return [];
  const origin = fed?.price && feed
    ? { feed: feed.url, sinceMs: fed.sinceMs, page: fed.page }
    : { feed: catalogFeed.name, sinceMs: Date.parse(catalogFeed.asOf), page: listed?.page };
  const { page, ...about } = origin;
  return [{
    ...{ id, source, proposed, changes, ...about },
    ...(current && { current }),
    ...(page !== undefined && { page }),
  }];
}

/** The feed as fetched, or the reason why the last one stays. */
type RefreshResult =
  | { readonly type: "refreshed"; readonly feed: PriceFeed }
  | { readonly type: "failed"; readonly reason: string };

/** Fetches the feed; no price changes. Undefined if the console runs without a gateway. */
export async function refreshPrices(
  { services: { prices } }: ActingState,
): Promise<RefreshResult | undefined> {
  try {
    return prices && { type: "refreshed", feed: await prices.refresh() };
  } catch (error) {
    if (!(error instanceof PriceFeedError)) throw error;
    return { type: "failed", reason: error.message };
  }
}

/**
 * Takes the proposals of up to 90 models in one commit, with an audit entry for each. They apply
 * from `fromMs`, or from the next call on. Undefined if none of the models has a proposal.
 */
export async function takeProposals(
  ids: readonly string[],
  { fromMs }: { readonly fromMs?: number },
  ctx: AuditContext,
): Promise<PriceTake | undefined> {
  const { state, state: { nowMs } } = ctx;
  const proposals = new Map(priceProposals(state).map((one) => [one.id, one]));
  const taken = ids.filter((id) => proposals.has(id)).slice(0, takenMax);
  const nextOf = ({ id, price }: Model) => {
    const proposal = proposals.get(id);
    return proposal ? priceAfter(price, proposal, { fromMs, nowMs }) : price;
  };
  const changesOf = (id: string) => [
    ...proposals.get(id)?.changes ?? [],
    ...(fromMs === undefined ? [] : [{ field: "priceFrom", after: momentText(fromMs) }]),
  ];
  return await commitPrices(taken, { nextOf, changesOf }, ctx);
}

/** Undefined if the catalog has the proposed price already; else the own prices with it. */
function priceAfter(
  own: ModelPrices | undefined,
  { id, proposed }: PriceProposal,
  { fromMs, nowMs }: { readonly fromMs?: number | undefined; readonly nowMs: number },
): ModelPrices | undefined {
  const listed = catalogModel(id)?.price;
  const isListed = listed && priceInForce(listed, nowMs) === proposed;
  if (isListed && fromMs === undefined) return undefined;
  const { from: _, ...price }: ModelPrice & { readonly from?: string } = proposed;
  return withPrice(own ?? listed, { price, fromMs: fromMs ?? nowMs, nowMs });
}

/** Restores the prices from before a take, except those that have changed since. */
export async function undoTake(
  id: string,
  ctx: AuditContext,
): Promise<PriceTake | undefined> {
  const { services: { store }, nowMs } = ctx.state;
  const take = (await listPriceTakes(store)).find((one) => one.id === id);
  if (!take || take.undoneAtMs !== undefined) return undefined;
  const former = new Map(take.models.map((one) => [one.id, one]));
  const nextOf = ({ id, price }: Model) => {
    const { before, after } = former.get(id) ?? {};
    return isDeepStrictEqual(price, after) ? before : price;
  };
  const changesOf = (id: string) => {
    const { before, after } = former.get(id) ?? {};
    const [was, is] = [after, before].map((prices) =>
      priceWords(priceInForce(prices ?? catalogModel(id)?.price ?? [], nowMs))
    );
    return changesBetween(was, is);
  };
  const ids = take.models.map(({ id }) => id);
  return await commitPrices(ids, { nextOf, changesOf, undone: take }, ctx);
}

interface PriceChanges {
  readonly nextOf: (model: Model) => ModelPrices | undefined;
  readonly changesOf: (id: string) => readonly AuditChange[];
  /** The take that the commit undoes; absent: the commit is a take. */
  readonly undone?: PriceTake;
}

async function commitPrices(
  ids: readonly string[],
  { nextOf, changesOf, undone }: PriceChanges,
  ctx: AuditContext,
): Promise<PriceTake | undefined> {
  const { services: { store, directory }, nowMs, account: { user } } = ctx.state;
  const made: { take?: PriceTake } = {};
  await updateModels(store, ids, {
    nowMs,
    change: (model) => changed(model, nextOf(model)),
    audit: ({ id }) => {
      const target = { targetId: id, targetName: id };
      return auditEntry(ctx, {
        kind: "model",
        action: "changed",
        ...target,
        changes: changesOf(id),
      });
    },
    along: async (operation, models) => {
      const fresh = { id: newOrderedId(nowMs), atMs: nowMs, actorName: user.email };
      made.take = undone ? { ...undone, undoneAtMs: nowMs } : {
        ...fresh,
        models: models.map((model) => takenModel(model, nextOf(model))),
      };
      await addPriceTake(store, operation, made.take);
    },
  });
  await directory.refresh();
  return made.take;
}

/** The same record if its price stays; undefined if nothing is left in it. */
function changed(model: Model, price: ModelPrices | undefined): Model | undefined {
  if (isDeepStrictEqual(model.price, price)) return model;
  return price === undefined && isBare(model) ? undefined : priced(model, price);
}

function takenModel({ id, price: before }: Model, after: ModelPrices | undefined) {
  return { id, ...(before && { before }), ...(after && { after }) };
}
