import { storeFaultOf, StoreUnavailable } from "../file/store_fault.ts";
import type { StoreFile } from "../file/store_file.ts";
import type { StoreHealth } from "../file/store_health.ts";

/**
 * Wraps a database to report its errors: an operation that meets a full disk, a damaged file or the
 * like throws `StoreUnavailable`. After that, nothing more is written into a lost or damaged file.
 */
export function guardedKv(kv: Deno.Kv, health: StoreHealth, file?: StoreFile): Deno.Kv {
  const { atomic, set, delete: remove, get, getMany, list } = kv;
  const writing = async <Result>(write: () => Promise<Result>) => {
    health.assertWritable();
    const result = await reported(write, health);
    assertInPlace(health, file); // a write into a file that was deleted or replaced does not count
    return result;
  };
  return Object.assign(kv, {
    get: (...args: Parameters<Deno.Kv["get"]>) => reported(() => get.apply(kv, args), health),
    getMany: (...args: Parameters<Deno.Kv["getMany"]>) =>
      reported(() => getMany.apply(kv, args), health),
    list: (...args: Parameters<Deno.Kv["list"]>) => {
      const iterator = list.apply(kv, args);
      const { next } = iterator;
      return Object.assign(iterator, { next: () => reported(() => next.call(iterator), health) });
    },
    set: (...args: Parameters<Deno.Kv["set"]>) => writing(() => set.apply(kv, args)),
    delete: (...args: Parameters<Deno.Kv["delete"]>) => writing(() => remove.apply(kv, args)),
    atomic: () => {
      const operation = atomic.call(kv);
      const { commit } = operation;
      return Object.assign(operation, {
        commit: async () => {
          const startedAt = performance.now();
          const result = await writing(() => commit.call(operation));
          health.committed(performance.now() - startedAt);
          return result;
        },
      });
    },
  });
}

function assertInPlace(health: StoreHealth, file?: StoreFile): void {
  const fault = file?.displaced();
  if (fault) health.report(fault);
  health.assertWritable();
}

async function reported<Result>(
  operation: () => Promise<Result>,
  health: StoreHealth,
): Promise<Result> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // of `RemoteKv`, which reports a silent server
    const fault = storeFaultOf(error);
    if (fault === undefined) throw error;
    health.report(fault);
    throw health.error(fault, error);
  }
}
