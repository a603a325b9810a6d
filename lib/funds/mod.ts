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
  adjustFunds,
  entryNanoUsdMax,
  type FundsChange,
  type FundsResult,
  grantFunds,
} from "./grants.ts";
export { redeem, type RedeemResult } from "./redemption.ts";
export { readUsd, usdText } from "./usd.ts";
