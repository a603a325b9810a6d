import { Buffer } from "node:buffer";
import { keys } from "./keys.ts";
import { getEntries } from "./entries.ts";

import type { Store } from "./store.ts";

/** A text of any length, in as many values as it takes. */
export interface KeptText {
  /** Unique in the store. */
  readonly id: string;
  readonly bytes: number;
}

/** A text on its way into the store. */
export interface TextToKeep extends KeptText {
  readonly chunks: readonly Uint8Array[];
}

/** Of the 64 KiB that a value may have, less what frames it. */
const chunkBytesMax = 60_000;
const chunkDigits = 5;

/** Cuts a text into the values that will hold it. */
export function textToKeep(id: string, text: string): TextToKeep {
  return bytesToKeep(id, new TextEncoder().encode(text));
}

/** Cuts bytes into the values that will hold them. */
export function bytesToKeep(id: string, bytes: Uint8Array): TextToKeep {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytesMax) {
    chunks.push(bytes.slice(at, at + chunkBytesMax)); // a view would be stored with all of its buffer
  }
  return { id, bytes: bytes.length, chunks };
}

/** What a record keeps of a text: where it is. */
export function placeOf({ id, bytes }: KeptText): KeptText {
  return { id, bytes };
}

/** The keys of a text's values, in order. */
export function chunkKeys({ id, bytes }: KeptText): Deno.KvKey[] {
  return Array.from(
    { length: Math.ceil(bytes / chunkBytesMax) },
    (_, at) => keys.keptText(id, String(at).padStart(chunkDigits, "0")),
  );
}

/** Reads texts, in order; undefined for one that is not all there. */
export async function readKeptTexts(
  store: Store,
  texts: readonly KeptText[],
): Promise<(string | undefined)[]> {
  const decoder = new TextDecoder();
  return (await readKeptBytes(store, texts)).map((bytes) => bytes && decoder.decode(bytes));
}

/** As `readKeptTexts`, for what `bytesToKeep` cut. */
export async function readKeptBytes(
  store: Store,
  texts: readonly KeptText[],
): Promise<(Uint8Array | undefined)[]> {
  const wanted = texts.map(chunkKeys);
  const entries = await getEntries(store, wanted.flat());
  let at = 0;
  return wanted.map(({ length }) => {
    const values = entries.slice(at, at += length).map(({ value }) => value);
    return values.includes(null) ? undefined : Buffer.concat(values as Uint8Array[]); // only bytesToKeep writes them
  });
}

/** Whatever stands where they lie has no head any more, and goes with the next expiry too. */
export async function deleteKeptText(store: Store, text: KeptText): Promise<void> {
  const all = chunkKeys(text);
  for (let at = 0; at < all.length; at += deletionsMax) {
    const operation = store.kv.atomic();
    for (const key of all.slice(at, at + deletionsMax)) operation.delete(key);
    await operation.commit();
  }
}

const deletionsMax = 500;
