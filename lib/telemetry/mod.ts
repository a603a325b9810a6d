/** For the operator: log lines, metrics, spans and the start-up notices. */
export {
  logFailure,
  logLine,
  reportAcceptFailure,
  reportBackgroundFailure,
  reportOpened,
  reportRefusal,
  reportThrown,
  reportUnlisted,
} from "./log.ts";
export { CallLog } from "./call_log.ts";
export { type CallSpans, coverSpans } from "./call_spans.ts";
export { CallTelemetry } from "./call_telemetry.ts";
export { watchStore } from "./store_watch.ts";
export { Metrics } from "./metrics.ts";
export { RuntimeCheck, type RuntimeFault } from "./runtime_check.ts";
export { type StartupNotices, welcome } from "./welcome.ts";
