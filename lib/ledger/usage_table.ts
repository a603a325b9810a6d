import type { Store } from "../store/mod.ts";
import { compactRows } from "../store/settling/mod.ts";
import {
  type Counts,
  listAllSubjects,
  listSubjects,
  readPartCounts,
  type RollupDimension,
  type RollupParts,
  type RollupSubject,
} from "../store/usage/mod.ts";

/** A subject's usage in consecutive parts of a period. */
export interface PartUsage {
  readonly subject: RollupSubject;
  readonly parts: readonly Counts[];
}

/** The number of subjects that are read in parallel. */
const readsAtOnce = 16;

/**
 * The usage of each subject of a dimension that has calls in the parts, in no order. Without a
 * `scope`, of all scopes. Compacts waiting rows first, to agree with the log.
 */
export async function usageTable(
  store: Store,
  { dimension, scope }: { readonly dimension: RollupDimension; readonly scope?: string },
  parts: RollupParts,
): Promise<PartUsage[]> {
  await compactRows(store);
  const subjects = scope !== undefined
    ? await Array.fromAsync(listSubjects(store, dimension, scope))
    : dimension === "key"
    ? await keysOfAll(store)
    : await Array.fromAsync(listAllSubjects(store, dimension));
  const table = await inParallel(subjects, async (subject) => ({
    subject,
    parts: await readPartCounts(store, subject, parts),
  }));
  return table.filter(({ parts }) => parts.some(({ requests }) => requests > 0));
}

/** The keys of all accounts that ever had calls, from the lists in memory. */
async function keysOfAll(store: Store): Promise<readonly RollupSubject[]> {
  const accounts = await Array.fromAsync(listSubjects(store, "account", ""));
  const found = await inParallel(
    accounts,
    ({ value }) => Array.fromAsync(listSubjects(store, "key", value)),
  );
  return found.flat();
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const found: Result[] = [];
  for (let start = 0; start < items.length; start += readsAtOnce) {
    found.push(...await Promise.all(items.slice(start, start + readsAtOnce).map(read)));
  }
  return found;
}
