import { cacheAdviceText } from "../../../canonical/mod.ts";

/** The saving of upstreams' caches, and the causes of misses. */
export const caches = {
  title: "Prompt cache",
  saving: "Cache saving",
  savingText: "The cost of the same calls without prompt caches, minus their cost.",
  misses: (count: number, shown: string) => count === 1 ? "1 miss" : `${shown} misses`,
  latest: "Latest calls that missed a cache",
  call: "Call",
  cause: "Cause",
  causes: {
    model: "Another model",
    upstream: "Another upstream or credential",
    expired: "The cache expired",
    unknown: "Nothing changed: the upstream no longer had the cache",
    system: "The system prompt changed",
  },
  tool: (position: string) => `Tool ${position} changed`,
  message: (position: string) => `Message ${position} changed`,
  advice: cacheAdviceText,
  because: (cause: string, advice: string) => `${cause}. ${advice}`,
  neverRead: (name: string, tokens: string, amount: string) =>
    `${name} wrote ${tokens} tokens to prompt caches in 24 hours and read none, which cost ${amount} more than no cache.`,
  session: (id: string, key: string) => `Session ${id} of ${key}`,
};
