/**
 * The difference from the call before for which its cache did not serve: the model, the upstream or
 * its credential, or the first block of the prompt, counted from 1. `expired`: the cache was not
 * used for longer than it lives. `unknown`: nothing differed.
 */
export type CacheMiss =
  | "model"
  | "upstream"
  | "expired"
  | "unknown"
  | "system"
  | `tool ${number}`
  | `message ${number}`;

/** The setting that lets calls use a cache, or that stops writing it. */
export type CacheAdvice =
  | "one-model"
  | "one-upstream"
  | "lifetime"
  | "stable-prefix"
  | "attribution"
  | "automatic-caching"
  | "breakpoints";

/** The facts of a call that advice depends on. */
interface AdvisedCall {
  readonly userAgent?: string;
  /** The format of the caller, and that of the upstream. */
  readonly format: string;
  readonly upstreamFormat?: string;
}

const adviceOf = {
  model: "one-model",
  upstream: "one-upstream",
  expired: "lifetime",
} as const satisfies Partial<Record<CacheMiss, CacheAdvice>>;

/** The one setting that helps calls like this one, whose usual miss is known, or which never read. */
export function cacheAdviceFor(miss: CacheMiss | undefined, call: AdvisedCall): CacheAdvice {
  if (miss === undefined || miss === "unknown") {
    return call.format === call.upstreamFormat ? "breakpoints" : "automatic-caching";
  }
  if (miss === "system" && hasMovingAttribution(call.userAgent)) return "attribution";
  return miss in adviceOf ? adviceOf[miss as keyof typeof adviceOf] : "stable-prefix";
}

/** Claude Code's first system block changed within a conversation until 2.1.181. */
const attributionFixedAt = [2, 1, 181] as const;

function hasMovingAttribution(userAgent = ""): boolean {
  const found = /^claude-cli\/(\d+)\.(\d+)\.(\d+)/.exec(userAgent);
  if (!found) return false;
  const version = found.slice(1).map(Number);
  const at = attributionFixedAt.findIndex((part, index) => part !== version[index]);
  return at >= 0 && version[at] < attributionFixedAt[at];
}

/** Each advice in one English sentence. */
export const cacheAdviceText: Readonly<Record<CacheAdvice, string>> = {
  "one-model": "Keep one model for the whole session: each model has a cache of its own",
  "one-upstream":
    "Give the model one upstream with one credential, or put the others behind it by priority: each has a cache of its own",
  lifetime:
    'Ask for a lifetime of an hour ("ttl": "1h"): the calls are further apart than five minutes',
  "stable-prefix":
    "Keep the beginning of the prompt the same: move the block that changes behind those that do not",
  attribution:
    "Set CLAUDE_CODE_ATTRIBUTION_HEADER=0, or update Claude Code: its first system block changes from call to call",
  "automatic-caching":
    'Turn the cache off for these calls ("prompt_cache_options": {"mode": "explicit"}), or for the upstream (automaticCaching): no prompt begins like an earlier one',
  breakpoints:
    "Take cache_control off these calls, or move it to the end of what they share: no prompt begins like an earlier one",
};
