import type { Limits } from "../config.ts";
import { appendRequestLogs, type RequestLogRow, type Store } from "../store/mod.ts";
import { GroupCommit } from "./group_commit.ts";

const rowsPerCommitMax = 256;
const dayMs = 86_400_000;

/** The log of calls, durable by group commit and kept for the configured days. */
export function createRequestLog(
  store: Store,
  { logRetentionDays }: Pick<Limits, "logRetentionDays">,
): GroupCommit<RequestLogRow> {
  return new GroupCommit(
    (rows) => appendRequestLogs(store, rows, logRetentionDays * dayMs),
    rowsPerCommitMax,
  );
}
