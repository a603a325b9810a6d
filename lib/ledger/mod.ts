/** Prices, limits and leases, and the settlement that makes a call durable. */
export { type Cost, costOf } from "./cost.ts";
export { type Bound, type EffectiveBounds, effectiveBounds } from "./bounds.ts";
export type { LimitOwners } from "./current_limits.ts";
export { priceAtHour } from "./off_peak.ts";
export { type CacheReport, cacheReport } from "./cache_report.ts";
export {
  isOwn,
  leastRemaining,
  type OwnBudget,
  ownBudgets,
  type RemainingMoney,
  remainingMoney,
} from "./remaining_money.ts";
export {
  dividedHalfUp,
  type Price,
  type Rates,
  ratioOf,
  ratioUnit,
  resolvePrice,
  type ServedTier,
} from "./price.ts";
export { Compactor } from "./compactor.ts";
export { GroupCommit } from "./group_commit.ts";
export { type Hold, statesOf } from "./hold.ts";
export {
  type KeySpending,
  keySpending,
  keyUsage,
  type KeyUsageDay,
  type ModelUsage,
  totalOfModels,
} from "./key_usage.ts";
export { Ledger } from "./ledger.ts";
export {
  keySessions,
  type SessionSummary,
  type SessionUsage,
  sessionUsage,
} from "./session_usage.ts";
export { createPrices, type Prices, rateOf } from "./prices.ts";
export { sweepIsolate } from "./leases/sweep.ts";
export { costEstimateOf, type EstimatedCall, isCounted, needsPrice } from "./cost_estimate.ts";
export type { SizedPrompt } from "./cost_bound.ts";
export {
  type PartUsage,
  pointsOfEach,
  type SubjectScope,
  type SubjectUsage,
  tagUsage,
  topUsage,
  usageBySubject,
  usageParts,
  type UsagePeriod,
  usagePoints,
  usageSeries,
  usageStepsMax,
  usageTable,
  usageTotals,
} from "./usage_queries.ts";
export { type ExportFormat, exportRequestLogs } from "./log_export.ts";
