import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { firstOrderedId } from "../kv/id.ts";
import { decodeRecord, encodeRecord, getRecord, getRecords, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import type { TakenEntry, WebhookEvent } from "./outbox.ts";

/** All states of a delivery. `abandoned`: no further attempt is made. */
const deliveryStates = ["waiting", "delivered", "abandoned"] as const;

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  readonly atMs: number;
  readonly durationMs: number;
  /** The receiver's answer; absent if there was none. */
  readonly status?: number;
  /** The reason of a failure, without an address; absent after a success. */
  readonly fault?: string;
}

/** The delivery of one event to one endpoint. */
export interface WebhookDelivery {
  readonly endpointId: string;
  /** The receiver gets it as `webhook-id`; unique at its endpoint. */
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly state: typeof deliveryStates[number];
  /** The number of attempts since the event, or since it was last sent again. */
  readonly attempts: number;
  /** The last attempts, oldest first. */
  readonly history: readonly DeliveryAttempt[];
  readonly createdAtMs: number;
  /** The time of the next attempt; present while it is waiting. */
  readonly dueAtMs?: number;
  readonly expiresAtMs: number;
}

/** A delivery that this isolate alone may attempt until it becomes due again. */
export interface ClaimedDelivery {
  readonly delivery: WebhookDelivery;
  readonly claim: Deno.AtomicCheck;
}

/** The receiver under which the queue keeps mails; the body of each is sealed. */
export const mailReceiverId = "mail";

/** A delivery before its first attempt. The `eventId` of a mail also names its recipient. */
export type PlannedDelivery = Pick<WebhookDelivery, "endpointId" | "eventId" | "type" | "body">;

const kind: Kind<WebhookDelivery> = { name: "webhook delivery", version: 1 };

const dayMs = 86_400_000;
/** The lifetime of a delivery. */
const deliveryLifetimeMs = 30 * dayMs;
/** The number of deliveries of an endpoint that `pruneDeliveries` leaves. */
const deliveriesMax = 2_000;
const historyMax = 12;

/**
 * Takes an event out of the outbox and schedules its delivery to each endpoint, and its mails, in
 * one commit.
 * Returns false if another isolate took it.
 */
export async function addressEvent(
  store: Store,
  { check }: TakenEntry,
  { event, endpointIds, mails = [], nowMs }: {
    /** Undefined if there is no event. */
    readonly event: WebhookEvent | undefined;
    readonly endpointIds: readonly string[];
    readonly mails?: readonly PlannedDelivery[];
    readonly nowMs: number;
  },
): Promise<boolean> {
  const operation = store.kv.atomic().check(check).delete(check.key);
  for (const endpointId of event ? endpointIds : []) {
    if (event) put(operation, newDelivery(plannedOf(event, endpointId), event.atMs, nowMs), nowMs);
  }
  for (const mail of mails) put(operation, newDelivery(mail, nowMs, nowMs), nowMs);
  return (await operation.commit()).ok;
}

/** Schedules a mail that no event caused. */
export async function queueMail(store: Store, mail: PlannedDelivery, nowMs: number): Promise<void> {
  await put(store.kv.atomic(), newDelivery(mail, nowMs, nowMs), nowMs).commit();
}

/** Returns true if an endpoint has a delivery that is waiting, due or not. */
export async function hasWaiting(store: Store): Promise<boolean> {
  for await (const _ of store.kv.list({ prefix: keys.webhookDueAll }, { limit: 1 })) return true;
  return false;
}

/**
 * Claims the due delivery of an endpoint that has waited longest; undefined if none is due. Only
 * one of any concurrent callers gets it, and it becomes due again after `claimMs` without
 * `endClaim`.
 */
export async function claimDelivery(
  store: Store,
  endpointId: string,
  { nowMs, claimMs }: { readonly nowMs: number; readonly claimMs: number },
): Promise<ClaimedDelivery | undefined> {
  const due = {
    prefix: keys.webhookDueOf(endpointId),
    end: keys.webhookDue(endpointId, firstOrderedId(nowMs + 1), ""),
  };
  for await (const entry of store.kv.list(due)) {
    const read = await store.kv.get(keys.webhookDelivery(endpointId, String(entry.key.at(-1))));
    const operation = store.kv.atomic().check(entry).check(read).delete(entry.key);
    const current = read.value === null ? undefined : decodeRecord(kind, read.value);
    const delivery = current && { ...current, dueAtMs: nowMs + claimMs };
    if (delivery) put(operation, delivery, nowMs);
    const result = await operation.commit();
    if (delivery && result.ok) {
      return { delivery, claim: { key: read.key, versionstamp: result.versionstamp } };
    }
  }
  return undefined;
}

/** The outcome of a claimed attempt. */
interface ClaimEnd extends Pick<WebhookDelivery, "state" | "attempts" | "dueAtMs"> {
  /** Absent if no attempt was made. */
  readonly attempt?: DeliveryAttempt;
  readonly nowMs: number;
}

/** Stores the outcome of a claimed delivery. Returns false if the claim had ended. */
export async function endClaim(
  store: Store,
  { delivery, claim }: ClaimedDelivery,
  { attempt, nowMs, dueAtMs, ...changed }: ClaimEnd,
): Promise<boolean> {
  const { dueAtMs: claimedUntilMs, ...rest } = delivery;
  const operation = store.kv.atomic().check(claim);
  deleteDue(operation, delivery, claimedUntilMs);
  const history = [...delivery.history, ...(attempt ? [attempt] : [])].slice(-historyMax);
  const next = { ...rest, ...changed, history, ...(dueAtMs !== undefined && { dueAtMs }) };
  return (await put(operation, next, nowMs).commit()).ok;
}

