import { type AtomicOperation, Store } from "../../lib/store/mod.ts";

/** Hooks around the operations of a store. Each may throw to make the operation fail. */
export interface Watcher {
  readonly beforeRead?: () => void | Promise<void>;
  readonly beforeCommit?: () => void | Promise<void>;
  readonly afterCommit?: () => void | Promise<void>;
  readonly entriesRead?: (count: number) => void;
}

/** The same store with hooks; closing the original closes it. */
export function watchedStore(store: Store, watcher: Watcher): Store {
  const kv = new Proxy(store.kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "list") return listWatched(target, watcher);
      if (name === "get" || name === "getMany") return readWatched(value.bind(target), watcher);
      if (name === "atomic") return () => atomicWatched(target.atomic(), watcher);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return new Store(kv, store);
}

function listWatched(kv: Store["kv"], watcher: Watcher) {
  return async function* (selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
    await watcher.beforeRead?.();
    for await (const entry of kv.list(selector, options)) {
      watcher.entriesRead?.(1);
      yield entry;
    }
  };
}

function readWatched(
  read: (...parts: unknown[]) => Promise<unknown>,
  watcher: Watcher,
) {
  return async (...parts: unknown[]) => {
    await watcher.beforeRead?.();
    const found = await read(...parts);
    watcher.entriesRead?.(Array.isArray(found) ? found.length : 1);
    return found;
  };
}

function atomicWatched(operation: AtomicOperation, watcher: Watcher): AtomicOperation {
  const commit = operation.commit.bind(operation);
  operation.commit = async () => {
    await watcher.beforeCommit?.();
    const result = await commit();
    await watcher.afterCommit?.();
    return result;
  };
  return operation;
}
