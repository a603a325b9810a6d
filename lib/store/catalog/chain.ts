/** The failures of one member of a chain after which the next one may answer. */
export const chainCauses = ["outage", "rate-limit", "timeout", "window", "refusal"] as const;
/**
 * `outage`: errors and connections that fail; `timeout`: no first byte in time; `window`: the
 * prompt does not fit; `refusal`: a content filter or the model refuses before anything was sent.
 */
export type ChainCause = typeof chainCauses[number];

/** A model that may answer the calls of a virtual one. It serves a call only if all conditions hold. */
export interface ChainMember {
  /** A name that upstreams serve; never another virtual model. */
  readonly model: string;
  /** The failures of the members before it after which it is tried; absent: all. */
  readonly causes?: readonly ChainCause[];
  /** The per cent of sessions that it serves; absent: all. A session keeps its side. */
  readonly sharePercent?: number;
  /** The time of day in UTC, such as `22:00-06:00`. */
  readonly hours?: string;
  /** Serves a call once this per cent of a budget of its key is spent. */
  readonly budgetPercent?: number;
  /** Serves only calls that stream, or only others. */
  readonly stream?: boolean;
  /** Serves only calls with tools, or only others. */
  readonly tools?: boolean;
  /** Serves only calls with images, or only others. */
  readonly images?: boolean;
}

/** Maximum members of a virtual model. */
export const chainMembersMax = 8;

/** The reason why a member of a chain was not tried. */
export const skipReasons = [
  "stream",
  "tools",
  "images",
  "share",
  "hours",
  "budget",
  "unserved",
  "unpriced",
  "window",
  "paused",
  "unhealthy",
  "cause",
] as const;
export type SkipReason = typeof skipReasons[number];

/** A member that a call passed over. */
export interface SkippedMember {
  readonly model: string;
  readonly reason: SkipReason;
}

/** The part of a call's row about its virtual model. */
export interface CalledChain {
  /** The name that the caller stated. */
  readonly name: string;
  /** The members that were not tried, with the reason; absent: none. */
  readonly skipped?: readonly SkippedMember[];
}
