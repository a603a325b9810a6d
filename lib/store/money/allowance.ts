import type { IsolateEntry } from "../isolates/isolate.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import { decodeRecord, encodeRecord, type Kind, pauseAfterConflict } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type Watch, watchKey } from "../kv/watch.ts";
import {
  markedWindow,
  roomAtMs,
  type SpendingWindow,
  windowAt,
  type WindowMoment,
} from "./spending_window.ts";
import { readWallet } from "./wallet.ts";

/**
 * A limited quantity: a wallet, a budget of one period, the requests of one minute. Amounts are in
 * its own unit (nano-dollars, requests, tokens, places).
 */
interface Allowance {
  /** The total of all leases that were taken and not returned, spent or not. */
  readonly allotted: bigint;
  /** Present for a rolling budget that has spent something. */
  readonly window?: SpendingWindow;
}

/** The size of an allowance. */
export type AllowanceLimit =
  /** With `windowMs`, as much in any time of that length: it grows by what leaves the window. */
  | { readonly type: "amount"; readonly amount: bigint; readonly windowMs?: number }
  /** The funds of the account's wallet, read in the same commit as the lease. */
  | { readonly type: "wallet"; readonly accountId: string }
  /** Unlimited; leased nevertheless, to record the usage. */
  | { readonly type: "none" };

interface LeaseWanted {
  readonly allowanceId: string;
  readonly limit: AllowanceLimit;
  /** The minimum to lease; otherwise nothing is leased. */
  readonly needed: bigint;
  /** Returns the amount to lease from the free amount. */
  readonly slice: (free: bigint) => bigint;
  /** The amount that the isolate's lease already holds. */
  readonly held: bigint;
  /** Lifetime of the allowance's record, such as until some time after its period. */
  readonly expiresInMs?: number;
  /** True for an amount that was used already: it is leased whatever is free. */
  readonly isOwed?: boolean;
  /** The initial allotment of a new allowance: the debt of earlier minutes. */
  readonly owes?: () => Promise<bigint>;
  readonly now: () => number;
}

/** `swept`: a sweeper took this isolate for dead, so its leases are gone. */
export type LeaseResult =
  | { readonly type: "leased"; readonly amount: bigint; readonly free: bigint }
  | {
    readonly type: "insufficient";
    readonly free: bigint;
    /** The time at which a rolling budget has room for an amount; see `roomAtMs`. */
    readonly roomAtMs?: (needed: bigint) => number | undefined;
  }
  | { readonly type: "swept" };

const kind: Kind<Allowance> = { name: "allowance", version: 1 };

const attemptsMax = 200;

/**
 * Leases a slice for an isolate. `allotted` never exceeds the limit, even with concurrent leases.
 */
export async function takeLease(
  store: Store,
  isolate: IsolateEntry,
  wanted: LeaseWanted,
): Promise<LeaseResult> {
  const read = entryKeys(isolate, wanted.allowanceId, fundsKey(wanted));
  let tried: Tried<LeaseResult> | undefined;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const entries = await readInBatches(store.kv, read);
    const [, own, lease] = entries;
    if (own.versionstamp !== isolate.versionstamp) return { type: "swept" };
    if (tried && hasHappened(tried, lease)) return tried.result;
    const { operation, result } = await takingOf(store, isolate, wanted, entries);
    if (!operation || (await operation.commit()).ok) return result;
    tried = { lease, result };
    await pauseAfterConflict(attempt);
  }
  return { type: "insufficient", free: 0n };
}

/** The result of taking a lease, and the commit that it needs; without one if too little is free. */
async function takingOf(
  store: Store,
  isolate: IsolateEntry,
  wanted: LeaseWanted,
  [allowance, own, , funds]: readonly Deno.KvEntryMaybe<unknown>[],
): Promise<{ readonly operation?: AtomicOperation; readonly result: LeaseResult }> {
  const former = allowance.value === null
    ? { allotted: await wanted.owes?.() ?? 0n }
    : recordIn(allowance.value);
  const moment = momentOf(wanted, funds?.value);
  const known = marked(former, moment);
  const free = freeOf(wanted.limit, known, funds?.value ?? null);
  const amount = sliceOf(wanted, free);
  if (amount === undefined) {
    const { allowanceId, now } = wanted;
    // spending without a mark never leaves the window, and an isolate that died set none
    if (moment && known !== former) await markSpending(store, { ...moment, allowanceId, now });
    return { result: insufficient(wanted.limit, { free, window: known.window, moment }) };
  }
  const operation = store.kv.atomic().check(allowance, own);
  if (wanted.limit.type === "wallet") operation.check(funds);
  const taken = { ...known, allotted: known.allotted + amount };
  setAllowance(operation, wanted.allowanceId, taken, wanted.expiresInMs);
  setLease(operation, isolate.id, wanted.allowanceId, wanted.held + amount);
  return { operation, result: { type: "leased", amount, free: positive(free - amount) } };
}

