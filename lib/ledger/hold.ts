import type { Caller } from "../accounts/authorize.ts";
import type { LimitState, Note } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/mod.ts";
import type { Share } from "./allowances.ts";
import { type Cost, costOf, type PriceOf } from "./cost.ts";
import { spareOf } from "./lease.ts";
import type { Price } from "./price.ts";

/** What a call wants to use, before it is sent. */
export interface Wanted {
  readonly caller: Caller;
  readonly model: string;
  /** Absent: the model has no price and the call costs nothing. */
  readonly price?: Price;
  /** Finds the price of another model that takes a part in the answer, as it counted when the call began. */
  readonly priceOf?: PriceOf;
  /** At most; 0 where it costs nothing. */
  readonly boundNanoUsd: bigint;
  /** What it costs at least: its prompt, and hardly an answer. */
  readonly leastNanoUsd: bigint;
  /** Prompt and answer together, at most. */
  readonly tokens: number;
}

/** What is set aside for a call in flight. Ends exactly once, by `settle`. */
export interface Hold extends Wanted {
  readonly shares: readonly Share[];
  /** The isolate's losses when it was set aside; see `Membership`. */
  readonly losses: number;
}

/** What a row's usage costs; undefined where it has no price. */
export function costOfRow(
  { usage }: RequestLogRow,
  { price, priceOf, caller }: Wanted,
): Cost | undefined {
  return price && usage ? costOf(usage, price, caller.group.priceRatio, priceOf) : undefined;
}

/** The row with what it is charged, and why where a tier without a price served it. */
export function chargedRow(row: RequestLogRow, cost: Cost): RequestLogRow {
  const { notes = [] } = row;
  const unpriced = (cost.unpriced ?? []).map(unpricedNote);
  return {
    ...row,
    costNanoUsd: cost.nanoUsd,
    costLines: cost.lines,
    ...(unpriced.length > 0 && { notes: [...notes, ...unpriced] }),
  };
}

function unpricedNote(tier: string): Note {
  return {
    path: "serviceTier",
    action: "clamped",
    reason: `Served as ${tier}, which has no price: charged at the dearest rates that are known`,
  };
}

/** How the limits that bind a call stand, the call itself counted. */
export function statesOf(hold?: Hold): readonly LimitState[] {
  return (hold?.shares ?? []).flatMap(({ lease, claim }) => {
    if (lease.limit.type === "none") return [];
    return [{ ...claim.state, remaining: spareOf(lease) }];
  });
}
