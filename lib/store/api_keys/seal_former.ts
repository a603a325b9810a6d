import { keys } from "../keys.ts";
import { sealFormerChunk } from "../kv/chunked_text.ts";
import { runPass, type Step } from "../kv/resumable.ts";
import type { Store } from "../kv/store.ts";
import { sealFormerConversation } from "../responses/conversation.ts";

/** Each returns the sealed value with its lifetime; undefined if the value is sealed already. */
const kinds = [
  { prefix: keys.textChunks, seal: sealFormerChunk },
  { prefix: keys.conversations, seal: sealFormerConversation },
] as const;

const entriesAtOnceMax = 20;

/**
 * Seals contents that earlier releases stored in plain text. Once per store, in one isolate at a
 * time; an interrupted run continues. Returns the number of sealed values.
 */
export async function sealFormerContents(
  store: Store,
  { retentionMs, signal }: { readonly retentionMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const steps = kinds.map((kind) => (cursor: string) =>
    sealSome(store, { ...kind, cursor }, retentionMs)
  );
  return (await runPass(store, { key: keys.contentsSealed, steps, signal })).count;
}

async function sealSome(
  store: Store,
  { prefix, seal, cursor }: typeof kinds[number] & { readonly cursor: string },
  retentionMs: number,
): Promise<Step> {
  const entries = store.kv.list<never>({ prefix }, { cursor, limit: entriesAtOnceMax });
  let [read, count] = [0, 0];
  for await (const entry of entries) {
    read++;
    const sealed = await seal(store, entry, retentionMs);
    if (!sealed || sealed.expireIn <= 0) continue;
    const { value, expireIn } = sealed;
    const { ok } = await store.kv.atomic().check(entry).set(entry.key, value, { expireIn })
      .commit();
    if (ok) count++; // otherwise another write sealed or deleted it
  }
  return { cursor: read === entriesAtOnceMax ? entries.cursor : "", count };
}
