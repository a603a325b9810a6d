import { keys } from "../keys.ts";
import { firstOrderedId } from "../kv/id.ts";
import type { Store } from "../kv/store.ts";
import { changeOf, type EntryType, type LedgerEntry, postedEntriesOf } from "./ledger_entry.ts";
import { getBalance } from "./wallet.ts";

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
