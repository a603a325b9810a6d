import { chunkNames, cut } from "./chunks.ts";
import { getEntries } from "./entries.ts";
import { keys } from "../keys.ts";
import {
  isSealed,
  openContent,
  sealContent,
  type SealedContent,
} from "../responses/sealed_content.ts";
import type { Store } from "./store.ts";

/** A text of any length, sealed, in as many values as it takes. */
export interface KeptText {
  /** Unique in the store. */
  readonly id: string;
  readonly bytes: number;
}

/** A text on its way into the store. */
export interface TextToKeep extends KeptText {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** Cuts a text into the values that will hold it. */
export function textToKeep(id: string, text: string): TextToKeep {
  const bytes = new TextEncoder().encode(text);
  return { id, bytes: bytes.length, chunks: cut(bytes) };
}

/** The values of texts, sealed, by their keys. */
export async function sealedChunks(
  store: Store,
  text: TextToKeep,
): Promise<readonly { readonly key: Deno.KvKey; readonly value: SealedContent }[]> {
  const sealing = chunkKeys(text).map(async (key, at) => ({
    key,
    value: await sealContent(store, key, text.chunks[at]),
  }));
  return await Promise.all(sealing);
}

/** What a record keeps of a text: where it is. */
export function placeOf({ id, bytes }: KeptText): KeptText {
  return { id, bytes };
}

/** The keys of a text's values, in order. */
export function chunkKeys({ id, bytes }: KeptText): Deno.KvKey[] {
  return chunkNames(bytes).map((name) => keys.keptText(id, name));
}

/** Reads texts, in order; undefined for one that is not all there. Throws `unreadable`. */
export async function readKeptTexts(
  store: Store,
  texts: readonly KeptText[],
): Promise<(string | undefined)[]> {
  const wanted = texts.map(chunkKeys);
  const entries = await getEntries(store, wanted.flat());
  let at = 0;
  return await Promise.all(
    wanted.map(({ length }) => textIn(store, entries.slice(at, at += length))),
  );
}

async function textIn(
  store: Store,
  entries: readonly Deno.KvEntryMaybe<unknown>[],
): Promise<string | undefined> {
  if (entries.some(({ value }) => value === null)) return undefined;
  return joined(
    await Promise.all(entries.map(({ key, value }) => {
      const chunk = value as StoredChunk; // only sealedChunks and earlier releases write them
      return isSealed(chunk) ? openContent(store, key, chunk) : chunk;
    })),
  );
}

/** Clear where an earlier release stored it. */
export type StoredChunk = SealedContent | Uint8Array<ArrayBuffer>;

/** A chunk of an earlier release, sealed: kept for as long as a new one, since its age is not known. */
export async function sealFormerChunk(
  store: Store,
  { key, value }: Deno.KvEntry<StoredChunk>,
  retentionMs: number,
): Promise<{ readonly value: SealedContent; readonly expireIn: number } | undefined> {
  if (isSealed(value)) return undefined;
  return { value: await sealContent(store, key, value), expireIn: retentionMs };
}

/** Deletes the chunks. Leftovers after a crash are unreferenced and expire by themselves. */
export async function deleteKeptText(store: Store, text: KeptText): Promise<void> {
  const all = chunkKeys(text);
  for (let at = 0; at < all.length; at += deletionsMax) {
    const operation = store.kv.atomic();
    for (const key of all.slice(at, at + deletionsMax)) operation.delete(key);
    await operation.commit();
  }
}

const deletionsMax = 500;

function joined(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
