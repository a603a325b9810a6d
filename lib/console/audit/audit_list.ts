import { csvLine } from "../../canonical/mod.ts";
import {
  auditActions,
  type AuditEntry,
  type AuditFilter,
  auditKinds,
  listAuditEntries,
  streamAuditEntries,
} from "../../store/audit/mod.ts";
import type { Store } from "../../store/mod.ts";
import {
  defineList,
  listHref,
  type ListPage,
  pageRowsOf,
  type QueryOf,
} from "../page/define_list.ts";
import { choice, textField } from "../page/list_fields.ts";
import { readDay } from "../page/period.ts";
import type { AccountState } from "../session/state.ts";

/**
 * The entries of the audit log, newest first. `since` and `until` are days of the reader's zone,
 * both included.
 */
export const auditList = defineList<AuditEntry>()({
  path: "/console/admin/audit",
  fields: {
    kind: choice(auditKinds),
    action: choice(auditActions),
    actor: textField(),
    q: textField(),
    since: day(),
    until: day(),
  },
  cursor: readAuditEntryId,
});
export type AuditQuery = QueryOf<typeof auditList>;

/** Reads the id of an entry. */
export function readAuditEntryId(id: string): string | undefined {
  return /^[0-9A-Z]{26}$/.exec(id)?.[0];
}

function day() {
  return { read: (value: string) => readDay(value, "UTC")?.text };
}

/** Converts a query to the store's filter. */
export function auditFilter(
  { fields: { kind, action, actor, q, since, until } }: AuditQuery,
  timeZone: string,
): AuditFilter {
  const [from, to] = [readDay(since, timeZone), readDay(until, timeZone)];
  return {
    ...(kind && { kind }),
    ...(action && { action }),
    ...(actor && { actor }),
    ...(q && { text: q }),
    ...(from && { fromMs: from.startMs }),
    ...(to && { toMs: to.endMs }),
  };
}

export async function readAuditList(
  { services, timeZone }: AccountState,
  query: AuditQuery,
): Promise<ListPage<AuditEntry>> {
  const { entries: rows, next } = await listAuditEntries(services.store, {
    filter: auditFilter(query, timeZone),
    before: query.before,
    limit: pageRowsOf(services),
  });
  return { rows, next };
}

/** The address of an entry's page or of the export; both keep the query. */
export function auditPath(query: AuditQuery, page: string): string {
  return listHref(auditList, { ...query, path: `${auditList.path}/${page}` });
}

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
