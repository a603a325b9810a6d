/** What comes into wallets and goes out of them, but for calls: grants, codes, payments. */
export {
  type BatchDraft,
  type BatchResult,
  createBatch,
  exportBatch,
  type Forbidden,
  setBatchEnabled,
  setCodeEnabled,
} from "./batches.ts";
export {
  amountFault,
  type BeginResult,
  type PaymentBounds,
  type PaymentWanted,
} from "./checkout.ts";
export {
  adjustFunds,
  entryNanoUsdMax,
  type FundsChange,
  type FundsResult,
  grantFunds,
} from "./grants.ts";
export { paymentEventTypes } from "./payment_events.ts";
export {
  createPayments,
  type PaymentLimits,
  Payments,
  type PaymentsOptions,
  type WebhookResult,
} from "./payments.ts";
export type { Reconciliation } from "./reconcile.ts";
export { redeem, type RedeemResult } from "./redemption.ts";
export { refundReasons, type Report } from "./settle_payment.ts";
export { readUsd } from "./usd.ts";
export { verifyFunds } from "./verify.ts";
