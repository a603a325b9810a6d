/** Finds the upstreams for a model, and tracks their health. */
export { candidatesFor, type RouteQuery } from "./candidates.ts";
export { type Clock, systemClock } from "./clock.ts";
export { explainRoute, type RouteVerdict } from "./explain.ts";
export {
  type AttemptResult,
  firstSuccess,
  type StartedAnswer,
  type TryBounds,
} from "./first_success.ts";
export { Health, type HealthRow, type HealthView } from "./health.ts";
export type { HealthOptions } from "./health_options.ts";
export type { Observed } from "./observation.ts";
export type { AttemptHandle, Opened } from "./attempt_handle.ts";
export type { HealthStatus, State } from "./health_status.ts";
export { withChanges } from "./with_changes.ts";
