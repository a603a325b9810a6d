import type { Caller } from "../accounts/authorize.ts";
import { clamped, type LimitState, type Note } from "../canonical/mod.ts";
import type { RosterMember } from "../roster.ts";
import type { CostTerms } from "../store/catalog/mod.ts";
import type { RequestLogRow } from "../store/log/mod.ts";
import type { Share } from "./allowances.ts";
import { type Cost, costOf, type PriceOf } from "./cost.ts";
import { spareOf } from "./leases/lease.ts";
import { minAmount, type Price } from "./price.ts";
import type { ChargeClaim, EndedCall } from "./charge.ts";
import type { Prices } from "./prices.ts";
import { upstreamCostOf } from "./upstream_cost.ts";

/** The most that a call may use and cost, estimated before it is sent. */
export interface CostEstimate {
  readonly caller: Caller;
  readonly model: string;
  /** Absent: the model has no price and the call costs nothing. */
  readonly price?: Price;
  /** Looks up the price of another model in the answer, as of the start of the call. */
  readonly priceOf?: PriceOf;
  /** Looks up the price of a model for the operator. */
  readonly upstreamPriceFor?: Prices["upstreamPriceFor"];
  /** Prices by `answeredName`, if candidates differ in price or are members of a virtual model. */
  readonly prices?: ReadonlyMap<string, Price>;
  /** The cost with the longest allowed answer; 0 if the call is free. */
  readonly boundNanoUsd: bigint;
  /** The cost with a likely answer, if the caller sets no limit; absent: `boundNanoUsd`. */
  readonly enoughNanoUsd?: bigint;
  /** The cost with the shortest useful answer; with less money the call is refused. */
  readonly leastNanoUsd: bigint;
  /** The output limit that an amount pays for, per alternative; absent if it cannot be limited. */
  readonly outputTokensFor?: (nanoUsd: bigint) => number;
  /** The expected tokens of prompt and answer, judged by recent calls. */
  readonly tokens: number;
}

/** The reservations of a call in flight. Ended exactly once, by `settle`. */
export interface Hold {
  readonly estimate: CostEstimate;
  readonly shares: readonly Share[];
  /** The output limit for each alternative that the reservations pay for; undefined: not lowered. */
  readonly outputTokens: number | undefined;
  /** The isolate's epoch at reservation time; see `Membership`. */
  readonly epoch: number;
  /** The cost terms of the upstream that is tried; undefined: list prices. */
  terms: CostTerms | undefined;
  /** Present for a call with an idempotency key. */
  claim: ChargeClaim | undefined;
  /** Its entry among the calls in flight, once it is watched. */
  flight: Flight | undefined;
  /** The call once it has ended. */
  ended: EndedCall | undefined;
}

/** A call in flight. */
export interface Flight extends RosterMember {
  readonly hold: Hold;
  /** The row to log if the isolate dies now. */
  row: () => RequestLogRow | undefined;
  /** The start of the watch, on the monotonic clock. */
  readonly sinceMs: number;
}

export function holdOf(estimate: CostEstimate, shares: readonly Share[], epoch: number): Hold {
  const outputTokens = outputTokensOf(estimate, shares);
  return {
    estimate,
    shares,
    outputTokens,
    epoch,
    terms: undefined,
    claim: undefined,
    flight: undefined,
    ended: undefined,
  };
}

/** The names of the model that answered. */
export interface AnsweredName {
  readonly upstreamModel: string;
  /** The member of a virtual model. */
  readonly model?: string | undefined;
}

/** Both names as one; a name contains no line break. */
export function answeredName({ upstreamModel, model }: AnsweredName): string {
  return model === undefined ? upstreamModel : `${model}\n${upstreamModel}`;
}

/**
 * The row with its charge, its upstream cost if that differs, and a note if an unpriced tier served
 * it; and the charge if no limit lowers it.
 */
export function chargedRow(
  row: RequestLogRow,
  { estimate, terms }: Hold,
): { readonly row: RequestLogRow; readonly nanoUsd: bigint } {
  const { prices, priceOf, upstreamPriceFor, caller: { group: { priceRatio } } } = estimate;
  const { usage, upstreamModel = "", model, chain } = row;
  const price = chain
    ? prices?.get(answeredName({ upstreamModel, model }))
    : prices?.get(upstreamModel) ?? estimate.price;
  const cost = price && usage && costOf(usage, price, priceRatio, priceOf);
  const upstreamCost = upstreamCostOf(row, { price, cost, priceRatio, terms, upstreamPriceFor });
  const known = upstreamCost ? { ...row, upstreamCost } : row;
  return cost ? { row: withCost(known, cost), nanoUsd: cost.nanoUsd } : { row: known, nanoUsd: 0n };
}

function withCost(row: RequestLogRow, { nanoUsd, lines, unpriced }: Cost): RequestLogRow {
  const charged = { ...row, costNanoUsd: nanoUsd, costLines: lines };
  if (!unpriced) return charged;
  return { ...charged, notes: [...row.notes ?? [], ...unpriced.map(unpricedNote)] };
}

function unpricedNote(tier: string): Note {
  const reason = `Served as ${tier}, which has no price, so the highest known rates were charged`;
  return clamped("serviceTier", reason);
}

/** The output limit that the shares pay for; undefined if they pay for the longest answer. */
function outputTokensOf(
  { boundNanoUsd, outputTokensFor }: CostEstimate,
  shares: readonly Share[],
): number | undefined {
  let pays = boundNanoUsd;
  for (const { lease, reserved } of shares) {
    if (lease.kind === "money" && lease.limit.type !== "none") pays = minAmount(pays, reserved);
  }
  return pays < boundNanoUsd ? outputTokensFor?.(pays) : undefined;
}

/** The state of each limit per minute that binds a call, after its own reservation. */
export function statesOf(hold?: Hold): readonly LimitState[] {
  const states: LimitState[] = [];
  for (const { lease, limit: { state } } of hold?.shares ?? []) {
    const { name, kind, limit, resetsAtMs } = state;
    if (kind !== "requests" && kind !== "tokens") continue; // no vendor's headers report the others
    states.push({ name, kind, limit, remaining: spareOf(lease), resetsAtMs });
  }
  return states;
}