/** A commit that was reported as failed: the lease before it, and its result if it happened. */
interface Tried<Result> {
  readonly lease: Deno.KvEntryMaybe<unknown>;
  readonly result: Result;
}

/**
 * Returns true if the commit happened nevertheless: a KV client that loses a response repeats the
 * commit, whose checks then fail. Only the isolate itself writes its leases.
 */
function hasHappened(
  { lease }: Tried<unknown>,
  { versionstamp }: Deno.KvEntryMaybe<unknown>,
): boolean {
  return versionstamp !== lease.versionstamp;
}

/** Returns a part of an isolate's lease. Returns false if the isolate was swept. */
export async function returnLease(
  store: Store,
  isolate: IsolateEntry,
  returned: Pick<LeaseWanted, "allowanceId" | "limit" | "held" | "expiresInMs" | "now"> & {
    readonly amount: bigint;
  },
): Promise<boolean> {
  const { allowanceId, limit, amount, held, expiresInMs } = returned;
  const spentKey = windowMsOf(limit) === undefined ? undefined : fundsKey(returned);
  let tried: Tried<true> | undefined;
  for (let attempt = 0;; attempt++) {
    const [allowance, own, lease, funds] = await readInBatches(
      store.kv,
      entryKeys(isolate, allowanceId, spentKey),
    );
    if (own.versionstamp !== isolate.versionstamp) return false;
    if (tried && hasHappened(tried, lease)) return true;
    const operation = store.kv.atomic().check(allowance, own);
    const known = marked(recordIn(allowance.value), momentOf(returned, funds?.value));
    const left = { ...known, allotted: known.allotted - amount };
    setAllowance(operation, allowanceId, left, expiresInMs);
    setLease(operation, isolate.id, allowanceId, held - amount);
    if ((await operation.commit()).ok) return true;
    tried = { lease, result: true };
    await pauseAfterConflict(attempt);
  }
}

/** Returns the amounts that the leases of each isolate hold of an allowance. */
export async function leasedOf(store: Store, allowanceId: string): Promise<Map<string, bigint>> {
  const isolateIds: string[] = [];
  for await (const { key } of store.kv.list({ prefix: keys.isolates })) {
    isolateIds.push(String(key.at(-1)));
  }
  const entries = await readInBatches(
    store.kv,
    isolateIds.map((id) => keys.lease(id, allowanceId)),
  );
  return new Map(
    entries.flatMap(({ value }, at) => value === null ? [] : [[isolateIds[at], heldIn(value)]]),
  );
}

/** An isolate's lease of an allowance, in the allowance's own unit, with the entry to check. */
export interface LeaseRecord {
  readonly allowanceId: string;
  readonly held: bigint;
  readonly entry: Deno.KvEntryMaybe<unknown>;
}

/** Returns an isolate's leases of these allowances, without those that do not exist. */
export async function getLeases(
  store: Store,
  isolateId: string,
  allowanceIds: readonly string[],
): Promise<LeaseRecord[]> {
  const entries = await readInBatches(
    store.kv,
    allowanceIds.map((id) => keys.lease(isolateId, id)),
  );
  return entries.flatMap((entry, at) =>
    entry.value === null
      ? []
      : [{ allowanceId: allowanceIds[at], held: heldIn(entry.value), entry }]
  );
}

/** Lists all leases of an isolate. */
export async function listLeases(store: Store, isolateId: string): Promise<LeaseRecord[]> {
  const leases: LeaseRecord[] = [];
  for await (const entry of store.kv.list({ prefix: keys.leasesOfIsolate(isolateId) })) {
    const allowanceId = String(entry.key.at(-1));
    leases.push({ allowanceId, held: heldIn(entry.value), entry });
  }
  return leases;
}

/**
 * Returns the whole lease of a dead isolate. Returns false if another isolate was faster: read
 * again.
 */
export async function releaseLease(
  store: Store,
  isolateId: string,
  { allowanceId, held, entry }: LeaseRecord,
): Promise<boolean> {
  const allowance = await store.kv.get(keys.allowance(allowanceId));
  const operation = store.kv.atomic().check(allowance, entry)
    .delete(keys.lease(isolateId, allowanceId));
  if (allowance.value !== null) {
    const record = recordIn(allowance.value);
    setAllowance(operation, allowanceId, { ...record, allotted: record.allotted - held });
  }
  return (await operation.commit()).ok;
}

/** Sets the amount that an isolate holds; 0 deletes the lease. */
export function setLease(
  operation: AtomicOperation,
  isolateId: string,
  allowanceId: string,
  held: bigint,
): void {
  const key = keys.lease(isolateId, allowanceId);
  if (held === 0n) operation.delete(key);
  else operation.set(key, { held });
}

