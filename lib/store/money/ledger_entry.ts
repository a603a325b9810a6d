import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { firstOrderedId } from "../kv/id.ts";
import { decodeRecord, encodeRecord, getRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { getBalance } from "./wallet.ts";

/** The types of ledger entries. */
export const entryTypes = [
  "payment",
  "redemption",
  "grant",
  "usage",
  "adjustment",
  "refund",
] as const;
/** The type of a ledger entry: the reason for the transfer. */
export type EntryType = typeof entryTypes[number];

/** The contra accounts of wallet entries. */
type ContraAccount = "payments" | "redemptions" | "grants" | "adjustments" | "revenue";
/** `wallet:` and an account's id, or one of the shared contra accounts. */
type LedgerAccount = `wallet:${string}` | ContraAccount;

/**
 * A transfer between an account's wallet and a contra account, modelled on TigerBeetle's transfers:
 * one account is debited by the amount that the other is credited, so all balances sum to zero.
 * Never changed or deleted; a further entry corrects a mistake.
 */
export interface LedgerEntry {
  /** Sorts by time. */
  readonly id: string;
  readonly atMs: number;
  readonly accountId: string;
  readonly type: EntryType;
  /** The account that the amount is taken from. */
  readonly debit: LedgerAccount;
  /** The account that the amount is added to. */
  readonly credit: LedgerAccount;
  /** In nano-dollars, above 0. */
  readonly amountNanoUsd: bigint;
  /** An explanation for people. */
  readonly reason: string;
  /** The actor: a user's id, `stripe`, or `gateway` for usage. */
  readonly actor: string;
  /** The subject: a payment's id, a code's batch, or a key's id. */
  readonly reference?: string;
}

/** The types of entries that are posted; settling charges usage instead. */
export type PostedType = Exclude<EntryType, "usage">;

/** A stored entry. It holds its idempotency key, so that an audit can check the index. */
export interface PostedEntry extends LedgerEntry {
  readonly idempotencyKey: string;
}

const kind: Kind<PostedEntry> = { name: "ledger entry", version: 1 };

/** The contra account of each type of entry, and the directions in which it may move money. */
export const entryRules = {
  payment: { contra: "payments", into: true, outOf: false },
  redemption: { contra: "redemptions", into: true, outOf: false },
  grant: { contra: "grants", into: true, outOf: false },
  adjustment: { contra: "adjustments", into: true, outOf: true },
  /** Incoming again if a refund failed or a dispute was won. */
  refund: { contra: "payments", into: true, outOf: true },
} as const satisfies Record<PostedType, Rule>;

interface Rule {
  readonly contra: ContraAccount;
  readonly into: boolean;
  readonly outOf: boolean;
}

/** Returns undefined if there is no such entry. Usage entries have no id of their own. */
export function getEntry(
  store: Store,
  accountId: string,
  id: string,
): Promise<PostedEntry | undefined> {
  return getRecord(store, kind, keys.ledgerEntry(accountId, id));
}

/** Streams the posted entries of all accounts, each account's in order of time. For audits. */
export async function* allPostedEntries(store: Store): AsyncGenerator<PostedEntry> {
  const prefix = keys.ledgerEntries;
  for await (const { value } of store.kv.list({ prefix }, { batchSize: 500 })) {
    yield decodeRecord(kind, value);
  }
}

/** Streams the posted entries of an account, newest first. */
async function* postedEntriesOf(
  store: Store,
  accountId: string,
): AsyncGenerator<PostedEntry, undefined> {
  const prefix = keys.ledgerEntriesOfAccount(accountId);
  for await (const { value } of store.kv.list({ prefix }, { reverse: true })) {
    yield decodeRecord(kind, value);
  }
}

/** Streams every idempotency key with its entry. For audits. */
export async function* allIdempotencyKeys(
  store: Store,
): AsyncGenerator<{ readonly idempotencyKey: string } & PostedReference> {
  const entries = store.kv.list<PostedReference>({ prefix: keys.ledgerPostedAll }, {
    batchSize: 500,
  });
  for await (const { key, value } of entries) {
    yield { idempotencyKey: String(key.at(-1)), ...value };
  }
}

/**
 * Returns the total debits and credits of each contra account except `revenue`, in nano-dollars.
 */
export async function getContraTotals(
  store: Store,
): Promise<ReadonlyMap<string, { readonly debitNanoUsd: bigint; readonly creditNanoUsd: bigint }>> {
  const totals = new Map<string, { debitNanoUsd: bigint; creditNanoUsd: bigint }>();
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix: keys.ledgerTotals })) {
    const [, account, side] = key.map(String);
    const total = totals.get(account) ?? { debitNanoUsd: 0n, creditNanoUsd: 0n };
    totals.set(account, total);
    total[side === "debit" ? "debitNanoUsd" : "creditNanoUsd"] = value.value;
  }
  return totals;
}

/** Returns the contra account of a type of entry; `revenue` for usage. */
export function contraOf(type: EntryType): ContraAccount {
  return type === "usage" ? "revenue" : entryRules[type].contra;
}

/** Returns the entry's change to its wallet; positive for incoming money. */
export function changeOf({ credit, amountNanoUsd }: LedgerEntry): bigint {
  return credit.startsWith("wallet:") ? amountNanoUsd : -amountNanoUsd;
}

