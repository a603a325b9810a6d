import { z } from "zod";
import { firstOrderedId, newOrderedId } from "./id.ts";
import { keys } from "./keys.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind } from "./record.ts";
import type { Origin } from "./origin.ts";
import type { Store } from "./store.ts";

/** What a change was made to. */
export const auditKinds = [
  "key",
  "user",
  "funds",
  "batch",
  "code",
  "payment",
  "upstream",
  "group",
  "model",
  "settings",
] as const;
/** On what something was done. */
export type AuditKind = typeof auditKinds[number];

/** What was done. */
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
  "signed-out",
  "viewed",
] as const;
/** What was done. */
export type AuditAction = typeof auditActions[number];

/** One field before and after, in words; never a secret. */
export interface AuditChange {
  /** Such as `role`. */
  readonly field: string;
  /** Absent where there was nothing. */
  readonly before?: string;
  /** Absent where there is nothing any more. */
  readonly after?: string;
}

/** What somebody did by way of the console. It is written once and never changed. */
export interface AuditEntry {
  /** Sorts by time. */
  readonly id: string;
  readonly atMs: number;
  readonly actorId: string;
  /** The e-mail address at that time. */
  readonly actorName: string;
  readonly kind: AuditKind;
  readonly action: AuditAction;
  readonly targetId: string;
  /** What people called the target at that time. */
  readonly targetName: string;
  readonly changes: readonly AuditChange[];
  /** Where one was asked for. */
  readonly reason?: string;
  /** From where, as far as the connection told. */
  readonly ip?: string;
}

const entryKind: Kind<AuditEntry> = {
  name: "audit entry",
  version: 1,
  schema: z.object({
    id: z.string(),
    atMs: z.number(),
    actorId: z.string(),
    actorName: z.string(),
    kind: z.enum(auditKinds),
    action: z.enum(auditActions),
    targetId: z.string(),
    targetName: z.string(),
    changes: z.array(z.object({
      field: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
    })),
    reason: z.string().optional(),
    ip: z.string().optional(),
  }),
};

/** An entry before it has its id. */
export type AuditDraft = Omit<AuditEntry, "id">;

/** What a change writes down: an entry, or how one follows from the record before and after it. */
export type Audit<Record> =
  | AuditDraft
  | ((before: Record, after: Record) => AuditDraft | undefined);

/** How a change is made. */
export interface ChangeOptions<Record> {
  /** Absent: the console. */
  readonly by?: Origin;
  /** Written in the change's own commit. */
  readonly audit?: Audit<Record>;
}

/** How a record is made. */
export interface AuditOptions {
  /** Written in the same commit. */
  readonly audit?: AuditDraft;
}

/** How a record is deleted. */
export interface DeleteOptions extends AuditOptions {
  /** Absent: the console. */
  readonly by?: Origin;
}

/** The entry that follows from a change; undefined where none does. */
export function auditOf<Record>(
  audit: Audit<Record> | undefined,
  before: Record,
  after: Record,
): AuditDraft | undefined {
  return typeof audit === "function" ? audit(before, after) : audit;
}

/**
 * Adds an entry to the commit of the change that it tells of: either both stand or neither. Its id
 * sorts by time. Without a draft nothing is added.
 */
export function addAuditEntry(
  operation: Deno.AtomicOperation,
  draft: AuditDraft | undefined,
): Deno.AtomicOperation {
  if (draft === undefined) return operation;
  const entry = { ...draft, id: newOrderedId(draft.atMs) };
  return operation.set(keys.auditEntry(entry.id), encodeRecord(entryKind, entry));
}

/** Writes an entry by itself, of what changed nothing in the store. */
export async function createAuditEntry(store: Store, draft: AuditDraft): Promise<void> {
  await addAuditEntry(store.kv.atomic(), draft).commit();
}

/** Which entries are meant; every field that is there must hold. */
export interface AuditFilter {
  readonly kind?: AuditKind;
  readonly action?: AuditAction;
  /** Part of who did it, or the id; capitals do not matter. */
  readonly actor?: string;
  /** Inclusive. */
  readonly fromMs?: number;
  /** Exclusive. */
  readonly toMs?: number;
  /** Part of who did it, of the target's name or id, or of the address; capitals do not matter. */
  readonly text?: string;
}

/** A page of the audit log. */
export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where older ones go on; absent at the end. There may be one although nothing was found so far. */
  readonly next?: string;
}

/** How many entries one page looks through. */
const lookedAtMax = 5_000;

/** One entry; undefined where there is none. */
export function getAuditEntry(store: Store, id: string): Promise<AuditEntry | undefined> {
  return getRecord(store, entryKind, keys.auditEntry(id));
}

/** All entries that are meant, newest first, each once; memory does not grow with them. */
export async function* streamAuditEntries(
  store: Store,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry> {
  const options = { reverse: true, batchSize: 200 };
  for await (const { value } of store.kv.list(selectorOf(filter), options)) {
    const entry = decodeRecord(entryKind, value);
    if (holds(entry, filter)) yield entry;
  }
}

/** A page of entries, newest first, from behind the entry `before`. */
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
    const entry = decodeRecord(entryKind, value);
    if (holds(entry, filter)) entries.push(entry);
    last = entry.id;
    lookedAt++;
  }
  return { entries };
}

/** Ids sort by time, so a period is a part of the list. */
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
