import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { firstOrderedId, newOrderedId } from "../kv/id.ts";
import type { Origin } from "../kv/origin.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { addToOutbox } from "../webhooks/outbox.ts";

/** The kinds of targets of a change. */
export const auditKinds = [
  "key",
  "user",
  "funds",
  "batch",
  "code",
  "payment",
  "upstream",
  "group",
  "project",
  "tag",
  "organization",
  "model",
  "settings",
  "webhook",
  "token",
  "call",
] as const;
type AuditKind = typeof auditKinds[number];

/** The actions of the audit log. */
export const auditActions = [
  "created",
  "changed",
  "enabled",
  "disabled",
  "deleted",
  "rotated",
  "granted",
  "adjusted",
  "redeemed",
  "begun",
  "invited",
  "joined",
  "refused",
  "signed-out",
  "viewed",
  "archived",
  "restored",
  "recording-started",
  "recording-stopped",
  "content-read",
] as const;
/** The action of an entry. */
export type AuditAction = typeof auditActions[number];

/** One field before and after, as text; never a secret. */
export interface AuditChange {
  /** Such as `role`. */
  readonly field: string;
  /** Absent if there was no value. */
  readonly before?: string;
  /** Absent if the value was removed. */
  readonly after?: string;
}

/** An action taken in the console or by the management API. Written once, never changed. */
export interface AuditEntry {
  /** Sorts by time. */
  readonly id: string;
  readonly atMs: number;
  readonly actorId: string;
  /** The e-mail address at that time, or `NAME (API token of EMAIL)`. */
  readonly actorName: string;
  readonly kind: AuditKind;
  readonly action: AuditAction;
  readonly targetId: string;
  /** The name of the target at that time. */
  readonly targetName: string;
  readonly changes: readonly AuditChange[];
  /** The reason, if one was given. */
  readonly reason?: string;
  /** The client's address, if known. */
  readonly ip?: string;
}

export const auditEntryKind: Kind<AuditEntry> = { name: "audit entry", version: 1 };

/** An entry before it has its id. */
export type AuditDraft = Omit<AuditEntry, "id">;

/** The audit entry of a change: a draft, or a function of the record before and after it. */
type Audit<Record> =
  | AuditDraft
  | ((before: Record, after: Record) => AuditDraft | undefined); // may refuse the change by throwing

/** Options of a change. */
export interface ChangeOptions<Record> {
  /** Absent: the console. */
  readonly by?: Origin;
  /** Written in the change's own commit. */
  readonly audit?: Audit<Record>;
}

/** Options of a creation. */
export interface AuditOptions {
  /** Written in the same commit. */
  readonly audit?: AuditDraft;
}

/** Options of a deletion. */
export interface DeleteOptions<Record> {
  /** Absent: the console. */
  readonly by?: Origin;
  /** Written in the deletion's own commit. A function gets the deleted record, and may refuse by throwing. */
  readonly audit?: AuditDraft | ((deleted: Record) => AuditDraft | undefined);
}

/** Returns the entry of a change; undefined if the change needs none. */
export function auditOf<Record>(
  audit: Audit<Record> | undefined,
  before: Record,
  after: Record,
): AuditDraft | undefined {
  return typeof audit === "function" ? audit(before, after) : audit;
}

/**
 * Adds an entry to the commit of its change, so that both or neither are stored. Its id sorts by
 * time. Does nothing without a draft.
 */
export function addAuditEntry(
  operation: AtomicOperation,
  draft: AuditDraft | undefined,
): AtomicOperation {
  if (draft === undefined) return operation;
  const changes = draft.changes.map(cutChange);
  const entry = { ...draft, changes, id: newOrderedId(draft.atMs) };
  if (isEvent(entry)) addToOutbox(operation, { source: "audit", id: entry.id });
  return operation.set(keys.auditEntry(entry.id), encodeRecord(auditEntryKind, entry));
}

/** The actions on keys that webhooks report; see `lib/webhooks/webhooks.ts`. */
const keyEvents: readonly AuditAction[] = ["created", "rotated", "enabled", "disabled", "deleted"];

function isEvent({ kind, action }: AuditDraft): boolean {
  return (kind === "key" && keyEvents.includes(action)) || action.startsWith("recording-");
}

/**
 * Maximum length of a text before or after a change. An entry must fit in one value, with two texts
 * for each of about fifteen fields, at three bytes per character.
 */
const textCharsMax = 600;
/** The number of characters shown before the first difference of two long texts. */
const contextChars = 100;

/**
 * Shortens long texts, such as lists of thousands of models, to the part where they begin to
 * differ.
 */
function cutChange({ field, before, after }: AuditChange): AuditChange {
  const isLong = [before, after].some((text = "") => text.length > textCharsMax);
  const from = isLong ? Math.max(0, sameChars(before ?? "", after ?? "") - contextChars) : 0;
  return {
    field,
    ...(before !== undefined && { before: cut(before, from) }),
    ...(after !== undefined && { after: cut(after, from) }),
  };
}

function cut(text: string, from: number): string {
  const to = from + textCharsMax;
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${text.length > to ? "…" : ""}`;
}

function sameChars(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Writes an entry on its own, for an action that changes nothing else in the store. */
export async function createAuditEntry(store: Store, draft: AuditDraft): Promise<void> {
  await addAuditEntry(store.kv.atomic(), draft).commit();
}

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
  const ends = [before, toMs === undefined ? undefined : idFrom(toMs)]
    .filter((end) => end !== undefined).sort();
  const first = fromMs === undefined ? "" : idFrom(fromMs);
  const start = keys.auditEntry(first);
  if (ends.length === 0) return { prefix: keys.auditEntries, start };
  return { start, end: keys.auditEntry(ends[0] < first ? first : ends[0]) }; // the store reads no range backwards
}

/** The first id of a time; no entry is older than 1970. */
function idFrom(atMs: number): string {
  return firstOrderedId(Math.max(0, atMs));
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
