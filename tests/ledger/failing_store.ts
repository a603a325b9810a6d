import type { Store } from "../../lib/store/mod.ts";
import { withCommit } from "../store/failing_store.ts";

/** The store of a process that is gone after so many commits. */
export function dyingAfter(store: Store, commits: number): Store {
  let left = commits;
  return withCommit(store, (commit) => {
    if (left-- <= 0) throw new Error("killed");
    return commit();
  });
}

/** A store whose second settlement fails, after or before it was stored. */
export function failingOnce(store: Store, stored: boolean): Store {
  let commits = 0;
  return withCommit(store, async (commit) => {
    if (++commits !== 2) return await commit();
    if (stored) await commit();
    throw new Error("the connection broke");
  });
}
