/** Calls with an idempotency key: who runs one, and the answer that a repetition gets. */
export {
  type CallClaim,
  claimCall,
  type EndedIdempotentCall,
  type IdempotencyMark,
  idempotencyUseOf,
  readKeptAnswer,
} from "./idempotent_call.ts";
