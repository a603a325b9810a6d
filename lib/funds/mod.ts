/** Changes to wallets other than charges for calls: grants, redemption codes and payments. */
export {
  type BatchDraft,
  type BatchResult,
  createBatch,
  exportBatch,
  setBatchEnabled,
  setCodeEnabled,
} from "./batches.ts";
export { type BeginResult } from "./checkout.ts";
export {
  adjustFunds,
  entryNanoUsdMax,
  type FundsChange,
  type FundsResult,
  grantFunds,
  readUsd,
  reasonLengthMax,
} from "./grants.ts";
export { paymentEventTypes } from "./payment_events.ts";
export { createPayments, Payments, type PaymentsOptions, type WebhookResult } from "./payments.ts";
export { redeem, type RedeemResult } from "./redemption.ts";
export { refundReasons } from "./settle_payment.ts";
export { verifyFunds } from "./verify.ts";
