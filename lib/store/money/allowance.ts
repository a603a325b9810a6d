import type { IsolateEntry } from "../isolates/isolate.ts";
import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import { decodeRecord, encodeRecord, type Kind, pauseAfterConflict } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type Watch, watchKey } from "../kv/watch.ts";
import { readWallet } from "./wallet.ts";

/**
 * A limited quantity: a wallet, a budget of one period, the requests of one minute. Amounts are in
 * its own unit (nano-dollars, requests, tokens, places).
 */
interface Allowance {
  /** The total of all leases that were taken and not returned, spent or not. */
  readonly allotted: bigint;
}

/** The size of an allowance. */
export type AllowanceLimit =
  | { readonly type: "amount"; readonly amount: bigint }
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
  /** The initial allotment of a new allowance: the debt of earlier minutes. */
  readonly owes?: () => Promise<bigint>;
}

/** `swept`: a sweeper took this isolate for dead, so its leases are gone. */
export type LeaseResult =
  | { readonly type: "leased"; readonly amount: bigint; readonly free: bigint }
  | { readonly type: "insufficient"; readonly free: bigint }
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
  let tried: Tried<LeaseResult> | undefined;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const [allowance, own, lease, wallet] = await readInBatches(
      store.kv,
      entryKeys(isolate, wanted),
    );
    if (own.versionstamp !== isolate.versionstamp) return { type: "swept" };
    if (tried && hasHappened(tried, lease)) return tried.result;
    const allotted = allowance.value === null
      ? await wanted.owes?.() ?? 0n
      : allottedIn(allowance.value);
    const free = freeOf(wanted.limit, allotted, wallet?.value ?? null);
    const amount = sliceOf(wanted, free);
    if (amount === undefined) return { type: "insufficient", free };
    const operation = store.kv.atomic().check(allowance, own);
    if (wallet) operation.check(wallet);
    setAllotted(operation, wanted.allowanceId, allotted + amount, wanted.expiresInMs);
    setLease(operation, isolate.id, wanted.allowanceId, wanted.held + amount);
    const result = { type: "leased", amount, free: free - amount } as const;
    if ((await operation.commit()).ok) return result;
    tried = { lease, result };
    await pauseAfterConflict(attempt);
  }
  return { type: "insufficient", free: 0n };
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
  { allowanceId, amount, held, expiresInMs }: {
    readonly allowanceId: string;
    readonly amount: bigint;
    readonly held: bigint;
    readonly expiresInMs?: number;
  },
): Promise<boolean> {
  let tried: Tried<true> | undefined;
  for (let attempt = 0;; attempt++) {
    const [allowance, own, lease] = await readInBatches(store.kv, [
      keys.allowance(allowanceId),
      keys.isolate(isolate.id),
      keys.lease(isolate.id, allowanceId),
    ]);
    if (own.versionstamp !== isolate.versionstamp) return false;
    if (tried && hasHappened(tried, lease)) return true;
    const operation = store.kv.atomic().check(allowance, own);
    setAllotted(operation, allowanceId, allottedIn(allowance.value) - amount, expiresInMs);
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
    setAllotted(operation, allowanceId, allottedIn(allowance.value) - held);
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

/** Returns the used amounts of allowances, in order. */
export async function listSpent(
  store: Store,
  allowanceIds: readonly string[],
): Promise<bigint[]> {
  const entries = await readInBatches(store.kv, allowanceIds.map(keys.allowanceSpent));
  return entries.map(({ value }) => value instanceof Deno.KvU64 ? value.value : 0n);
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

function entryKeys(isolate: IsolateEntry, { allowanceId, limit }: LeaseWanted): Deno.KvKey[] {
  return [
    keys.allowance(allowanceId),
    keys.isolate(isolate.id),
    keys.lease(isolate.id, allowanceId),
    ...(limit.type === "wallet" ? [keys.wallet(limit.accountId)] : []),
  ];
}

function freeOf(limit: AllowanceLimit, allotted: bigint, wallet: unknown): bigint {
  switch (limit.type) {
    case "amount":
      return positive(limit.amount - allotted);
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

function sliceOf({ needed, slice }: LeaseWanted, free: bigint): bigint | undefined {
  if (free < needed) return undefined;
  const wanted = slice(free);
  const amount = wanted < needed ? needed : wanted > free ? free : wanted;
  return amount > 0n ? amount : undefined;
}

function setAllotted(
  operation: AtomicOperation,
  allowanceId: string,
  allotted: bigint,
  expireIn?: number,
): void {
  const options = expireIn === undefined ? {} : { expireIn };
  operation.set(keys.allowance(allowanceId), encodeRecord(kind, { allotted }), options);
}

/** Decodes what is leased of an allowance. */
export function allottedIn(value: unknown): bigint {
  return value === null ? 0n : decodeRecord(kind, value).allotted;
}

function heldIn(value: unknown): bigint {
  return (value as { readonly held: bigint }).held; // only setLease writes it
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