/**
 * Makes a delivery due at once, whatever its state, with all its attempts before it. Returns false
 * if there is no such delivery.
 */
export async function sendAgain(
  store: Store,
  { endpointId, eventId }: Pick<WebhookDelivery, "endpointId" | "eventId">,
  nowMs: number,
): Promise<boolean> {
  const read = await store.kv.get(deliveryKey(endpointId, eventId));
  if (read.value === null) return false;
  const current = decodeRecord(kind, read.value);
  const operation = store.kv.atomic().check(read);
  deleteDue(operation, current, current.dueAtMs);
  const next = { ...current, state: "waiting" as const, attempts: 0, dueAtMs: nowMs };
  return (await put(operation, next, nowMs).commit()).ok;
}

/** Returns undefined if there is no such delivery, or if it has expired. */
export function getDelivery(
  store: Store,
  endpointId: string,
  eventId: string,
): Promise<WebhookDelivery | undefined> {
  return getRecord(store, kind, deliveryKey(endpointId, eventId));
}

/** Returns the deliveries of an event to any of the endpoints. */
export async function deliveriesOfEvent(
  store: Store,
  eventId: string,
  endpointIds: readonly string[],
): Promise<WebhookDelivery[]> {
  const found = await getRecords(store, kind, endpointIds.map((id) => deliveryKey(id, eventId)));
  return found.filter((delivery) => delivery !== undefined);
}

interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  /** The `before` of the next page; absent on the last page. */
  readonly next?: string;
}

/** Returns a page of the deliveries of an endpoint, newest first. */
export async function listDeliveries(
  store: Store,
  endpointId: string,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<DeliveryPage> {
  const prefix = keys.webhookDeliveriesOf(endpointId);
  const selector = before === undefined ? { prefix } : { prefix, end: [...prefix, before] };
  const deliveries: WebhookDelivery[] = [];
  let last: string | undefined;
  for await (const entry of store.kv.list(selector, { reverse: true, limit: limit + 1 })) {
    if (deliveries.length === limit) return { deliveries, next: last };
    deliveries.push(decodeRecord(kind, entry.value));
    last = String(entry.key.at(-1));
  }
  return { deliveries };
}

/** Deletes the deliveries of an endpoint but the newest `kept`, the waiting ones too. */
export async function pruneDeliveries(
  store: Store,
  endpointId: string,
  kept: number = deliveriesMax,
): Promise<void> {
  let passed = 0;
  const prefix = keys.webhookDeliveriesOf(endpointId);
  for await (const entry of store.kv.list({ prefix }, { reverse: true, batchSize: 200 })) {
    if (++passed <= kept) continue;
    const delivery = decodeRecord(kind, entry.value);
    const operation = store.kv.atomic().check(entry).delete(entry.key);
    deleteDue(operation, delivery, delivery.dueAtMs);
    await operation.commit(); // one that was just sent again stays until the next time
  }
}

/** Returns the ids of the endpoints that have deliveries, or had them while they existed. */
export async function endpointIdsWithDeliveries(store: Store): Promise<string[]> {
  const ids: string[] = [];
  let start: Deno.KvKey = keys.webhookDeliveries;
  while (true) {
    const selector = { start, end: [`${keys.webhookDeliveries[0]}\0`] };
    const [first] = await Array.fromAsync(store.kv.list(selector, { limit: 1 }));
    if (first === undefined) return ids;
    const id = String(first.key[1]);
    ids.push(id);
    start = keys.webhookDeliveriesOf(`${id}\0`);
  }
}

function plannedOf({ id: eventId, type, body }: WebhookEvent, endpointId: string): PlannedDelivery {
  return { endpointId, eventId, type, body };
}

function newDelivery(
  planned: PlannedDelivery,
  createdAtMs: number,
  nowMs: number,
): WebhookDelivery {
  return {
    ...planned,
    state: "waiting",
    attempts: 0,
    history: [],
    createdAtMs,
    dueAtMs: nowMs,
    expiresAtMs: nowMs + deliveryLifetimeMs,
  };
}

function put(
  operation: AtomicOperation,
  delivery: WebhookDelivery,
  nowMs: number,
): AtomicOperation {
  const { endpointId, eventId, dueAtMs, expiresAtMs } = delivery;
  const expiry = { expireIn: Math.max(1, expiresAtMs - nowMs) };
  if (dueAtMs !== undefined) operation.set(dueKey(delivery, dueAtMs), true, expiry);
  return operation.set(deliveryKey(endpointId, eventId), encodeRecord(kind, delivery), expiry);
}

function deleteDue(
  operation: AtomicOperation,
  delivery: WebhookDelivery,
  dueAtMs: number | undefined,
): void {
  if (dueAtMs !== undefined) operation.delete(dueKey(delivery, dueAtMs));
}

function dueKey({ endpointId, eventId }: WebhookDelivery, dueAtMs: number): Deno.KvKey {
  return keys.webhookDue(endpointId, firstOrderedId(dueAtMs), placeOf(eventId));
}

function deliveryKey(endpointId: string, eventId: string): Deno.KvKey {
  return keys.webhookDelivery(endpointId, placeOf(eventId));
}

/** The part of an event's id that sorts by time. */
function placeOf(eventId: string): string {
  return eventId.slice(eventId.indexOf("_") + 1);
}
