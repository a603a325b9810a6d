/** API keys: their records, use and denied calls, connection checks and secrets shown once. */
export {
  type ArrivedCall,
  type CarriedKind,
  type ConnectionCheck,
  isAnswer,
  listArrivals,
  listConnectionChecks,
  openConnectionCheck,
  watchArrivals,
} from "./connection_check.ts";
export {
  addApiKey,
  type ApiKey,
  createApiKey,
  deleteApiKey,
  getApiKey,
  getApiKeyByDigest,
  listAccountUses,
  listApiKeys,
  moveApiKeys,
  noteApiKeyUse,
  storeFirstKey,
  updateApiKey,
} from "./api_key.ts";
export { answerDevice, collectDevice } from "./device_answer.ts";
export {
  addDeniedCalls,
  type DenialReason,
  type DenialSum,
  type FormerSecretUse,
  getFormerSecretUse,
  listDeniedCalls,
  sumsOfDenied,
} from "./counted_calls.ts";
export { createShownOnce, shownOnceMax, takeShownOnce } from "./shown_once.ts";
