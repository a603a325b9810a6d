import type { Store } from "../kv/store.ts";

/** The number of key parts that identify a subject: prefix, dimension, scope and value. */
const subjectKeyLength = 4;

/** Yields the first stored key of each subject under a prefix, by skipping from one to the next. */
export async function* firstKeys(store: Store, prefix: Deno.KvKey): AsyncGenerator<Deno.KvKey> {
  let start: Deno.KvKey | undefined;
  for (;;) {
    const key = await firstKey(store, start === undefined ? { prefix } : { prefix, start });
    if (key === undefined) return;
    yield key;
    const subject = subjectKeyOf(key);
    start = [...subject.slice(0, -1), `${String(subject.at(-1))}\0`]; // after all keys of that subject
  }
}

/** The parts of a rollup's key that all steps of its subject share. */
export function subjectKeyOf(key: Deno.KvKey): Deno.KvKey {
  return key.slice(0, subjectKeyLength);
}

async function firstKey(
  store: Store,
  selector: Deno.KvListSelector,
): Promise<Deno.KvKey | undefined> {
  for await (const { key } of store.kv.list(selector, { limit: 1 })) return key;
}
