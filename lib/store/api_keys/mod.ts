/** API keys: their records, use and denied calls, connection checks and secrets shown once. */
export { type Arrival, type Carried, isAnswer, listArrivals, watchArrivals } from "./arrival.ts";
export {
  type ConnectionCheck,
  listConnectionChecks,
  openConnectionCheck,
} from "./connection_check.ts";
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
  updateApiKey,
} from "./api_key.ts";
export { storeFirstKey } from "./first_key.ts";
export {
  addDeniedCalls,
  type DenialReason,
  type DenialSum,
  listDeniedCalls,
  sumsOfDenied,
} from "./denied_calls.ts";
export { type FormerSecretUse, getFormerSecretUse } from "./former_secret_use.ts";
export { createShownOnce, shownOnceMax, takeShownOnce } from "./shown_once.ts";
