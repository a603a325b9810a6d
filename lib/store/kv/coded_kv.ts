import { ownFormats } from "../keys.ts";
import { StoreError } from "./error.ts";
import { decodeValue, encodeValue, isEncoded } from "./value.ts";

/**
 * Wraps a database to store every value as bytes that each version of Deno reads: Deno KV stores
 * other values in V8's serialization, which an earlier version of Deno cannot read. Sums stay as
 * they are. Reads also return the values of earlier releases, which are in that serialization.
 *
 * An entry whose value this release cannot read does not end a list: the access to its `value`
 * throws `unreadable`.
 */
export function codedKv(kv: Deno.Kv): Deno.Kv {
  const { get, getMany, list, set, atomic, watch } = kv;
  return Object.assign(kv, {
    get: async (...args: Parameters<Deno.Kv["get"]>) =>
      decodedEntry(await readable(get.apply(kv, args))),
    getMany: async (...args: Parameters<Deno.Kv["getMany"]>) =>
      (await readable(getMany.apply(kv, args))).map(decodedEntry),
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

/** Returns true if an earlier release wrote the value of an entry that `codedKv` returned. */
export function isFormer(entry: object): boolean {
  return formerEntry in entry;
}

const formerEntry = Symbol("former entry");

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
      const result = await readable(next.call(iterator));
      return result.done ? result : { done: false, value: decodedEntry(result.value) };
    },
  });
}

function encoded(key: Deno.KvKey, value: unknown): unknown {
  return ownFormats.has(key[0]) || value instanceof Deno.KvU64 ? value : encodeValue(value);
}

/**
 * Bytes without a tag are texts of stored responses from releases before sealing: UTF-8, which never
 * contains the tag.
 */
function decodedEntry<Entry extends Deno.KvEntryMaybe<unknown>>(entry: Entry): Entry {
  const { key, value, versionstamp } = entry;
  if (value === null || ownFormats.has(key[0]) || value instanceof Deno.KvU64) return entry;
  if (!isEncoded(value)) {
    return value instanceof Uint8Array ? entry : Object.assign(entry, { [formerEntry]: true });
  }
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

/** Waits for a read, and explains an error of V8's serialization. */
async function readable<Result>(read: Promise<Result>): Promise<Result> {
  try {
    return await read;
  } catch (error) {
    throw ofLaterDeno(error) ?? error;
  }
}

/** Messages of Deno KV and of `node:v8`. */
const foreignSerialization = /could not deserialize value|deserialize cloned data/i;

/** The error for values that an earlier release wrote on a later Deno; undefined for other errors. */
export function ofLaterDeno(error: unknown): StoreError | undefined {
  if (!(error instanceof Error) || !foreignSerialization.test(error.message)) return undefined;
  return new StoreError(
    "unreadable",
    `Cannot read the store with Deno ${Deno.version.deno}: an earlier release wrote values to it on Deno 2.8 or later. ` +
      "Start this release once on that Deno: it rewrites them for every version",
    { cause: error },
  );
}