/** The entry of an idempotency key. */
export interface PostedReference {
  readonly accountId: string;
  readonly entryId: string;
}

/** Adds an entry to a commit, which fails if the idempotency key is taken. */
export function putEntry(operation: AtomicOperation, entry: PostedEntry): void {
  const { accountId, id, type, debit, amountNanoUsd, idempotencyKey } = entry;
  const key = keys.ledgerPosted(idempotencyKey);
  const side = debit.startsWith("wallet:") ? "credit" : "debit";
  operation
    .check({ key, versionstamp: null })
    .set(key, { accountId, entryId: id } satisfies PostedReference)
    .set(keys.ledgerEntry(accountId, id), encodeRecord(kind, entry))
    .sum(keys.ledgerTotal(contraOf(type), side), amountNanoUsd);
}

/** An entry, and the account's balance after it. */
export interface ListedEntry extends LedgerEntry {
  /** In nano-dollars. */
  readonly balanceNanoUsd: bigint;
}

/** A page of an account's entries. */
export interface EntryPage {
  /** Newest first. */
  readonly entries: readonly ListedEntry[];
  /** The `before` of the next page; absent on the last page. */
  readonly next?: string;
}

const dayMs = 86_400_000;
const readingsMax = 3;

/**
 * Lists the ledger of an account, newest first: posted entries, and usage as one entry per key and
 * day (UTC) at the end of the day. Each has the running balance, so later pages also read newer
 * entries, and pages of one type also read other types. If calls settle meanwhile, it reads again,
 * a few times.
 */
export async function listEntries(
  store: Store,
  accountId: string,
  options: { readonly before?: string; readonly type?: EntryType; readonly limit: number },
): Promise<EntryPage> {
  for (let reading = 1;; reading++) {
    const { balanceNanoUsd, spentNanoUsd } = await getBalance(store, accountId);
    const page = await readPage(entriesOf(store, accountId), { ...options, balanceNanoUsd });
    const after = await getBalance(store, accountId);
    const steady = after.balanceNanoUsd === balanceNanoUsd && after.spentNanoUsd === spentNanoUsd;
    if (steady || reading === readingsMax) return page;
  }
}

async function readPage(
  newestFirst: AsyncGenerator<LedgerEntry>,
  { before, type, limit, balanceNanoUsd }: {
    readonly before?: string;
    readonly type?: EntryType;
    readonly limit: number;
    readonly balanceNanoUsd: bigint;
  },
): Promise<EntryPage> {
  const entries: ListedEntry[] = [];
  let balance = balanceNanoUsd;
  for await (const entry of newestFirst) {
    const meant = (before === undefined || entry.id < before) &&
      (type === undefined || entry.type === type);
    if (meant && entries.length === limit) return { entries, next: entries.at(-1)?.id };
    if (meant) entries.push({ ...entry, balanceNanoUsd: balance });
    balance -= changeOf(entry);
  }
  return { entries };
}

/** Merges both kinds of entries in the order of their ids. */
async function* entriesOf(store: Store, accountId: string): AsyncGenerator<LedgerEntry> {
  const streams = [postedEntriesOf(store, accountId), usageEntriesOf(store, accountId)] as const;
  const heads = await Promise.all(streams.map(async (stream) => (await stream.next()).value));
  for (;;) {
    const [posted, used] = heads;
    const at = used && (!posted || used.id > posted.id) ? 1 : 0;
    const head = heads[at];
    if (!head) return;
    yield head;
    heads[at] = (await streams[at].next()).value;
  }
}

/** Lists the usage of each key on each day (UTC), newest first. */
export async function* usageEntriesOf(
  store: Store,
  accountId: string,
): AsyncGenerator<LedgerEntry, undefined> {
  const prefix = keys.ledgerUsageOfAccount(accountId);
  for await (const { key, value } of store.kv.list<Deno.KvU64>({ prefix }, { reverse: true })) {
    const [, , day, keyId] = key.map(String);
    if (value.value > 0n) yield usageEntry(accountId, { day, keyId, amountNanoUsd: value.value });
  }
}

function usageEntry(
  accountId: string,
  { day, keyId, amountNanoUsd }: {
    readonly day: string;
    readonly keyId: string;
    readonly amountNanoUsd: bigint;
  },
): LedgerEntry {
  const atMs = Date.parse(`${day}T00:00:00Z`) + dayMs - 1;
  return {
    id: `${firstOrderedId(atMs)}.${keyId}`,
    atMs,
    accountId,
    type: "usage",
    debit: `wallet:${accountId}`,
    credit: "revenue",
    amountNanoUsd,
    reason: `Usage of ${day}`,
    actor: "gateway",
    reference: keyId,
  };
}

/** The net funds of a wallet by type of entry, in nano-dollars. */
export type WalletSources = Readonly<Partial<Record<PostedType, bigint>>>;

/** Returns the sources of a wallet's funds: the sum of its posted entries by type. */
export async function walletSources(store: Store, accountId: string): Promise<WalletSources> {
  const sums: Partial<Record<PostedType, bigint>> = {};
  for await (const entry of postedEntriesOf(store, accountId)) {
    const type = entry.type as PostedType; // usage is charged by settling and never posted
    sums[type] = (sums[type] ?? 0n) + changeOf(entry);
  }
  return sums;
}
