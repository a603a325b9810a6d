import { keys } from "../keys.ts";
import {
  type ChunkedText,
  chunkValue,
  deleteChunkedText,
  readChunkedValue,
  referenceTo,
  writeChunks,
} from "../kv/chunked_text.ts";
import type { Store } from "../kv/store.ts";

/** A request or an answer as it was recorded. */
export interface RecordedBody {
  /** Its text, without long base64; empty if nothing of it is kept. */
  readonly text: Uint8Array;
  readonly contentType: string;
  /** The size of the whole body. */
  readonly bytes: number;
  /** The size of the base64 that was left out. */
  readonly base64Bytes?: number;
  /** True if only the beginning is kept. */
  readonly isCut?: boolean;
  /** The reason why no text is kept. */
  readonly missing?: "binary" | "busy";
}

/** The request and the answer of a call, as its caller sent and received them. */
export interface RecordedContent {
  /** The path relative to the format's base URL. */
  readonly path: string;
  /** Absent if the request was refused before it was read. */
  readonly request?: RecordedBody;
  /** Absent if the caller disconnected before the answer. */
  readonly answer?: RecordedBody;
}

/** The call that a content belongs to. */
interface RecordedCall {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
}

interface StoredContent {
  readonly expiresAtMs: number;
  readonly content: ChunkedText;
}

const idPrefix = "recorded_";

/** True for the keys of recorded contents, which no export has. */
export function isOfRecordedContent([kind, id]: Deno.KvKey): boolean {
  return kind === keys.recordedContentsOf()[0] ||
    (kind === keys.textChunks[0] && String(id).startsWith(idPrefix));
}

/**
 * Stores the content of a call, sealed, for a time. Stores nothing for a key or an account that was
 * deleted meanwhile.
 */
export async function saveRecordedContent(
  store: Store,
  call: RecordedCall,
  { content, expiresAtMs, nowMs, owners }: {
    readonly content: RecordedContent;
    readonly expiresAtMs: number;
    readonly nowMs: number;
    /** The records whose deletion deletes it: the playground has no key, the first account no user at first. */
    readonly owners: { readonly key: boolean; readonly user: boolean };
  },
): Promise<void> {
  const { id, accountId, keyId } = call;
  const options = { expireIn: Math.max(1, expiresAtMs - nowMs) };
  const text = chunkValue(`${idPrefix}${id}`, content);
  const operation = await writeChunks(store, text, options);
  const stored: StoredContent = { expiresAtMs, content: referenceTo(text) };
  operation.set(keys.recordedContent(accountId, keyId, id), stored, options);
  await operation.commit();
  // A deletion removes its record first, and then lists the contents: one of the two sees this one.
  const [key, user] = await store.kv.getMany([keys.apiKey(keyId), keys.user(accountId)]);
  if (owners.user && user.value === null) await deleteRecordedContents(store, accountId);
  else if (owners.key && key.value === null) await deleteRecordedContents(store, accountId, keyId);
}

/** Returns the content of a call and the time of its deletion. Throws `unreadable`. */
export async function getRecordedContent(
  store: Store,
  call: RecordedCall,
  nowMs: number,
): Promise<{ content: RecordedContent; expiresAtMs: number } | undefined> {
  const stored = await getStored(store, call, nowMs);
  const content = stored && await readChunkedValue(store, stored.content);
  if (stored === undefined || content === undefined) return undefined;
  return { content: content as RecordedContent, expiresAtMs: stored.expiresAtMs }; // only saveRecordedContent writes it
}

/** The time at which a call's content is deleted; undefined if none is stored. */
export async function recordedContentEnd(
  store: Store,
  call: RecordedCall,
  nowMs: number,
): Promise<number | undefined> {
  return (await getStored(store, call, nowMs))?.expiresAtMs;
}

async function getStored(
  { kv }: Store,
  { id, accountId, keyId }: RecordedCall,
  nowMs: number,
): Promise<StoredContent | undefined> {
  const { value } = await kv.get<StoredContent>(keys.recordedContent(accountId, keyId, id));
  return value !== null && value.expiresAtMs > nowMs ? value : undefined;
}

/** Deletes the contents of an account's calls, or of one key's. */
export async function deleteRecordedContents(
  store: Store,
  ...accountAndKey: readonly string[]
): Promise<void> {
  const prefix = keys.recordedContentsOf(...accountAndKey);
  for await (const { key, value } of store.kv.list<StoredContent>({ prefix })) {
    await deleteChunkedText(store, value.content);
    await store.kv.delete(key);
  }
}
