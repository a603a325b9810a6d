import { otherNames, priceIn, type RowPrice } from "../../admin/models/model_rows.ts";
import { scheduleOf } from "../../admin/models/price_changes.ts";
import { noUsage, type Usage } from "../../canonical/mod.ts";
import { catalogModel } from "../../catalog/mod.ts";
import {
  type Cost,
  costOf,
  createPrices,
  dividedHalfUp,
  type Price,
  type Rates,
  ratioOf,
  ratioUnit,
} from "../../ledger/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";

/** The part of a group that prices depend on. */
export type PricedGroup = Pick<Group, "id" | "priceRatio">;

/** The buckets on a page of prices; a bucket that costs as much as its fallback is left out. */
export const pricedBuckets = [
  "inputTokens",
  "cacheReadTokens",
  "cacheWrite5mTokens",
  "cacheWrite1hTokens",
  "cacheWrite12hTokens",
  "outputTokens",
  "reasoningTokens",
] as const;
export type PricedBucket = typeof pricedBuckets[number];

/**
 * The price of a model in one group: nano-dollars per million tokens, including the group's ratio.
 */
export interface GroupPrice {
  readonly groupId: string;
  /** Tiers by prompt length, shortest first; the first has no lower bound. */
  readonly tiers: readonly {
    readonly aboveInputTokens?: number;
    readonly rates: Readonly<Record<PricedBucket, bigint>>;
  }[];
  /** Nano-dollars for each call. */
  readonly requestNanoUsd: bigint;
  /** Nano-dollars for 1,000 calls of each hosted tool. */
  readonly hostedTools: readonly { readonly kind: string; readonly nanoUsd: bigint }[];
}

/** The price in force; undefined for a model without one. */
export function currentPrice(
  modelId: string,
  directory: Pick<Directory, "models" | "upstreams">,
  nowMs: number,
): Price | undefined {
  const prices = createPrices(() => directory.models());
  const names = otherNames(directory).get(modelId) ?? [];
  return [modelId, ...names]
    .map((upstreamModel) => prices.priceFor({ model: modelId, upstreamModel }, nowMs))
    .find((price) => price !== undefined);
}

export function groupPrice(price: Price, { id, priceRatio }: PricedGroup): GroupPrice {
  const own = (nanoUsd: bigint) => dividedHalfUp(nanoUsd * ratioOf(priceRatio), ratioUnit);
  const ownRates = (rates: Rates) =>
    // Sound: every bucket of the list is set.
    Object.fromEntries(pricedBuckets.map((name) => [name, own(rates[name])])) as Record<
      PricedBucket,
      bigint
    >;
  const tiers = price.tiers.toReversed().map(({ aboveInputTokens, rates }) => ({
    aboveInputTokens,
    rates: ownRates(rates),
  }));
  return {
    groupId: id,
    tiers: [{ rates: ownRates(price.rates) }, ...tiers],
    requestNanoUsd: own(price.requestNanoUsd),
    hostedTools: Object.entries(price.hostedTools).map(([kind, nanoUsd]) => ({
      kind,
      nanoUsd: own(nanoUsd),
    })),
  };
}

/** The calculator's input: tokens of one call, and the number of such calls. */
export interface Estimate {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly calls: number;
}

const countMax = 1_000_000_000;

/**
 * Reads `?input=&cached=&output=&calls=`. Missing or invalid counts become those of a small call.
 */
export function readEstimate(fields: URLSearchParams): Estimate {
  const count = (name: string, usual: number) => {
    const text = (fields.get(name) ?? "").trim();
    return /^\d{1,10}$/.test(text) ? Math.min(Number(text), countMax) : usual;
  };
  return {
    input: count("input", 1_000),
    cached: count("cached", 0),
    output: count("output", 500),
    calls: count("calls", 1_000),
  };
}

/** The charge for one such call, computed like the charge of a real call. */
export function estimatedCost(
  price: Price,
  { priceRatio }: PricedGroup,
  { input, cached, output }: Estimate,
): Cost {
  const usage: Usage = {
    ...noUsage,
    inputTokens: input,
    cacheReadTokens: cached,
    outputTokens: output,
  };
  return costOf(usage, price, priceRatio);
}

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
  const names = [id, ...otherNames(directory).get(id) ?? []];
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
