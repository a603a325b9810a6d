/** Settlement of calls, compaction of their rows, and verification of the result. */
export { settleInFlight } from "./recovery.ts";
export {
  type Charge,
  chargeDay,
  commitSettlement,
  listBooked,
  type Settlement,
} from "./settlement.ts";
export { compactRows } from "./compact.ts";
export { forgetBudgets } from "./session_budgets.ts";
export { verifyLog } from "./log_verify.ts";
export { addWaitingRows, listWaiting } from "./waiting_rows.ts";
