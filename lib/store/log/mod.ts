/** The log of calls. */
export { noteLogRetention } from "./log_retention.ts";
export {
  countRequestLogs,
  getRequestLog,
  isLogCursor,
  listRequestLogs,
  type LogFilter,
  type RequestLogPage,
  type SearchBounds,
  streamRequestLogs,
} from "./request_log.ts";
export { readsRows } from "./log_scan.ts";
export {
  type Attempt,
  attemptsKeptMax,
  type CalledEndpoint,
  calledEndpoint,
  type CalledWith,
  type CostLine,
  failureOf,
  type RequestLogRow,
  type RequestOutcome,
  requestOutcomes,
  type Spender,
} from "./request_log_row.ts";
export { stepMs } from "./log_time.ts";
export { type PackedRow, packRow, runsOfRows } from "./request_log_pack.ts";
