import { keys } from "../keys.ts";
import { encodeRecord, type Kind, listRecords } from "../kv/record.ts";
import type { Store } from "../kv/store.ts";
import { type Watch, watchKey } from "../kv/watch.ts";

/**
 * A page that waits for a call with a key. While it is open, all isolates report matching calls.
 */
export interface ConnectionCheck {
  readonly accountId: string;
  readonly keyId: string;
  /** SHA-256 of each current or former secret of the key, in hexadecimal. */
  readonly digests: readonly string[];
  /** The displayed first and last characters of the key's secret. */
  readonly prefix: string;
  readonly lastFour: string;
  /** The client address of the page's reader. */
  readonly ip?: string;
  readonly expiresAtMs: number;
}

/** Maximum number of open connection checks per account; a further one closes the oldest. */
const checksOfAccountMax = 4;

const kind: Kind<ConnectionCheck> = { name: "connection check", version: 1 };

/** Opens or renews a check and notifies every isolate. */
export async function openConnectionCheck(
  store: Store,
  check: ConnectionCheck,
  nowMs: number,
): Promise<void> {
  const { accountId, keyId, expiresAtMs } = check;
  const operation = store.kv.atomic();
  for (const one of await superfluous(store, check)) {
    operation.delete(keys.connectionCheck(accountId, one.keyId));
  }
  await operation
    .set(keys.connectionCheck(accountId, keyId), encodeRecord(kind, check), {
      expireIn: Math.max(1, expiresAtMs - nowMs),
    })
    .set(keys.connectionChecksChanged, crypto.randomUUID())
    .commit();
}

/** Lists the checks, possibly with some that have just expired: Deno KV deletes late. */
export function listConnectionChecks(store: Store): Promise<ConnectionCheck[]> {
  return listRecords(store, kind, keys.connectionChecks);
}

/** Calls back whenever a check is opened. Silent until the first check of the store. */
export function watchConnectionChecks(store: Store, changed: () => void): Watch {
  return watchKey(store, keys.connectionChecksChanged, ({ value }) => {
    if (value !== null) changed();
  });
}

async function superfluous(
  store: Store,
  { accountId, keyId }: ConnectionCheck,
): Promise<ConnectionCheck[]> {
  const open = await listRecords(store, kind, keys.connectionChecksOf(accountId));
  return open.filter((one) => one.keyId !== keyId)
    .sort((a, b) => b.expiresAtMs - a.expiresAtMs)
    .slice(checksOfAccountMax - 1);
}
