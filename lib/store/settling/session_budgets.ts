import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { allottedIn } from "../money/allowance.ts";
import { sessionBudgets } from "../money/budget.ts";
import { sessionHours } from "../usage/rollup_subject.ts";
import { compactRows } from "./compact.ts";

/**
 * Forgets what sessions spent that had no call for as long as their sums are kept. Each commit fails
 * if the session is called meanwhile: its leases and its spending are checked from before the
 * compaction, which adds every call until then to the sums.
 */
export async function forgetSessionBudgets(store: Store): Promise<number> {
  const found = await Array.fromAsync(store.kv.list({
    start: keys.allowance(sessionBudgets),
    end: keys.allowance(`${sessionBudgets}\u{10ffff}`),
  }));
  const spent = await Promise.all(
    found.map(({ key }) => store.kv.get<Deno.KvU64>(keys.allowanceSpent(String(key.at(-1))))),
  );
  await compactRows(store);
  let forgotten = 0;
  for (const [at, allowance] of found.entries()) {
    const isHeld = allottedIn(allowance.value) !== (spent[at].value?.value ?? 0n);
    const [, , , keyId, ...session] = String(allowance.key.at(-1)).split(":");
    if (isHeld || await hasSums(store, keyId, session.join(":"))) continue;
    const operation = store.kv.atomic().check(allowance, spent[at])
      .delete(allowance.key).delete(spent[at].key);
    if ((await operation.commit()).ok) forgotten++;
  }
  return forgotten;
}

async function hasSums(store: Store, keyId: string, session: string): Promise<boolean> {
  for await (const _ of store.kv.list(sessionHours(keyId, session), { limit: 1 })) return true;
  return false;
}
