/** The log of calls. */
export { expirePages, logKeptFrom, noteLogRetention, noteUnexpiring } from "./log_retention.ts";
export {
  countRequestLogs,
  getRequestLog,
  isLogCursor,
  listCallTimes,
  listRequestLogs,
  type RequestLogPage,
  type SearchBounds,
} from "./request_log.ts";
export { streamLogBatches, streamRequestLogs } from "./log_stream.ts";
export { type LogFilter, logFilterTest, readsRows } from "./log_filter.ts";
export {
  type Attempt,
  attemptsKeptMax,
  cacheSavingOf,
  type CalledEndpoint,
  calledEndpoint,
  type CalledWith,
  type CallSession,
  type CostLine,
  failedByOf,
  failureOf,
  type OperatorCost,
  type RequestLogRow,
  type RequestOutcome,
  requestOutcomes,
  sessionName,
  sessionNameText,
  sessionText,
  type Spender,
  upstreamNanoUsdOf,
} from "./request_log_row.ts";
export { idTimeMs, newestFirst, stepMs, stepOf, stepStartMs } from "./log_time.ts";
export { type PackedRow, packRow, runsOfRows } from "./request_log_pack.ts";
