import { Buffer } from "node:buffer";
import { encodeKey } from "../kv/key_codec.ts";

/** Sorts behind the tag of every part of a key. */
const lastByte = 0xff;

/** The first key of a list, and the first one behind it. As in Deno KV, a prefix excludes itself. */
export function rangeOf(selector: Deno.KvListSelector): [from: Uint8Array, to: Uint8Array] {
  const { prefix, start, end }: Partial<Record<"prefix" | "start" | "end", Deno.KvKey>> = selector;
  const low = prefix ? after(encodeKey(prefix)) : new Uint8Array();
  const high = prefix ? after(encodeKey(prefix), lastByte) : Uint8Array.of(lastByte);
  const from = start ? encodeKey(start) : low;
  const to = end ? encodeKey(end) : high;
  for (const [name, key] of [["Start", start && from], ["End", end && to]] as const) {
    if (!prefix || !key || (isBefore(key, high) && !isBefore(key, low))) continue;
    throw new TypeError(`${name} key is not in the keyspace defined by prefix`);
  }
  if (isBefore(to, from) && !prefix) throw new TypeError("Start key is greater than end key");
  return [from, to];
}

/** The first key that sorts behind this one and all that begin with it and a smaller byte. */
export function after(key: Uint8Array, byte = 0): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  next[key.length] = byte;
  return next;
}

function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) < 0;
}
