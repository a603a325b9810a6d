import type { Prices } from "../ledger/mod.ts";
import type { Circumstances, Health } from "../routing/mod.ts";
import type { Settings } from "../store/catalog/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** The state that the order of candidates depends on. */
export function circumstancesOf(
  { health, clock, random, lists, preference }: GatewayDeps,
): Circumstances {
  const preferred = preference();
  const now = { health, nowMs: clock.now(), random, lists: lists() };
  return preferred ? { ...now, preference: preferred } : now;
}

/** Smaller differences in latency are noise. */
const latencyGrainMs = 100;

/** The order of the setting; undefined if upstreams share calls by weight. */
export function preferenceOf(
  order: Settings["upstreamOrder"],
  { health, prices }: { readonly health: Pick<Health, "observed">; readonly prices: Prices },
): ((candidate: Candidate) => number) | undefined {
  switch (order) {
    case "even":
      return undefined;
    case "cheapest":
      return (candidate) => rateOf(candidate, prices);
    case "fastest":
      return (candidate) => {
        const { firstByteMs = 0 } = health.observed(candidate, Date.now()); // an unknown one is tried
        return Math.round(firstByteMs / latencyGrainMs);
      };
    default:
      return order satisfies never;
  }
}

/** The rates of the upstream's own model, prompt and answer together; one without a price comes last. */
function rateOf({ upstreamModel: model }: Candidate, prices: Prices): number {
  const price = prices.priceFor({ model }, Date.now());
  return price ? Number(price.rates.inputTokens + price.rates.outputTokens) : Infinity;
}
