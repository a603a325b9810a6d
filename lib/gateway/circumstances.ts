import type { Circumstances } from "../routing/mod.ts";
import type { GatewayDeps } from "./dependencies.ts";

/** The state that the order of candidates depends on. */
export function circumstancesOf(
  { health, clock, random, lists, preference }: GatewayDeps,
): Circumstances {
  return { health, nowMs: clock.now(), random, lists: lists(), preference: preference() };
}
