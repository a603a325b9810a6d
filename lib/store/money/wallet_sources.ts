import type { Store } from "../kv/store.ts";
import { changeOf, postedEntriesOf, type PostedType } from "./ledger_entry.ts";

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
