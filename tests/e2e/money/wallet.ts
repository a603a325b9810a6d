import { addApiKey } from "../../../lib/store/api_keys/mod.ts";
import { digestOf, type Store } from "../../../lib/store/mod.ts";
import { postEntry } from "../../../lib/store/money/mod.ts";
import { createUser } from "../../../lib/store/users/mod.ts";

/** An account that pays for its calls, and its key. */
export const walletAccountId = "usr_prepaid";
export const walletKey = "sk-wallet-0123456789abcdefghij";

/** Makes that account with so much money. */
export async function makeWallet(store: Store, nanoUsd: bigint): Promise<void> {
  await createUser(store, {
    id: walletAccountId,
    email: "prepaid@example.com",
    role: "member",
    createdAtMs: 1,
    enabled: true,
    spending: "prepaid",
  });
  await store.commitChange(addApiKey(store.kv.atomic(), {
    id: "key_wallet",
    accountId: walletAccountId,
    name: "wallet",
    digest: digestOf(walletKey),
    prefix: "sk-wal",
    lastFour: "ghij",
    groupId: "default",
    enabled: true,
    createdAtMs: 1,
    origin: "console",
  }));
  await grantWallet(store, nanoUsd);
}

/** Puts more into it. */
export async function grantWallet(store: Store, nanoUsd: bigint): Promise<void> {
  if (nanoUsd === 0n) return;
  await postEntry(store, {
    accountId: walletAccountId,
    type: "grant",
    changeNanoUsd: nanoUsd,
    reason: "for a test",
    actor: "owner",
    atMs: Date.now(),
    idempotencyKey: crypto.randomUUID(),
  });
}
