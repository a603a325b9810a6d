import {
  GatewayError,
  hasHiddenAmounts,
  type LimitOwner,
  type LimitState,
  limitTitle,
  ownerPath,
  resetInWords,
  rollingIn,
  usdText,
} from "../canonical/mod.ts";
import type { Group } from "../store/catalog/mod.ts";

/** The highest cost of a call, and the cost of its shortest useful answer. In nano-dollars. */
interface Needed {
  readonly mostNanoUsd: bigint;
  /** Absent: `mostNanoUsd`. */
  readonly leastNanoUsd?: bigint;
}

/**
 * 402: the rest of a budget or of a wallet does not pay for a call. Sets `Retry-After` only if the
 * budget's next period would pay for it.
 */
export function moneyRefusal(
  state: LimitState,
  { mostNanoUsd, leastNanoUsd = mostNanoUsd }: Needed,
  nowMs: number,
): GatewayError {
  const resets = resetInWords(state, nowMs);
  const needs = leastNanoUsd < mostNanoUsd
    ? `needs at least ${usdText(leastNanoUsd)} and may cost`
    : "may cost";
  const message = `Cannot start the call: ${moneyLeft(state)}, ` +
    `this call ${needs} up to ${usdText(mostNanoUsd)}` +
    `${
      resets === undefined
        ? ""
        : `; it ${rollingIn(state) ? "has room for it" : "resets"} on ${resets}`
    }: ${remedyOf(state, leastNanoUsd)}`;
  return new GatewayError("insufficient_quota", message, {
    limit: state,
    ...(isEverEnough(state, leastNanoUsd) && retryAfter(state, nowMs)),
  });
}

function moneyLeft(state: LimitState): string {
  const { limit, remaining } = state;
  const title = limitTitle(state);
  if (hasHiddenAmounts(state)) return `the ${title} leaves too little`;
  if (isOfSession(state) && limit !== undefined) {
    const used = usdText(limit - remaining);
    return `${used} of the ${title} of ${usdText(limit)} is spent or reserved`;
  }
  const of = limit === undefined ? title : `${title} of ${usdText(limit)}`;
  return `${usdText(remaining)} of the ${of} remains`;
}

/**
 * 429: the requests or tokens of a minute or of a length of time are used up, or the maximum of
 * concurrent requests is reached.
 */
export function rateRefusal(state: LimitState, nowMs: number): GatewayError {
  if (state.kind === "concurrency") return crowded(state);
  const retry = retryAfter(state, nowMs);
  const when = rollingIn(state) && state.resetsAtMs !== undefined
    ? `on ${resetInWords(state, nowMs)}`
    : `in ${retry.retryAfterSeconds ?? placeFreesAfterSeconds}s`;
  return new GatewayError(
    "rate_limit_exceeded",
    `Rate limited: ${rateLeft(state)}. Not charged. Try again ${when}`,
    { limit: state, ...retry },
  );
}

function rateLeft(state: LimitState): string {
  const { limit, remaining } = state;
  const title = limitTitle(state);
  if (hasHiddenAmounts(state)) return `the ${title} are used up`;
  return `${remaining} of ${limit === undefined ? title : `${limit} ${title}`} remain`;
}

/** 403: the model has no price, and the group may use only priced models. */
export function unpricedRefusal(model: string, { id }: Pick<Group, "id">): GatewayError {
  return new GatewayError(
    "model_unpriced",
    `Model '${model}' has no price. Ask an administrator to set one, or to allow unpriced models for the group`,
    { refuser: { owner: "group", id } },
  );
}

/** The unpriced term of a call; empty for fallbacks that the upstream chooses itself. */
interface Unpriced {
  readonly tier?: string;
  readonly region?: string;
  readonly fallback?: string;
}

/** 403: the call requests a tier, a region or a fallback model without a price. */
export function tierRefusal(model: string, { tier, region, fallback }: Unpriced): GatewayError {
  const said = "Cannot start the call:";
  if (tier !== undefined) {
    return new GatewayError(
      "tier_unpriced",
      `${said} service tier ${tier} of model '${model}' has no price. Not charged. Remove the ` +
        `tier, or ask an administrator to set price.serviceTiers.${tier} of the model`,
      { param: "service_tier" },
    );
  }
  if (region !== undefined) {
    return new GatewayError(
      "tier_unpriced",
      `${said} region ${region} of model '${model}' has no price. Not charged. Remove the ` +
        `region, or ask an administrator to set price.regions.${region} of the model`,
      { param: "inference_geo" },
    );
  }
  const which = fallback === undefined
    ? `the upstream would choose the fallback model of '${model}', so its price is unknown. Not charged. ` +
      "Name the fallback models"
    : `fallback model '${fallback}' has no price. Not charged. Remove it, or ask an administrator to ` +
      "set its price";
  return new GatewayError("tier_unpriced", `${said} ${which}`, { param: "fallbacks" });
}

/** A guess: the end of a running call cannot be predicted. */
const placeFreesAfterSeconds = 1;

function crowded(state: LimitState): GatewayError {
  const title = limitTitle(state);
  const used = hasHiddenAmounts(state)
    ? `all places of the ${title} are in use`
    : `the ${title} allows ${state.limit} concurrent requests, and all are in use`;
  return new GatewayError(
    "rate_limit_exceeded",
    `Rate limited: ${used}. Not charged. ` +
      `Try again in ${placeFreesAfterSeconds}s, or raise the limit`,
    { limit: state, retryAfterSeconds: placeFreesAfterSeconds },
  );
}

function remedyOf(state: LimitState, neededNanoUsd: bigint): string {
  if (state.limit === undefined) {
    return "add funds at /console/topup, or shorten the prompt or the answer";
  }
  if (isOfSession(state)) {
    return "start a new session, shorten the prompt or the answer, or raise the budget per session " +
      "of the key or its group, or of the header tessera-session-budget";
  }
  const waits = state.resetsAtMs !== undefined && isEverEnough(state, neededNanoUsd);
  return `${waits ? "wait until then, " : ""}shorten the prompt or the answer, or ${
    raiseOf(state)
  }`;
}

/** The owners of budgets that only administrators raise, and that no account owns. */
const raisedByOthers: ReadonlySet<string> = new Set<LimitOwner>(["project", "organization", "tag"]);

function raiseOf({ name, ownerId = "" }: LimitState): string {
  const [owner] = name.split(" ");
  if (owner === "child") return "sign another child key with a larger budget";
  if (!raisedByOthers.has(owner)) return "raise the budget";
  const page = ownerPath(owner as LimitOwner, ownerId); // checked above
  return `ask an administrator to raise the budget at ${page}`;
}

function isOfSession({ name }: LimitState): boolean {
  return name.startsWith("session ");
}

/** Returns true if the whole unused limit would pay for the call. */
function isEverEnough({ limit }: LimitState, needed: bigint): boolean {
  return limit === undefined || needed <= limit;
}

/** Whole seconds until the limit resets, at least 1. */
function retryAfter(
  { resetsAtMs }: LimitState,
  nowMs: number,
): { readonly retryAfterSeconds?: number } {
  if (resetsAtMs === undefined) return {};
  return { retryAfterSeconds: Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000)) };
}
