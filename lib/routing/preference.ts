import type { Settings } from "../store/catalog/mod.ts";
import type { Candidate } from "../upstreams/upstream.ts";
import type { HealthView } from "./health.ts";

/** Smaller differences in latency are noise. */
const latencyGrainMs = 100;

/**
 * The order among upstreams of one priority; undefined if they share calls by weight. `rateOf` gives
 * the price of an upstream's own model, for prompt and answer together; one without a price comes last.
 */
export function preferenceOf(
  order: Settings["upstreamOrder"],
  { health, rateOf, now }: {
    readonly health: Pick<HealthView, "observed">;
    readonly rateOf: (upstreamModel: string) => number | undefined;
    readonly now: () => number;
  },
): ((candidate: Candidate) => number) | undefined {
  switch (order) {
    case "even":
      return undefined;
    case "cheapest":
      return ({ upstreamModel }) => rateOf(upstreamModel) ?? Infinity;
    case "fastest":
      return (candidate) => {
        const { firstByteMs = 0 } = health.observed(candidate, now()); // an unknown one is tried
        return Math.round(firstByteMs / latencyGrainMs);
      };
    default:
      return order satisfies never;
  }
}
