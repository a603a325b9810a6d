/** Where a call becomes durable, and the proof that nothing is missing. */
export { type Audit, auditStore, type KeyAudit } from "./audit.ts";
export { GroupCommit } from "./group_commit.ts";
export { createRequestLog } from "./request_log.ts";
export { answeredRow, refusedRow, type Trace } from "./trace.ts";
