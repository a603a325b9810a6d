import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { allottedIn } from "../money/allowance.ts";
import { childBudgets, childOfBudget, sessionBudgets } from "../money/budget.ts";
import { sessionHours } from "../usage/rollup_subject.ts";
import { compactRows } from "./compact.ts";

/**
 * Deletes the budgets of sessions whose sums are no longer kept, and those of child keys that ended
 * a day ago. Returns their number. A budget that is used meanwhile stays: each commit checks its
 * leases and its spending from before the compaction, which adds every earlier call to the sums.
 */
export async function forgetBudgets(store: Store, nowMs: number): Promise<number> {
  const lists = await Promise.all(
    [sessionBudgets, childBudgets].map((start) =>
      Array.fromAsync(store.kv.list({
        start: keys.allowance(start),
        end: keys.allowance(`${start}\u{10ffff}`),
      }))
    ),
  );
  const found = lists.flat();
  const spent = await Promise.all(
    found.map(({ key }) => store.kv.get<Deno.KvU64>(keys.allowanceSpent(String(key.at(-1))))),
  );
  await compactRows(store);
  let forgotten = 0;
  for (const [at, allowance] of found.entries()) {
    const isHeld = allottedIn(allowance.value) !== (spent[at].value?.value ?? 0n);
    if (isHeld || await isNeeded(store, String(allowance.key.at(-1)), nowMs)) continue;
    const operation = store.kv.atomic().check(allowance, spent[at])
      .delete(allowance.key).delete(spent[at].key);
    if ((await operation.commit()).ok) forgotten++;
  }
  return forgotten;
}

/** The time in which calls of an ended child key may still settle. */
const graceMs = 24 * 60 * 60 * 1_000;

function isNeeded(store: Store, id: string, nowMs: number): boolean | Promise<boolean> {
  if (id.startsWith(childBudgets)) return childOfBudget(id).endsAtMs + graceMs > nowMs;
  const [, , , keyId, ...session] = id.split(":");
  return hasSums(store, keyId, session.join(":"));
}

async function hasSums(store: Store, keyId: string, session: string): Promise<boolean> {
  for await (const _ of store.kv.list(sessionHours(keyId, session), { limit: 1 })) return true;
  return false;
}
