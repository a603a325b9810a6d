/** For the operator: log lines, metrics and the start-up notices. */
export {
  logFailure,
  logLine,
  reportBackgroundFailure,
  reportOpened,
  reportThrown,
  reportUnlisted,
} from "./log.ts";
export { watchStore } from "./store_watch.ts";
export { Metrics } from "./metrics.ts";
export { RuntimeCheck, type RuntimeFault } from "./runtime_check.ts";
export { coverSpans } from "./span_address.ts";
export { type StartupNotices, welcome } from "./welcome.ts";
