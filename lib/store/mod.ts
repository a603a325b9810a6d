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
} from "./allowance.ts";
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
} from "./alert.ts";
export { claimDueAlert, type ClaimedAlert, endClaim } from "./alert_delivery.ts";
export {
  type BalanceMark,
  type BudgetMark,
  changeBalanceMark,
  changeBudgetMark,
  type MarkRead,
  raiseAlertOnce,
  readBalanceMark,
  readBudgetMark,
} from "./alert_mark.ts";
export { takeAlertPass } from "./alert_pass.ts";
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
} from "./isolate.ts";
export {
  type Arrival,
  arrivalsMax,
  type Carried,
  isAnswer,
  listArrivals,
  watchArrivals,
} from "./arrival.ts";
export {
  type ConnectionCheck,
  listConnectionChecks,
  openConnectionCheck,
} from "./connection_check.ts";
export { OpenChecks } from "./open_checks.ts";
export {
  type Conversation,
  type ConversationPlace,
  deleteConversation,
  getConversation,
  listConversationPages,
  putConversationPage,
  removeConversationItem,
  setConversation,
} from "./conversation.ts";
export { type KeptText, type TextToKeep, textToKeep } from "./kept_text.ts";
export {
  deleteEvents,
  eventPackBytesMax,
  getEventPack,
  putEventPacks,
  watchStoredResponse,
} from "./response_events.ts";
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
} from "./stored_response.ts";
export { settleInFlight } from "./recovery.ts";
export {
  type Charge,
  chargeDay,
  commitSettlement,
  listCharges,
  type Settlement,
} from "./settlement.ts";
export { minuteAt, type Overrun, tokenDebt } from "./token_debt.ts";
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
} from "./api_key.ts";
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
} from "./audit_entry.ts";
export {
  type AuditFilter,
  type AuditPage,
  getAuditEntry,
  listAuditEntries,
  streamAuditEntries,
} from "./audit_list.ts";
export type { Bounds, Budget, BudgetPeriod, CallLimits } from "./budget.ts";
export { digestOf } from "./digest.ts";
export { Directory, type DirectoryOptions } from "./directory.ts";
export { StoreError, type StoreErrorCode } from "./error.ts";
export { type FoldOptions, foldRows } from "./fold.ts";
export { noteLogRetention } from "./log_retention.ts";
export { verifyLog } from "./log_verify.ts";
export { makeFirstKey } from "./first_key.ts";
export {
  createInvitation,
  deleteInvitations,
  getInvitation,
  type Invitation,
  redeemInvitation,
} from "./invitation.ts";
export { BoundedMap } from "./bounded_map.ts";
export {
  allowsUnpriced,
  createGroup,
  defaultGroupId,
  deleteGroup,
  getGroup,
  type Group,
  listGroups,
  updateGroup,
} from "./group.ts";
export { newId } from "./id.ts";
export {
  addDeniedCalls,
  type DenialReason,
  denialReasons,
  type DenialSum,
  type DeniedCalls,
  listDeniedCalls,
  sumsOfDenied,
} from "./denied_calls.ts";
export { type FormerSecretUse, getFormerSecretUse } from "./former_secret_use.ts";
export type { FormerUse } from "./key_use.ts";
export type { KnownKey } from "./key_cache.ts";
export {
  addMissingModels,
  createModel,
  deleteModel,
  getModel,
  listModels,
  type Model,
  updateModel,
  updateModels,
} from "./model.ts";
export {
  type DatedModelPrice,
  isDated,
  type ModelPrice,
  type ModelPrices,
  priceInForce,
  type PriceTier,
  type ServiceTierPrice,
  type TokenRates,
} from "./model_price.ts";
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
} from "./ledger_entry.ts";
export { type WalletSources, walletSources } from "./wallet_sources.ts";
export {
  type EntryPage,
  type ListedEntry,
  listEntries,
  usageEntriesOf,
} from "./ledger_entry_list.ts";
export {
  addEntries,
  type AddResult,
  type EntryDraft,
  type Insufficient,
  postEntry,
  type PostOptions,
  type PostResult,
} from "./ledger_entry_post.ts";
export { type OpenOptions, openStore, type StoreLocation } from "./open.ts";
export type { Origin } from "./origin.ts";
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
} from "./payment.ts";
export { type PassTurn, takePaymentPass } from "./payment_pass.ts";
export { matchesPattern, patternSpecificity } from "./pattern.ts";
export {
  redeemCode,
  type Redemption,
  type RedemptionFault,
  redemptionKey,
} from "./redemption_code.ts";
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
} from "./redemption_code_batch.ts";
export {
  countRequestLogs,
  getRequestLog,
  isLogCursor,
  listRequestLogs,
  type LogFilter,
  type LogQuery,
  type RequestLogPage,
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
} from "./request_log_row.ts";
export {
  listSubjects,
  readCounts,
  readTimes,
  type RollupPeriod,
  type RollupPoint,
} from "./rollup.ts";
export {
  addCounts,
  addTimes,
  type CountName,
  type Counts,
  noCounts,
  noTimes,
  sumsOfRows,
  type Times,
} from "./rollup_counts.ts";
export { pruneRollups } from "./rollup_prune.ts";
export { stepMs } from "./log_time.ts";
export { durationBoundsMs, type Histogram, percentile } from "./rollup_histogram.ts";
export {
  type RollupDimension,
  rollupDimensions,
  type RollupStep,
  type RollupSubject,
  subjects,
} from "./rollup_subject.ts";
export { runsOfRows } from "./request_log_size.ts";
export {
  createSession,
  deleteSession,
  deleteSessions,
  getLastSeen,
  getSession,
  listSessions,
  type Session,
  updateSession,
} from "./session.ts";
export {
  defaultSettings,
  readSettings,
  type Settings,
  type SignUp,
  signUps,
  updateSettings,
} from "./settings.ts";
export { useOnce } from "./one_time_use.ts";
export {
  createPasskey,
  deletePasskey,
  getPasskey,
  listPasskeys,
  type Passkey,
  updatePasskey,
} from "./passkey.ts";
export {
  createPasswordLink,
  getPasswordLink,
  type PasswordLink,
  takePasswordLink,
} from "./password_link.ts";
export { createTotp, deleteTotp, getTotp, type Totp, updateTotp } from "./totp.ts";
export { createShownOnce, shownOnceMax, takeShownOnce } from "./shown_once.ts";
export { createSetupLink, getSetupLink, redeemSetupLink, type SetupLink } from "./setup_link.ts";
export { clearSignInAttempts, returnSignInAttempt, takeSignInAttempt } from "./sign_in_attempts.ts";
export { Store } from "./store.ts";
export { pause } from "./watch.ts";
export {
  adviceOf,
  storeAdvice,
  type StoreFault,
  storeFaultNames,
  storeFaults,
  storeRetryAfterSeconds,
  StoreUnavailable,
} from "./store_fault.ts";
export { type StoreChange, StoreHealth } from "./store_health.ts";
export { compactStore } from "./compact.ts";
export { sealFormerContents } from "./seal_former.ts";
export { FileCheck } from "./file_check.ts";
export { StoreMonitor } from "./store_monitor.ts";
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
} from "./upstream.ts";
export { type UpstreamTimeouts, usualTimeouts } from "./timeouts.ts";
export {
  endListTurn,
  hasListed,
  keepUpstreamList,
  listSource,
  takeListTurn,
  type TakenTurn,
  type UpstreamList,
} from "./upstream_list.ts";
export {
  getReadingChoices,
  type LogView,
  logViewsMax,
  type ReadingChoices,
  updateReadingChoices,
} from "./reading_choices.ts";
export { untilCommitted } from "./until_committed.ts";
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
} from "./user.ts";
export {
  type Balance,
  balanceOf,
  getBalance,
  getWallet,
  listWallets,
  type Wallet,
  walletId,
} from "./wallet.ts";
export {
  addWaitingRows,
  listWaiting,
  type WaitingPlace,
  type WaitingRows,
} from "./waiting_rows.ts";
