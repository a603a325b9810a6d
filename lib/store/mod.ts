/**
 * The store itself: opening, health and file. Each folder's `mod.ts` exports the records of one
 * subject. Nothing outside this folder touches the database or spells a key.
 */
export { getChange } from "./kv/change.ts";
export { type ChunkedText, chunkText, type UnsavedText } from "./kv/chunked_text.ts";
export type { AtomicOperation } from "./kv/database.ts";
export { digestOf } from "./kv/digest.ts";
export { StoreError, StoreLocked } from "./kv/error.ts";
export { newId } from "./kv/id.ts";
export { openStore } from "./kv/open.ts";
export type { Origin } from "./kv/origin.ts";
export { matchesPattern, patternLookup, patternMatcher, patternSpecificity } from "./kv/pattern.ts";
export type { SecretBox } from "./kv/secret_box.ts";
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
export { FileCheck } from "./file/file_check.ts";
export { StoreMonitor } from "./file/store_monitor.ts";
export { type UpstreamTimeouts, usualTimeouts } from "./kv/timeouts.ts";
export { unlessTaken } from "./kv/unless_taken.ts";
export { untilCommitted } from "./kv/until_committed.ts";
