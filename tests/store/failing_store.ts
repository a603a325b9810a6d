import type { AtomicOperation, Store } from "../../lib/store/mod.ts";

export type Commit = () => Promise<Deno.KvCommitResult | Deno.KvCommitError>;

/** The same store, whose commits go through `around`: it may fail them, before or after they happen. */
export function withCommit(store: Store, around: (commit: Commit) => ReturnType<Commit>): Store {
  return withKv(store, (name, value) => {
    if (name !== "atomic") return value;
    return () => {
      const operation = value() as AtomicOperation; // `value` is the `atomic` method
      const commit = operation.commit.bind(operation);
      operation.commit = () => around(commit);
      return operation;
    };
  });
}

/** The same store, whose single writes go through `around`. */
export function withSet(
  store: Store,
  around: (value: unknown, set: () => unknown) => unknown,
): Store {
  return withKv(store, (name, method) => {
    if (name !== "set") return method;
    return (...args) => around(args[1], () => method(...args));
  });
}

/** The same store, whose commits fail if they include an audit entry. */
export function refusingAudit(store: Store): Store {
  return withKv(store, (name, value) => {
    if (name !== "atomic") return value;
    return () => {
      const operation = value() as AtomicOperation; // `value` is the `atomic` method
      const [set, commit] = [operation.set.bind(operation), operation.commit.bind(operation)];
      let isAudited = false;
      operation.set = (key, ...rest) => {
        isAudited ||= key[0] === "audit_entry";
        return set(key, ...rest);
      };
      operation.commit = () =>
        isAudited ? Promise.reject(new Error("the store is away")) : commit();
      return operation;
    };
  });
}

const reads: readonly PropertyKey[] = ["get", "getMany", "list"];

/** The same store, which reports each read. */
export function countingReads(store: Store, read: () => void): Store {
  return withKv(store, (name, value) => {
    if (!reads.includes(name)) return value;
    return (...args) => {
      read();
      return value(...args);
    };
  });
}

/** The same store with varying delays, like a remote one. */
export function farStore(store: Store, delayMsMax: number): Store {
  const travel = () => new Promise((resolve) => setTimeout(resolve, Math.random() * delayMsMax));
  return withKv(store, (name, value) => {
    if (name !== "getMany" && name !== "get") return value;
    return async (...args) => {
      await travel();
      const answer = await value(...args);
      await travel();
      return answer;
    };
  });
}

type Method = (...args: unknown[]) => unknown;

function withKv(store: Store, replace: (name: PropertyKey, value: Method) => Method): Store {
  const kv = new Proxy(store.kv, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      return typeof value === "function" ? replace(name, value.bind(target)) : value;
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
