import { csvLine } from "../../canonical/mod.ts";
import { type AuditEntry, type AuditFilter, streamAuditEntries } from "../../store/audit/mod.ts";
import type { Store } from "../../store/mod.ts";

const names = [
  "id",
  "time",
  "actor_id",
  "actor",
  "action",
  "kind",
  "target_id",
  "target",
  "changes",
  "reason",
  "ip",
];

/**
 * Exports the entries of a filter, newest first, as CSV in pieces, in constant memory. Times are
 * ISO 8601 in UTC, changes are JSON.
 */
export async function* exportAuditEntries(
  store: Store,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield csvLine(names);
  for await (const entry of streamAuditEntries(store, filter)) yield lineOf(entry);
}

function lineOf(entry: AuditEntry): string {
  const { id, atMs, actorId, actorName, action, kind, targetId, targetName, reason, ip } = entry;
  const changes = entry.changes.length === 0 ? undefined : JSON.stringify(entry.changes);
  const time = new Date(atMs).toISOString();
  const who = [actorId, actorName] as const;
  return csvLine([id, time, ...who, action, kind, targetId, targetName, changes, reason, ip]);
}
