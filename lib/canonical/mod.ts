/** The canonical form, shared by all formats. Plain data and two folds; no I/O. */
export { collect, Collector, eventsOf, partEvents } from "./fold.ts";
export type * from "./content.ts";
export {
  capsuleBeginning,
  isSealed,
  openContinuation,
  ownIdMark,
  sealBeginning,
  sealBeginningInBase64,
  sealContinuation,
  sealedState,
  withoutText,
} from "./continuation.ts";
export { Delivered, deliveredBy, DeliveryReader } from "./delivered.ts";
export {
  calledTool,
  callerToolName,
  digest,
  distinctTools,
  safeToolCallId,
  type ToolCallIdRule,
  toolNamed,
  wireToolName,
} from "./wire_name.ts";
export {
  type Change,
  type Effort,
  effortAsked,
  effortOfBudget,
  efforts,
  isBudgetAsEffort,
  type OutputFormat,
  type Reasoning,
} from "./settings.ts";
export {
  callerLeft,
  changedError,
  errorCatalog,
  type ErrorCode,
  type ErrorStatus,
  GatewayError,
  type GatewayErrorOptions,
  type UpstreamSaid,
  waitSecondsMax,
} from "./error.ts";
export { ownerPath, type Refuser, refuserOwners, refuserPath, refuserTitle } from "./refuser.ts";
export type * from "./answer.ts";
export { type FormatName, formatNames, type NativeFields } from "./format.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "../json/mod.ts";
export { translateSchema } from "./json_schema/mod.ts";
export { mergeSchemas } from "./json_schema/merge.ts";
export {
  isWalkableSchema,
  type SchemaDialect,
  schemaNotes,
  wholeVocabulary,
} from "./json_schema/translation.ts";
export { resolveReference } from "./json_schema/expansion.ts";
export {
  type BoundOwner,
  boundOwners,
  decimalUsd,
  hasHiddenAmounts,
  isNamedByCaller,
  limitedName,
  type LimitKind,
  limitKinds,
  limitName,
  type LimitOwner,
  limitOwners,
  type LimitState,
  limitTitle,
  nanoUsdIn,
  resetInWords,
  resetText,
  rollingIn,
  usdText,
  waitWords,
  windowName,
} from "./limit_state.ts";
export {
  addTokens,
  asksLogprobs,
  keepLogprobs,
  type RatedToken,
  type TokenLogprob,
} from "./logprob.ts";
export { clamped, dropped, emulated, type Note, repaired } from "./note.ts";
export {
  readRollingPeriod,
  rollingMs,
  rollingPattern,
  type RollingPeriod,
  rollingUnits,
} from "./rolling_period.ts";
export { repairTurns } from "./repair/turns.ts";
export { continueText } from "./repair/empty.ts";
export { repairNotes } from "./repair/notes.ts";
export type * from "./request.ts";
export type * from "./tool.ts";
export {
  type Alternative,
  type CanonicalResponse,
  type Ending,
  type FinishReason,
  finishReasons,
} from "./answer.ts";
export {
  globalRegion,
  mayCostMore,
  regionOf,
  serviceTierOf,
  standardTier,
} from "./service_tier.ts";
export { type CacheAdvice, cacheAdviceFor, cacheAdviceText, type CacheMiss } from "./cache_miss.ts";
export { assertVendorStateFits, type VendorState, vendorStateRefusal } from "./vendor_state.ts";
export {
  answerBuckets,
  boundedCount,
  boundedUsage,
  cacheWriteTokens,
  disjoint,
  hostedToolKinds,
  isCacheBucket,
  noTokens,
  noUsage,
  promptBuckets,
  type SamplingUsage,
  summedTokens,
  type TokenBucket,
  tokenBuckets,
  type TokenCounts,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "./usage.ts";
export { editDistance, hasHidden, isModelPattern, withHiddenShown, withoutHidden } from "./name.ts";
export { StopScanner } from "./stop_scanner.ts";
export { type CsvCell, csvLine } from "./csv.ts";
