import { keys } from "../keys.ts";
import { decodeRecord, type Kind, setRecord } from "../kv/record.ts";
import { wholeValues } from "../kv/large_record.ts";
import type { Store } from "../kv/store.ts";
import { untilCommitted } from "../kv/until_committed.ts";
import { otherTag, type Tag } from "./tag.ts";

/**
 * The tag values with sums of their own, by key. Callers choose tags and sums are kept forever, so
 * there is room for so many only; later ones count as `other`.
 */
export type TagValues = ReadonlyMap<string, ReadonlySet<string>>;

/** The number of keys, of values of each key, and of all values together. */
export const tagRoom = { keys: 20, valuesPerKey: 200, values: 1_000 } as const;

/** One record, so that one commit decides on the room. */
interface KnownValues {
  readonly values: Readonly<Record<string, readonly string[]>>;
}

const kind: Kind<KnownValues> = { name: "tag values", version: 1 };

/** Reads the values with sums of their own. */
export async function readTagValues(store: Store): Promise<TagValues> {
  return mapOf(await read(store));
}

/** Gives tags sums of their own as far as there is room. Returns all values after that. */
export async function addTagValues(store: Store, tags: readonly Tag[]): Promise<TagValues> {
  return await untilCommitted(kind.name, async () => {
    const known = await read(store);
    const more = withTags(known.values, tags);
    if (more === known.values) return mapOf(known);
    const operation = store.kv.atomic().check(known.entry);
    setRecord(operation, kind, { former: known.entry, record: { values: more } });
    return await store.commitChange(operation) ? mapOf({ values: more }) : undefined;
  });
}

/** The tag as it is counted: itself, `key=other`, or `other=other` if its key has no room. */
export function countedTag(tag: Tag, values: TagValues): Tag {
  const known = values.get(tag.key);
  if (known === undefined) return { key: otherTag, value: otherTag };
  return known.has(tag.value) ? tag : { key: tag.key, value: otherTag };
}

/** Returns true if a value of this tag can still get sums of its own. */
export function hasRoom({ key }: Tag, values: TagValues): boolean {
  const own = values.get(key);
  let sum = 0;
  for (const { size } of values.values()) sum += size;
  const fits = own === undefined ? values.size < tagRoom.keys : own.size < tagRoom.valuesPerKey;
  return fits && sum < tagRoom.values;
}

type Values = KnownValues["values"];

function withTags(values: Values, tags: readonly Tag[]): Values {
  let more = values;
  for (const tag of tags) {
    const { key, value } = tag;
    const own = Object.hasOwn(more, key) ? more[key] : [];
    if (own.includes(value) || !hasRoom(tag, mapOf({ values: more }))) continue;
    more = { ...more, [key]: [...own, value] };
  }
  return more;
}

async function read(
  store: Store,
): Promise<KnownValues & { readonly entry: Deno.KvEntryMaybe<unknown> }> {
  for (;;) {
    const entry = await store.kv.get(keys.tagValues);
    if (entry.value === null) return { values: {}, entry };
    const [whole] = await wholeValues(store, [entry.value]);
    if (whole !== undefined) return { ...decodeRecord(kind, whole), entry };
  }
}

function mapOf({ values }: KnownValues): TagValues {
  return new Map(Object.entries(values).map(([key, own]) => [key, new Set(own)]));
}
