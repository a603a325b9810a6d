/** Wallets, ledger entries, payments, redemption codes, budgets and allowances. */
export {
  type AllowanceLimit,
  dropLeases,
  getHeld,
  getSpending,
  getSpent,
  leasedOf,
  type LeaseResult,
  listAllowances,
  listLeases,
  listSpending,
  markSpending,
  recallLeases,
  releaseLease,
  returnLease,
  takeLease,
  watchRecalls,
  windowMsOf,
} from "./allowance.ts";
export { markEveryMs } from "./spending_window.ts";
export { minuteAt, type Overrun, tokenDebt } from "./token_debt.ts";
export { type ChildSpending, listChildBudgets, listChildSpending } from "./child_budget.ts";
export {
  type Bounds,
  type Budget,
  type BudgetPeriod,
  budgetPeriodPattern,
  budgetPeriods,
  budgetsMax,
  type CalendarPeriod,
  type CallLimits,
  inOrder,
  organizationId,
  readBudgetPeriod,
} from "./budget.ts";
export {
  allIdempotencyKeys,
  allPostedEntries,
  changeOf,
  contraOf,
  type EntryPage,
  type EntryType,
  entryTypes,
  getContraTotals,
  getEntry,
  type LedgerEntry,
  type ListedEntry,
  listEntries,
  type PostedEntry,
  usageEntriesOf,
  type WalletSources,
  walletSources,
} from "./ledger_entry.ts";
export {
  type EntryDraft,
  type Insufficient,
  postEntry,
  type PostOptions,
  type PostResult,
} from "./ledger_entry_post.ts";
export {
  allPayments,
  changePayment,
  createPayment,
  findPaymentOfIntent,
  listPayments,
  listUnsettledPayments,
  type Payment,
  type PaymentStatus,
  readPayment,
} from "./payment.ts";
export {
  allRedemptionCodes,
  createRedemptionBatch,
  getRedemptionBatch,
  listRedemptionBatches,
  redeemCode,
  type RedemptionBatch,
  type RedemptionCode,
  redemptionCodesOf,
  redemptionKey,
  setRedemptionCodeEnabled,
  updateRedemptionBatch,
} from "./redemption_code.ts";
export {
  type Balance,
  balanceOf,
  getBalance,
  getBalances,
  listWallets,
  walletId,
} from "./wallet.ts";
