import type { Caller } from "../accounts/authorize.ts";
import type { LimitState, Note } from "../canonical/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { Share } from "./allowances.ts";
import { type Cost, costOf, type PriceOf } from "./cost.ts";
import { spareOf } from "./leases/lease.ts";
import type { Price } from "./price.ts";

/** The most that a call may use and cost, estimated before it is sent. */
export interface CostEstimate {
  readonly caller: Caller;
  readonly model: string;
  /** Absent: the model has no price and the call costs nothing. */
  readonly price?: Price;
  /** Finds the price of another model that takes a part in the answer, as it counted when the call began. */
  readonly priceOf?: PriceOf;
  /** Prices by the upstream's name of the model, where a candidate's may be another than `price`. */
  readonly prices?: ReadonlyMap<string, Price>;
  /** With an answer as long as it may be; 0 where it costs nothing. */
  readonly boundNanoUsd: bigint;
  /** With an answer that is likely long enough, where the caller sets no limit; absent: as `boundNanoUsd`. */
  readonly enoughNanoUsd?: bigint;
  /** With the shortest answer that is of use: with less the call is not sent. */
  readonly leastNanoUsd: bigint;
  /** How long each alternative may be where so much pays for the call; absent where nothing can limit it. */
  readonly outputTokensFor?: (nanoUsd: bigint) => number;
  /** Prompt and answer together, as such calls have had. */
  readonly tokens: number;
}

/** What is set aside for a call in flight. Ends exactly once, by `settle`. */
export interface Hold extends CostEstimate {
  readonly shares: readonly Share[];
  /** How long each alternative may be, for what is set aside; absent: as long as it may be anyway. */
  readonly outputTokens?: number;
  /** The isolate's epoch when it was set aside; see `Membership`. */
  readonly epoch: number;
}

/** What a row's usage costs; undefined where it has no price. */
export function costOfRow(
  { usage, upstreamModel = "" }: RequestLogRow,
  { price, prices, priceOf, caller }: CostEstimate,
): Cost | undefined {
  const answered = prices?.get(upstreamModel) ?? price;
  return answered && usage ? costOf(usage, answered, caller.group.priceRatio, priceOf) : undefined;
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

/** The output limit that the shares pay for; none where they pay for the longest answer. */
export function outputTokensOf(
  { boundNanoUsd, outputTokensFor }: CostEstimate,
  shares: readonly Share[],
): { outputTokens?: number } {
  const reserved = shares.filter(({ request, lease }) =>
    request.kind === "money" && lease.limit.type !== "none"
  ).map(({ reserved }) => reserved);
  const pays = reserved.reduce((least, one) => one < least ? one : least, boundNanoUsd);
  if (pays >= boundNanoUsd || !outputTokensFor) return {};
  return { outputTokens: outputTokensFor(pays) };
}

/** How the limits that bind a call stand, the call itself counted. */
export function statesOf(hold?: Hold): readonly LimitState[] {
  return (hold?.shares ?? []).flatMap(({ lease, request }) => {
    if (lease.limit.type === "none") return [];
    return [{ ...request.state, remaining: spareOf(lease) }];
  });
}
