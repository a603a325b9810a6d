/**
 * The store: typed records over Deno KV, and the directory of them that the request path reads.
 * Nothing outside this folder touches `Deno.Kv` or spells a key.
 */
export {
  type Allowance,
  type AllowanceLimit,
  dropLeases,
  getHeld,
  getSpent,
  leasedOf,
  type LeaseResult,
  listAllowances,
  listLeases,
  recallLeases,
  releaseLease,
  returnLease,
  takeLease,
  watchRecalls,
} from "./money/allowance.ts";
export {
  type Alert,
  type AlertDelivery,
  type AlertPage,
  type AlertQuery,
  type BalanceAlert,
  type BudgetAlert,
  getAlert,
  listAlerts,
  type UsageAlert,
} from "./alerts/alert.ts";
export { claimDueAlert, type ClaimedAlert, endClaim } from "./alerts/alert_delivery.ts";
export {
  type BalanceMark,
  type BudgetMark,
  changeBalanceMark,
  changeBudgetMark,
  type MarkRead,
  raiseAlertOnce,
  readBalanceMark,
  readBudgetMark,
} from "./alerts/alert_mark.ts";
export { takeAlertPass } from "./alerts/alert_pass.ts";
export {
  beat,
  type BeatenIsolate,
  type InFlight,
  type InFlightChunk,
  type Isolate,
  type IsolateEntry,
  listBeats,
  listInFlight,
  listIsolates,
  markSwept,
  registerIsolate,
  removeIsolate,
} from "./isolates/isolate.ts";
export { claimStart } from "./isolates/start.ts";
export {
  type Arrival,
  arrivalsMax,
  type Carried,
  isAnswer,
  listArrivals,
  watchArrivals,
} from "./api_keys/arrival.ts";
export {
  type ConnectionCheck,
  listConnectionChecks,
  openConnectionCheck,
} from "./api_keys/connection_check.ts";
export { OpenChecks } from "./directory/open_checks.ts";
export {
  type Conversation,
  type ConversationPlace,
  deleteConversation,
  getConversation,
  listConversationPages,
  putConversationPage,
  removeConversationItem,
  setConversation,
} from "./responses/conversation.ts";
export { type ChunkedText, chunkText, type UnsavedText } from "./kv/chunked_text.ts";
export {
  deleteEvents,
  eventPackBytesMax,
  getEventPack,
  putEventPacks,
  watchStoredResponse,
} from "./responses/response_events.ts";
export {
  type BackgroundState,
  type ConversationPage,
  deleteStoredResponse,
  type ExchangeToStore,
  getItemExchange,
  getStoredResponse,
  readExchanges,
  replaceStoredResponse,
  type StoredResponse,
  type StoredResponseEntry,
  storeExchanges,
} from "./responses/stored_response.ts";
export { settleInFlight } from "./settling/recovery.ts";
export {
  type Charge,
  chargeDay,
  commitSettlement,
  listCharges,
  type Settlement,
} from "./settling/settlement.ts";
export { minuteAt, type Overrun, tokenDebt } from "./money/token_debt.ts";
export {
  addApiKey,
  type ApiKey,
  createApiKey,
  deleteApiKey,
  getApiKey,
  getApiKeyByDigest,
  listApiKeys,
  moveApiKeys,
  noteApiKeyUse,
  type PreviousSecret,
  updateApiKey,
} from "./api_keys/api_key.ts";
export {
  type Audit,
  type AuditAction,
  auditActions,
  type AuditChange,
  type AuditDraft,
  type AuditEntry,
  type AuditKind,
  auditKinds,
  type AuditOptions,
  type ChangeOptions,
  createAuditEntry,
  type DeleteOptions,
} from "./audit/audit_entry.ts";
export {
  type AuditFilter,
  type AuditPage,
  getAuditEntry,
  listAuditEntries,
  streamAuditEntries,
} from "./audit/audit_list.ts";
export type { Bounds, Budget, BudgetPeriod, CallLimits } from "./money/budget.ts";
export { digestOf } from "./kv/digest.ts";
export { Directory, type DirectoryOptions } from "./directory/directory.ts";
export { StoreError, type StoreErrorCode } from "./kv/error.ts";
export { type CompactOptions, compactRows } from "./settling/compact.ts";
export { noteLogRetention } from "./log/log_retention.ts";
export { verifyLog } from "./settling/log_verify.ts";
export { makeFirstKey } from "./api_keys/first_key.ts";
export {
  createInvitation,
  deleteInvitations,
  getInvitation,
  type Invitation,
  redeemInvitation,
} from "./users/invitation.ts";
export { BoundedMap } from "./kv/bounded_map.ts";
export {
  allowsUnpriced,
  createGroup,
  defaultGroupId,
  deleteGroup,
  getGroup,
  type Group,
  listGroups,
  updateGroup,
} from "./catalog/group.ts";
export { newId } from "./kv/id.ts";
export {
  addDeniedCalls,
  type DenialReason,
  denialReasons,
  type DenialSum,
  type DeniedCalls,
  listDeniedCalls,
  sumsOfDenied,
} from "./api_keys/denied_calls.ts";
export { type FormerSecretUse, getFormerSecretUse } from "./api_keys/former_secret_use.ts";
export type { FormerUse } from "./directory/key_use.ts";
export type { KnownKey } from "./directory/key_cache.ts";
export {
  addMissingModels,
  createModel,
  deleteModel,
  getModel,
  listModels,
  type Model,
  updateModel,
  updateModels,
} from "./catalog/model.ts";
export {
  type DatedModelPrice,
  isDated,
  type ModelPrice,
  type ModelPrices,
  priceInForce,
  type PriceTier,
  type ServiceTierPrice,
  type TokenRates,
} from "./catalog/model_price.ts";
export {
  allIdempotencyKeys,
  allPostedEntries,
  changeOf,
  contraOf,
  entryRules,
  type EntryType,
  entryTypes,
  getContraTotals,
  getEntry,
  type LedgerAccount,
  type LedgerEntry,
  type PostedEntry,
  type PostedType,
} from "./money/ledger_entry.ts";
export { type WalletSources, walletSources } from "./money/wallet_sources.ts";
export {
  type EntryPage,
  type ListedEntry,
  listEntries,
  usageEntriesOf,
} from "./money/ledger_entry_list.ts";
export {
  addEntries,
  type AddResult,
  type EntryDraft,
  type Insufficient,
  postEntry,
  type PostOptions,
  type PostResult,
} from "./money/ledger_entry_post.ts";
export { type OpenOptions, openStore, type StoreLocation } from "./kv/open.ts";
export type { Origin } from "./kv/origin.ts";
export {
  allPayments,
  changePayment,
  createPayment,
  findPaymentOfIntent,
  listPayments,
  listUnsettledPayments,
  type Payment,
  type PaymentRead,
  type PaymentStatus,
  readPayment,
} from "./money/payment.ts";
export { type PassTurn, takePaymentPass } from "./money/payment_pass.ts";
export { matchesPattern, patternSpecificity } from "./kv/pattern.ts";
export {
  redeemCode,
  type Redemption,
  type RedemptionFault,
  redemptionKey,
} from "./money/redemption_code.ts";
export {
  allRedemptionCodes,
  createRedemptionBatch,
  getRedemptionBatch,
  listRedemptionBatches,
  type RedemptionBatch,
  type RedemptionCode,
  redemptionCodesOf,
  setRedemptionCodeEnabled,
  updateRedemptionBatch,
} from "./money/redemption_code_batch.ts";
export {
  countRequestLogs,
  getRequestLog,
  isLogCursor,
  listRequestLogs,
  type LogFilter,
  type LogQuery,
  type RequestLogPage,
  streamRequestLogs,
} from "./log/request_log.ts";
export { readsRows } from "./log/log_scan.ts";
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
} from "./log/request_log_row.ts";
export {
  listSubjects,
  readCounts,
  readTimes,
  type RollupPeriod,
  type RollupPoint,
} from "./usage/rollup.ts";
export {
  addCounts,
  addTimes,
  type CountName,
  type Counts,
  noCounts,
  noTimes,
  sumsOfRows,
  type Times,
} from "./usage/rollup_counts.ts";
export { pruneRollups } from "./usage/rollup_prune.ts";
export { stepMs } from "./log/log_time.ts";
export { durationBoundsMs, type Histogram, percentile } from "./usage/rollup_histogram.ts";
export {
  type RollupDimension,
  rollupDimensions,
  type RollupStep,
  type RollupSubject,
  subjects,
} from "./usage/rollup_subject.ts";
export { runsOfRows } from "./log/request_log_size.ts";
export {
  createSession,
  deleteSession,
  deleteSessions,
  getLastSeen,
  getSession,
  listSessions,
  type Session,
  updateSession,
} from "./users/session.ts";
export {
  defaultSettings,
  readSettings,
  type Settings,
  type SignUp,
  signUps,
  updateSettings,
} from "./catalog/settings.ts";
export { useOnce } from "./users/one_time_use.ts";
export {
  createPasskey,
  deletePasskey,
  getPasskey,
  listPasskeys,
  type Passkey,
  updatePasskey,
} from "./users/passkey.ts";
export {
  createPasswordLink,
  getPasswordLink,
  type PasswordLink,
  takePasswordLink,
} from "./users/password_link.ts";
export { createTotp, deleteTotp, getTotp, type Totp, updateTotp } from "./users/totp.ts";
export { createShownOnce, shownOnceMax, takeShownOnce } from "./api_keys/shown_once.ts";
export {
  createSetupLink,
  getSetupLink,
  redeemSetupLink,
  type SetupLink,
} from "./users/setup_link.ts";
export {
  clearSignInAttempts,
  returnSignInAttempt,
  takeSignInAttempt,
} from "./users/sign_in_attempts.ts";
export { Store } from "./kv/store.ts";
export { pause } from "./kv/watch.ts";
export {
  adviceOf,
  storeAdvice,
  type StoreFault,
  storeFaultNames,
  storeFaults,
  storeRetryAfterSeconds,
  StoreUnavailable,
} from "./file/store_fault.ts";
export { type StoreChange, StoreHealth } from "./file/store_health.ts";
export { vacuumStore } from "./file/vacuum.ts";
export { sealFormerContents } from "./api_keys/seal_former.ts";
export { FileCheck } from "./file/file_check.ts";
export { StoreMonitor } from "./file/store_monitor.ts";
export {
  createUpstream,
  deleteUpstream,
  getUpstream,
  listUpstreams,
  servesGroup,
  updateUpstream,
  type UpstreamAuth,
  type UpstreamModel,
  type UpstreamRecord,
} from "./catalog/upstream.ts";
export { type UpstreamTimeouts, usualTimeouts } from "./kv/timeouts.ts";
export {
  endListTurn,
  hasListed,
  keepUpstreamList,
  listSource,
  takeListTurn,
  type TakenTurn,
  type UpstreamList,
} from "./catalog/upstream_list.ts";
export {
  getReadingChoices,
  type LogView,
  logViewsMax,
  type ReadingChoices,
  updateReadingChoices,
} from "./users/reading_choices.ts";
export { untilCommitted } from "./kv/until_committed.ts";
export {
  type Account,
  createUser,
  defaultSpending,
  deleteUser,
  firstAccountId,
  getUser,
  getUserByEmail,
  listUsers,
  type Role,
  type Spending,
  updateUser,
  type User,
} from "./users/user.ts";
export {
  type Balance,
  balanceOf,
  getBalance,
  getWallet,
  listWallets,
  type Wallet,
  walletId,
} from "./money/wallet.ts";
export {
  addWaitingRows,
  listWaiting,
  type WaitingPlace,
  type WaitingRows,
} from "./settling/waiting_rows.ts";