/** Maximum number of leases in one commit, whatever the length of their keys. */
const leasesPerCommit = 250;

/** Deletes leases of ended windows, whose rest nobody needs. */
export async function dropLeases(
  store: Store,
  isolateId: string,
  allowanceIds: readonly string[],
): Promise<void> {
  for (let at = 0; at < allowanceIds.length; at += leasesPerCommit) {
    const operation = store.kv.atomic();
    for (const allowanceId of allowanceIds.slice(at, at + leasesPerCommit)) {
      operation.delete(keys.lease(isolateId, allowanceId));
    }
    await operation.commit();
  }
}

/** Adds to the used amount of an allowance. */
export function addSpent(
  operation: AtomicOperation,
  allowanceId: string,
  amount: bigint,
): void {
  if (amount > 0n) operation.sum(keys.allowanceSpent(allowanceId), amount);
}

/** Returns the used amount of an allowance. */
export async function getSpent(store: Store, allowanceId: string): Promise<bigint> {
  const { value } = await store.kv.get<Deno.KvU64>(keys.allowanceSpent(allowanceId));
  return value?.value ?? 0n;
}

/**
 * Marks what a rolling budget has spent by now, so that it leaves the window in time. An isolate
 * that spends from a lease without changing it needs this.
 */
export async function markSpending(
  store: Store,
  { allowanceId, windowMs, now }: {
    readonly allowanceId: string;
    readonly windowMs: number;
    readonly now: () => number;
  },
): Promise<void> {
  const [allowance, { value }] = await store.kv.getMany([
    keys.allowance(allowanceId),
    keys.allowanceSpent(allowanceId),
  ]);
  const record = recordIn(allowance.value);
  const known = marked(record, { windowMs, nowMs: now(), spent: sumIn(value) });
  if (known === record) return;
  const operation = store.kv.atomic().check(allowance);
  setAllowance(operation, allowanceId, known);
  await operation.commit(); // if it fails, another isolate has marked the same spending
}

/** The spending of a budget in its period or its window, in nano-dollars. */
interface SpentAmount {
  readonly spentNanoUsd: bigint;
  /** The time at which the oldest of it leaves a rolling window; absent if nothing does. */
  readonly leavesAtMs?: number;
}

interface SpendingQuery {
  readonly allowanceId: string;
  /** Present for a rolling budget. */
  readonly windowMs?: number;
}

/** Returns what each budget has spent, in order. */
export async function listSpending(
  store: Store,
  queries: readonly SpendingQuery[],
  nowMs: number,
): Promise<SpentAmount[]> {
  const rolling = queries.filter(({ windowMs }) => windowMs !== undefined);
  const [spent, records] = await Promise.all([
    readInBatches(store.kv, queries.map((one) => keys.allowanceSpent(one.allowanceId))),
    readInBatches(store.kv, rolling.map((one) => keys.allowance(one.allowanceId))),
  ]);
  const windows = new Map(rolling.map((one, at) => [one, recordIn(records[at].value).window]));
  return queries.map((query, at) => {
    const { windowMs } = query;
    const spentNanoUsd = sumIn(spent[at].value);
    if (windowMs === undefined) return { spentNanoUsd };
    const { left, marks: [oldest] } = windowAt(windows.get(query), { windowMs, nowMs });
    return {
      spentNanoUsd: positive(spentNanoUsd - left),
      ...(oldest && { leavesAtMs: oldest.atMs + windowMs }),
    };
  });
}

/** The same of one budget. */
export async function getSpending(
  store: Store,
  query: SpendingQuery,
  nowMs: number,
): Promise<SpentAmount> {
  const [spending] = await listSpending(store, [query], nowMs);
  return spending;
}

/** Returns what settled calls have used of an allowance whose spending is not added up. */
export async function getCounted(store: Store, allowanceId: string): Promise<bigint> {
  const [{ value }, leased] = await Promise.all([
    store.kv.get(keys.allowance(allowanceId)),
    leasedOf(store, allowanceId),
  ]);
  return [...leased.values()].reduce((used, held) => positive(used - held), allottedIn(value));
}

/** Returns the amount that isolates hold of an allowance, for calls in flight and in reserve. */
export async function getHeld(store: Store, allowanceId: string): Promise<bigint> {
  const [{ value }, spent] = await Promise.all([
    store.kv.get(keys.allowance(allowanceId)),
    getSpent(store, allowanceId),
  ]);
  return positive(allottedIn(value) - spent);
}

