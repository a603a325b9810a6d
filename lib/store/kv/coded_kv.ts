import { ownFormats } from "../keys.ts";
import { decodeValue, encodeValue, isEncoded } from "./value.ts";

/**
 * Wraps a database to store every value as bytes that each version of Deno reads: Deno KV stores
 * other values in V8's serialization, which an earlier version of Deno cannot read. Sums stay as
 * they are.
 *
 * An entry whose value this release cannot read does not end a list: the access to its `value`
 * throws `unreadable`.
 */
export function codedKv(kv: Deno.Kv): Deno.Kv {
  const { get, getMany, list, set, atomic, watch } = kv;
  return Object.assign(kv, {
    get: async (...args: Parameters<Deno.Kv["get"]>) => decodedEntry(await get.apply(kv, args)),
    getMany: async (...args: Parameters<Deno.Kv["getMany"]>) =>
      (await getMany.apply(kv, args)).map(decodedEntry),
    list: (...args: Parameters<Deno.Kv["list"]>) => decodingList(list.apply(kv, args)),
    set: (key: Deno.KvKey, value: unknown, options?: SetOptions) =>
      set.call(kv, key, encoded(key, value), options),
    atomic: () => encodingOperation(atomic.call(kv)),
    watch: (...args: Parameters<Deno.Kv["watch"]>) =>
      watch.apply(kv, args).pipeThrough(
        new TransformStream<Deno.KvEntryMaybe<unknown>[], Deno.KvEntryMaybe<unknown>[]>({
          transform: (entries, controller) => controller.enqueue(entries.map(decodedEntry)),
        }),
      ),
  });
}

type SetOptions = Parameters<Deno.Kv["set"]>[2];

function encodingOperation(operation: Deno.AtomicOperation): Deno.AtomicOperation {
  const { set } = operation;
  return Object.assign(operation, {
    set: (key: Deno.KvKey, value: unknown, options?: SetOptions) =>
      set.call(operation, key, encoded(key, value), options),
  });
}

function decodingList(
  iterator: Deno.KvListIterator<unknown>,
): Deno.KvListIterator<unknown> {
  const { next } = iterator;
  return Object.assign(iterator, {
    next: async () => {
      const result = await next.call(iterator);
      return result.done ? result : { done: false, value: decodedEntry(result.value) };
    },
  });
}

function encoded(key: Deno.KvKey, value: unknown): unknown {
  return ownFormats.has(key[0]) || value instanceof Deno.KvU64 ? value : encodeValue(value);
}

function decodedEntry<Entry extends Deno.KvEntryMaybe<unknown>>(entry: Entry): Entry {
  const { key, value, versionstamp } = entry;
  if (!isEncoded(value) || ownFormats.has(key[0])) return entry;
  try {
    return { key, value: decodeValue(value), versionstamp } as Entry; // only its value differs
  } catch (error) {
    return {
      key,
      get value() {
        throw error;
      },
      versionstamp,
    } as Entry; // its value cannot be read
  }
}
