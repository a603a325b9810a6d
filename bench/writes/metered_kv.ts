import type { Mutation, WriteMeter } from "./meter.ts";

interface MeteredOptions {
  readonly meter: WriteMeter;
  /** The time that each request to the database takes longer, as a network would add it. */
  readonly latencyMs: number;
}

/** The bytes of a sum in Deno KV. */
const sumBytes = 8;

/**
 * Meters a database in place, and delays its operations like a remote one. Several gateways may use
 * it: `close` does nothing. Only what `DenoEngine` calls is metered.
 */
export function meteredKv(kv: Deno.Kv, { meter, latencyMs }: MeteredOptions): Deno.Kv {
  const { get, getMany, list, atomic } = kv;
  const late = async <Result>(step: () => Promise<Result>): Promise<Result> => {
    await pause(latencyMs);
    return await step();
  };
  return Object.assign(kv, {
    get: (...args: Parameters<Deno.Kv["get"]>) => late(() => get.apply(kv, args)),
    getMany: (...args: Parameters<Deno.Kv["getMany"]>) => late(() => getMany.apply(kv, args)),
    list: (...args: Parameters<Deno.Kv["list"]>) => lateList(list.apply(kv, args), latencyMs),
    atomic: () => meteredOperation(atomic.call(kv), meter, late),
    close: () => {},
  });
}

type Late = <Result>(step: () => Promise<Result>) => Promise<Result>;

function meteredOperation(
  operation: Deno.AtomicOperation,
  meter: WriteMeter,
  late: Late,
): Deno.AtomicOperation {
  const noted: Mutation[] = [];
  const { mutate, commit } = operation;
  return Object.assign(operation, {
    mutate: (...mutations: Deno.KvMutation[]) => {
      noted.push(...mutations.map(notedOf));
      return mutate.apply(operation, mutations);
    },
    commit: () =>
      late(async () => {
        const result = await commit.call(operation);
        if (result.ok) meter.note(noted);
        else meter.noteConflict();
        return result;
      }),
  });
}

function notedOf(mutation: Deno.KvMutation): Mutation {
  const { key } = mutation;
  return mutation.type === "delete" ? { key } : { key, bytes: bytesOf(mutation.value) };
}

/** Delays the first entry only: the others of a batch arrive with it. */
function lateList(
  iterator: Deno.KvListIterator<unknown>,
  latencyMs: number,
): Deno.KvListIterator<unknown> {
  const { next } = iterator;
  let isFirst = true;
  return Object.assign(iterator, {
    next: async () => {
      if (isFirst) await pause(latencyMs);
      isFirst = false;
      return await next.call(iterator);
    },
  });
}

function bytesOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Deno.KvU64) return sumBytes;
  throw new TypeError(`A value is not stored as bytes: ${typeof value}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
