import { concatenated } from "../../bytes.ts";
import { keys } from "../keys.ts";
import { openContent, sealContent, type SealedContent } from "../responses/sealed_content.ts";
import { chunkNames, inChunks } from "./chunks.ts";
import { readInBatches } from "./engine.ts";
import type { AtomicOperation } from "./database.ts";
import type { Store } from "./store.ts";
import { decodeValue, encodeValue } from "./value.ts";

/** A reference to a text of any length, which is stored sealed and in several values. */
export interface ChunkedText {
  /** Unique in the store. */
  readonly id: string;
  readonly bytes: number;
}

/** A text that is not saved yet. */
export interface UnsavedText extends ChunkedText {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** Splits a text into the chunks that will hold it. */
export function chunkText(id: string, text: string): UnsavedText {
  const bytes = new TextEncoder().encode(text);
  return { id, bytes: bytes.length, chunks: inChunks(bytes) };
}

/** Seals a text's chunks, each under its key. */
export async function sealedChunks(
  store: Store,
  text: UnsavedText,
): Promise<readonly { readonly key: Deno.KvKey; readonly value: SealedContent }[]> {
  const sealing = chunkKeys(text).map(async (key, at) => ({
    key,
    value: await sealContent(store, key, text.chunks[at]),
  }));
  return await Promise.all(sealing);
}

/** Fits in the 800 KiB of a commit. */
const chunksPerCommit = 8;

/**
 * Writes a text's chunks, sealed. Returns the commit with the last of them, to which the caller adds
 * the record that refers to the text.
 */
export async function writeChunks(
  store: Store,
  text: UnsavedText,
  options: { readonly expireIn: number },
): Promise<AtomicOperation> {
  let operation = store.kv.atomic();
  for (const [at, { key, value }] of (await sealedChunks(store, text)).entries()) {
    operation.set(key, value, options);
    if (at % chunksPerCommit !== chunksPerCommit - 1) continue;
    await operation.commit();
    operation = store.kv.atomic();
  }
  return operation;
}

/** Encodes a value of any size as a text. */
export function chunkValue(id: string, value: object): UnsavedText {
  const bytes = encodeValue(value);
  return { id, bytes: bytes.length, chunks: inChunks(bytes) };
}

/** Reads what `chunkValue` encoded; undefined if chunks are missing. Throws `unreadable`. */
export async function readChunkedValue(store: Store, text: ChunkedText): Promise<unknown> {
  const chunks = await chunksIn(store, await readInBatches(store.kv, chunkKeys(text)));
  return chunks && decodeValue(concatenated(chunks));
}

/** The part of a text that a record stores. */
export function referenceTo({ id, bytes }: ChunkedText): ChunkedText {
  return { id, bytes };
}

/** The keys of a text's chunks, in order. */
function chunkKeys({ id, bytes }: ChunkedText): Deno.KvKey[] {
  return chunkNames(bytes).map((name) => keys.textChunk(id, name));
}

/** Reads texts, in order; undefined for one with missing chunks. Throws `unreadable`. */
export async function readChunkedTexts(
  store: Store,
  texts: readonly ChunkedText[],
): Promise<(string | undefined)[]> {
  const wanted = texts.map(chunkKeys);
  const entries = await readInBatches(store.kv, wanted.flat());
  let at = 0;
  return await Promise.all(
    wanted.map(({ length }) => textIn(store, entries.slice(at, at += length))),
  );
}

async function textIn(
  store: Store,
  entries: readonly Deno.KvEntryMaybe<unknown>[],
): Promise<string | undefined> {
  const chunks = await chunksIn(store, entries);
  return chunks && joined(chunks);
}

/** The opened chunks; undefined if one is missing. */
async function chunksIn(
  store: Store,
  entries: readonly Deno.KvEntryMaybe<unknown>[],
): Promise<Uint8Array[] | undefined> {
  if (entries.some(({ value }) => value === null)) return undefined;
  return await Promise.all(entries.map(({ key, value }) => {
    return openContent(store, key, value as SealedContent); // only sealedChunks write them
  }));
}

/** Deletes the chunks. Leftovers after a crash are unreferenced and expire by themselves. */
export async function deleteChunkedText(store: Store, text: ChunkedText): Promise<void> {
  const all = chunkKeys(text);
  for (let at = 0; at < all.length; at += deletionsMax) {
    const operation = store.kv.atomic();
    for (const key of all.slice(at, at + deletionsMax)) operation.delete(key);
    await operation.commit();
  }
}

const deletionsMax = 500;

function joined(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
}
