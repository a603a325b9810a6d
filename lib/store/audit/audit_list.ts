import { keys } from "../keys.ts";
import { firstOrderedId } from "../kv/id.ts";
import { decodeRecord, getRecord } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import {
  type AuditAction,
  type AuditEntry,
  auditEntryKind,
  type AuditKind,
} from "./audit_entry.ts";

/** Selects entries that match all of its fields. */
export interface AuditFilter {
  readonly kind?: AuditKind;
  readonly action?: AuditAction;
  /** Part of the actor's name, or the actor's id; case-insensitive. */
  readonly actor?: string;
  /** Inclusive. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  /** Part of the actor's name, the target's name or id, or the address; case-insensitive. */
  readonly text?: string;
}

/** A page of the audit log. */
interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /**
   * The position of the next page; absent at the end. Present even on an empty page if older
   * entries may match.
   */
  readonly next?: string;
}

/** The number of entries that one page scans. */
const lookedAtMax = 5_000;

/** Returns one entry; undefined if there is none. */
export function getAuditEntry(store: Store, id: string): Promise<AuditEntry | undefined> {
  return getRecord(store, auditEntryKind, keys.auditEntry(id));
}

/** Streams all matching entries, newest first, each once, in constant memory. */
export async function* streamAuditEntries(
  store: Store,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry> {
  const options = { reverse: true, batchSize: 200 };
  for await (const { value } of store.kv.list(selectorOf(filter), options)) {
    const entry = decodeRecord(auditEntryKind, value);
    if (holds(entry, filter)) yield entry;
  }
}

/** Returns a page of entries, newest first, starting after the entry `before`. */
export async function listAuditEntries(
  store: Store,
  { filter = {}, before, limit }: {
    readonly filter?: AuditFilter;
    readonly before?: string;
    readonly limit: number;
  },
): Promise<AuditPage> {
  const selector = selectorOf(filter, before);
  const entries: AuditEntry[] = [];
  let last: string | undefined;
  let lookedAt = 0;
  for await (const { value } of store.kv.list(selector, { reverse: true, batchSize: 200 })) {
    if (entries.length === limit || lookedAt === lookedAtMax) return { entries, next: last };
    const entry = decodeRecord(auditEntryKind, value);
    if (holds(entry, filter)) entries.push(entry);
    last = entry.id;
    lookedAt++;
  }
  return { entries };
}

/** Selects a period as a range of keys, because ids sort by time. */
function selectorOf({ fromMs, toMs }: AuditFilter, before?: string): Deno.KvListSelector {
  const ends = [before, toMs === undefined ? undefined : firstOrderedId(toMs)]
    .filter((end) => end !== undefined).sort();
  const start = keys.auditEntry(fromMs === undefined ? "" : firstOrderedId(fromMs));
  return ends.length === 0
    ? { prefix: keys.auditEntries, start }
    : { start, end: keys.auditEntry(ends[0]) };
}

function holds(entry: AuditEntry, { kind, action, actor, text }: AuditFilter): boolean {
  const { actorId, actorName, targetName, targetId, ip = "" } = entry;
  return (kind === undefined || entry.kind === kind) &&
    (action === undefined || entry.action === action) &&
    (actor === undefined || actorId === actor || hasText([actorName], actor)) &&
    (text === undefined || hasText([actorName, targetName, targetId, ip], text));
}

function hasText(texts: readonly string[], wanted: string): boolean {
  return texts.some((one) => one.toLowerCase().includes(wanted.toLowerCase()));
}
