import { keys } from "../keys.ts";
import type { Store } from "../kv/store.ts";
import { allottedIn } from "../money/allowance.ts";
import { childBudgets, childOfBudget, sessionBudgets } from "../money/budget.ts";
import { sessionHours } from "../usage/rollup_subject.ts";
import { compactRows } from "./compact.ts";

/** The budgets that are read together: callers can leave any number of them in a day. */
const budgetsAtOnce = 500;

/**
 * Deletes the budgets of sessions whose sums are no longer kept, and those of child keys that ended
 * a day ago. Returns their number.
 */
export async function forgetBudgets(store: Store, nowMs: number): Promise<number> {
  let forgotten = 0;
  for (const beginning of [sessionBudgets, childBudgets]) {
    for await (const some of budgetsOf(store, beginning)) {
      forgotten += await forgetSome(store, some, nowMs);
    }
  }
  return forgotten;
}

type Entry = Deno.KvEntry<unknown>;

async function* budgetsOf(store: Store, beginning: string): AsyncGenerator<readonly Entry[]> {
  const end = keys.allowance(`${beginning}\u{10ffff}`);
  const options = { limit: budgetsAtOnce, batchSize: budgetsAtOnce };
  for (let start: Deno.KvKey | undefined = keys.allowance(beginning); start;) {
    const some: Entry[] = await Array.fromAsync(store.kv.list({ start, end }, options));
    yield some;
    const last = some.at(budgetsAtOnce - 1);
    start = last && keys.allowance(`${idOf(last)}\0`);
  }
}

/**
 * Each commit fails if one is called meanwhile: its leases and its spending are checked from before
 * the compaction, which adds every call until then to the sums.
 */
async function forgetSome(store: Store, some: readonly Entry[], nowMs: number): Promise<number> {
  const spent = await Promise.all(
    some.map((one) => store.kv.get<Deno.KvU64>(keys.allowanceSpent(idOf(one)))),
  );
  await compactRows(store);
  let forgotten = 0;
  for (const [at, allowance] of some.entries()) {
    const isHeld = allottedIn(allowance.value) !== (spent[at].value?.value ?? 0n);
    if (isHeld || await isNeeded(store, idOf(allowance), nowMs)) continue;
    const operation = store.kv.atomic().check(allowance, spent[at])
      .delete(allowance.key).delete(spent[at].key);
    if ((await operation.commit()).ok) forgotten++;
  }
  return forgotten;
}

function idOf({ key }: Entry): string {
  return String(key.at(-1));
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
