import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";

/**
 * An event that is not addressed yet: the id of an alert or of an audit entry, which has the details,
 * or the event itself.
 */
export type OutboxEntry =
  | { readonly source: "alert" | "audit"; readonly id: string }
  | { readonly source: "event"; readonly event: WebhookEvent };

/** An event: its body is sent as it is, and never changes. Contains no secret and no prompt. */
export interface WebhookEvent {
  /** A prefix, an underscore and an id that sorts by time. */
  readonly id: string;
  /** Such as `key.created`. */
  readonly type: string;
  readonly atMs: number;
  /** JSON with `type`, `timestamp` and `data`. */
  readonly body: string;
}

/** An entry with its version, so that exactly one isolate takes it. */
export interface TakenEntry {
  readonly entry: OutboxEntry;
  readonly check: Deno.AtomicCheck;
}

/** Events that nobody could address for this long are dropped. */
const lifetimeMs = 3 * 86_400_000;
/** The number of entries of one reading. */
const entriesMax = 200;

/** Adds an event to the commit of the change that it reports, so that both or neither are stored. */
export function addToOutbox(
  operation: AtomicOperation,
  entry: OutboxEntry,
): AtomicOperation {
  const id = entry.source === "event" ? entry.event.id : entry.id;
  return operation.set(keys.webhookOutbox(id), entry, { expireIn: lifetimeMs });
}

/** Stores an event that reports no change of the store. */
export async function postEvent(store: Store, event: WebhookEvent): Promise<void> {
  await addToOutbox(store.kv.atomic(), { source: "event", event }).commit();
}

/**
 * Stores an event and its mark, or neither if the mark exists. Returns true for only one of any
 * concurrent callers.
 */
export async function postEventOnce(
  store: Store,
  event: WebhookEvent,
  mark: { readonly id: string; readonly lifetimeMs: number },
): Promise<boolean> {
  const key = keys.webhookMark(mark.id);
  const operation = store.kv.atomic().check({ key, versionstamp: null })
    .set(key, true, { expireIn: mark.lifetimeMs });
  return (await addToOutbox(operation, { source: "event", event }).commit()).ok;
}

/** True while a mark holds. */
export async function isMarked({ kv }: Store, markId: string): Promise<boolean> {
  return (await kv.get(keys.webhookMark(markId))).value !== null;
}

/** Stores an event and deletes a mark, or neither if the mark is gone. */
export async function postEventAtEnd(
  store: Store,
  event: WebhookEvent,
  markId: string,
): Promise<boolean> {
  const found = await store.kv.get(keys.webhookMark(markId));
  if (found.value === null) return false;
  const operation = store.kv.atomic().check(found).delete(found.key);
  return (await addToOutbox(operation, { source: "event", event }).commit()).ok;
}

/** Returns the events that wait to be addressed. */
export async function listOutbox(store: Store): Promise<TakenEntry[]> {
  const list = store.kv.list<OutboxEntry>({ prefix: keys.webhookOutboxAll }, { limit: entriesMax });
  const found: TakenEntry[] = [];
  for await (const check of list) found.push({ entry: check.value, check }); // `addToOutbox` wrote it
  return found;
}
