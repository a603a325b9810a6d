import type { Store } from "../kv/store.ts";

/** Sealed contents of a conversation. They open only under the key at which they are stored. */
export interface SealedContent {
  readonly sealed: Uint8Array;
}

export async function sealContent(
  { secretBox }: Store,
  key: Deno.KvKey,
  plain: Uint8Array<ArrayBuffer>,
): Promise<SealedContent> {
  return { sealed: await secretBox.sealContent(plain, contextOf(key)) };
}

/** Throws `unreadable`. */
export async function openContent(
  { secretBox }: Store,
  key: Deno.KvKey,
  { sealed }: SealedContent,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = sealed as Uint8Array<ArrayBuffer>; // the store gives no shared memory
  return await secretBox.openContent(bytes, contextOf(key));
}

function contextOf(key: Deno.KvKey): string {
  return JSON.stringify(key);
}
