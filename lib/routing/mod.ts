/** Finds the upstreams for a model, and tracks their health. */
export { type ChainFacts, firstMember, type MemberWays, unmetCondition } from "./chain.ts";
export { candidatesFor, type Circumstances, type RouteQuery } from "./candidates.ts";
export {
  type AttemptResult,
  type Clock,
  firstSuccess,
  type StartedAnswer,
  systemClock,
  type TryBounds,
} from "./first_success.ts";
export { RetryBudget } from "./retry.ts";
export { preferenceOf } from "./preference.ts";
export { explainChain, explainRoute, type RouteVerdict } from "./explain.ts";
export {
  Health,
  type HealthOptions,
  type HealthRow,
  type HealthView,
  withChanges,
} from "./health.ts";
export type { HealthStatus, ObservedHealth, State } from "./health_status.ts";
export type { AttemptHandle, OpenedBreaker } from "./attempt_handle.ts";
