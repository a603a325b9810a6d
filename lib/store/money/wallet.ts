import { keys } from "../keys.ts";
import type { AtomicOperation } from "../kv/database.ts";
import { readInBatches } from "../kv/engine.ts";
import { decodeRecord, encodeRecord, type Kind } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";

/** The money of an account. Amounts are nano-dollars. */
interface Wallet {
  /**
   * The sum of all its ledger entries except usage; below 0 only after a payment was taken back.
   */
  readonly fundedNanoUsd: bigint;
  /** Id of the newest posted entry, which the next one follows; absent before the first. */
  readonly lastEntryId?: string;
}

/** The balance of an account, in nano-dollars. */
export interface Balance {
  readonly fundedNanoUsd: bigint;
  /** All usage charged so far. */
  readonly spentNanoUsd: bigint;
  /** Funds minus spending. */
  readonly balanceNanoUsd: bigint;
}

const kind: Kind<Wallet> = { name: "wallet", version: 1 };

/** Returns the id of the allowance that pays for an account's calls. */
export function walletId(accountId: string): string {
  return `wallet:${accountId}`;
}

/** Returns the balance of an account; zero if it was never funded. */
export async function getBalance(store: Store, accountId: string): Promise<Balance> {
  const [wallet, spent] = await store.kv.getMany([
    keys.wallet(accountId),
    keys.allowanceSpent(walletId(accountId)),
  ]);
  return balanceIn(wallet.value, spent.value);
}

/** Returns the balances of many accounts, in order. */
export async function getBalances(
  store: Store,
  accountIds: readonly string[],
): Promise<readonly Balance[]> {
  const [wallets, spent] = await Promise.all([
    readInBatches(store.kv, accountIds.map(keys.wallet)),
    readInBatches(store.kv, accountIds.map((id) => keys.allowanceSpent(walletId(id)))),
  ]);
  return wallets.map(({ value }, at) => balanceIn(value, spent[at].value));
}

/** Returns the balance alone, in nano-dollars. */
export async function balanceOf(store: Store, accountId: string): Promise<bigint> {
  return (await getBalance(store, accountId)).balanceNanoUsd;
}

/** Lists the ids of all accounts that were ever funded. */
export async function listWallets(
  store: Store,
): Promise<{ readonly accountId: string; readonly fundedNanoUsd: bigint }[]> {
  const wallets: { accountId: string; fundedNanoUsd: bigint }[] = [];
  for await (const { key, value } of store.kv.list({ prefix: keys.wallets }, { batchSize: 500 })) {
    const { fundedNanoUsd } = readWallet(value);
    wallets.push({ accountId: String(key.at(-1)), fundedNanoUsd });
  }
  return wallets;
}

/** Decodes the stored values of a wallet and of its spending. */
export function balanceIn(wallet: unknown, spent: unknown): Balance {
  const { fundedNanoUsd } = readWallet(wallet);
  const spentNanoUsd = spent instanceof Deno.KvU64 ? spent.value : 0n;
  return { fundedNanoUsd, spentNanoUsd, balanceNanoUsd: fundedNanoUsd - spentNanoUsd };
}

/** Writes the wallet in a commit that must check it, because leases depend on it. */
export function setWallet(
  operation: AtomicOperation,
  accountId: string,
  wallet: Wallet,
): void {
  operation.set(keys.wallet(accountId), encodeRecord(kind, wallet));
}

/** Decodes the stored value of a wallet. */
export function readWallet(value: unknown): Wallet {
  return value === null ? { fundedNanoUsd: 0n } : decodeRecord(kind, value);
}
