import type { Store } from "../../lib/store/mod.ts";

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

type Commit = () => Promise<Deno.KvCommitResult | Deno.KvCommitError>;

function withCommit(
  store: Store,
  around: (commit: Commit) => ReturnType<Commit>,
): Store {
  const kv = new Proxy(store.kv, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== "atomic") return typeof value === "function" ? value.bind(target) : value;
      return () => {
        const operation = target.atomic();
        const commit = operation.commit.bind(operation);
        operation.commit = () => around(commit);
        return operation;
      };
    },
  });
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "kv") return kv;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