/** Lists all allowances with their leased and used amounts. */
export async function listAllowances(
  store: Store,
): Promise<{ readonly id: string; readonly allotted: bigint; readonly spent: bigint }[]> {
  const allowances: { id: string; allotted: bigint; spent: bigint }[] = [];
  for await (const { key, value } of store.kv.list({ prefix: keys.allowances })) {
    const id = String(key.at(-1));
    allowances.push({ id, allotted: allottedIn(value), spent: await getSpent(store, id) });
  }
  return allowances;
}

/** A request that other isolates return an allowance. */
interface Recall {
  readonly allowanceId: string;
  readonly isolateId: string;
}

/** Asks every other isolate to return the free part of its lease. */
export async function recallLeases(
  store: Store,
  allowanceId: string,
  isolateId: string,
): Promise<void> {
  await store.kv.set(keys.recall, { allowanceId, isolateId, nonce: crypto.randomUUID() });
}

/**
 * Reports recalls as they happen. Several may be reported as one; an isolate that still needs the
 * allowance recalls again.
 */
export function watchRecalls(store: Store, recalled: (recall: Recall) => void): Watch {
  return watchKey(store, keys.recall, ({ value }) => {
    if (value !== null) recalled(value as Recall); // only recallLeases writes it
  });
}

function entryKeys(
  isolate: IsolateEntry,
  allowanceId: string,
  funds: Deno.KvKey | undefined,
): Deno.KvKey[] {
  return [
    keys.allowance(allowanceId),
    keys.isolate(isolate.id),
    keys.lease(isolate.id, allowanceId),
    ...(funds ? [funds] : []),
  ];
}

/** The entry that an allowance grows by: a wallet, or the spending that leaves a window. */
function fundsKey(
  { allowanceId, limit }: Pick<LeaseWanted, "allowanceId" | "limit">,
): Deno.KvKey | undefined {
  if (limit.type === "wallet") return keys.wallet(limit.accountId);
  return windowMsOf(limit) === undefined ? undefined : keys.allowanceSpent(allowanceId);
}

/** The length of a rolling budget; undefined for every other limit. */
export function windowMsOf(limit: AllowanceLimit): number | undefined {
  return limit.type === "amount" ? limit.windowMs : undefined;
}

function momentOf(
  { limit, now }: Pick<LeaseWanted, "limit" | "now">,
  spent: unknown,
): WindowMoment | undefined {
  const windowMs = windowMsOf(limit);
  return windowMs === undefined ? undefined : { windowMs, nowMs: now(), spent: sumIn(spent) };
}

/** The record with a mark of what is spent; the same object if nothing changes. */
function marked(record: Allowance, moment: WindowMoment | undefined): Allowance {
  const window = moment && markedWindow(record.window, moment);
  return window && window !== record.window ? { ...record, window } : record;
}

function insufficient(
  limit: AllowanceLimit,
  { free, window, moment }: {
    readonly free: bigint;
    readonly window: SpendingWindow | undefined;
    readonly moment: WindowMoment | undefined;
  },
): LeaseResult {
  if (!moment || limit.type !== "amount") return { type: "insufficient", free };
  const { amount } = limit;
  const current = windowAt(window, moment);
  return {
    type: "insufficient",
    free,
    roomAtMs: (needed) => roomAtMs(current, { ...moment, amount, needed }),
  };
}

function freeOf(limit: AllowanceLimit, { allotted, window }: Allowance, wallet: unknown): bigint {
  switch (limit.type) {
    case "amount":
      return positive(limit.amount + (window?.left ?? 0n) - allotted);
    case "wallet":
      return positive(readWallet(wallet).fundedNanoUsd - allotted);
    case "none":
      return withoutEnd;
    default:
      return limit satisfies never;
  }
}

/** The free amount of an unlimited allowance: a million dollars in nano-dollars. */
const withoutEnd = 10n ** 15n;

function sliceOf({ needed, slice, isOwed }: LeaseWanted, free: bigint): bigint | undefined {
  if (isOwed) return needed;
  if (free < needed) return undefined;
  const wanted = slice(free);
  const amount = wanted < needed ? needed : wanted > free ? free : wanted;
  return amount > 0n ? amount : undefined;
}

function setAllowance(
  operation: AtomicOperation,
  allowanceId: string,
  record: Allowance,
  expireIn?: number,
): void {
  const options = expireIn === undefined ? {} : { expireIn };
  operation.set(keys.allowance(allowanceId), encodeRecord(kind, record), options);
}

function recordIn(value: unknown): Allowance {
  return value === null ? { allotted: 0n } : decodeRecord(kind, value);
}

function sumIn(value: unknown): bigint {
  return value instanceof Deno.KvU64 ? value.value : 0n;
}

/** Decodes what is leased of an allowance. */
export function allottedIn(value: unknown): bigint {
  return recordIn(value).allotted;
}

function heldIn(value: unknown): bigint {
  return (value as { readonly held: bigint }).held; // only setLease writes it
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
