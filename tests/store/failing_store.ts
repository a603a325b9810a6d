import type { Store } from "../../lib/store/mod.ts";

export type Commit = () => Promise<Deno.KvCommitResult | Deno.KvCommitError>;

/** The same store, whose commits go through `around`: it may fail them, before or after they happen. */
export function withCommit(store: Store, around: (commit: Commit) => ReturnType<Commit>): Store {
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
