import { keys } from "../keys.ts";
import {
  type ChunkedText,
  deleteChunkedText,
  readChunkedTexts,
  referenceTo,
  sealedChunks,
  type UnsavedText,
} from "../kv/chunked_text.ts";
import type { Store } from "../kv/store.ts";

/**
 * A stored answer. Its texts are stored apart, one for each call: its own `exchange`, and those
 * `before` that it continues, oldest first. The record is written with or after the last value of
 * its exchange, so half an answer is never visible.
 */
export interface StoredResponse {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly exchange: ChunkedText;
  readonly before: readonly ChunkedText[];
  readonly conversationId?: string;
  /** Ids of its items that do not name their response, by which later calls may refer to them. */
  readonly itemIds: readonly string[];
  /** Present where it was made beside its caller. */
  readonly background?: BackgroundState;
}

/** The state of a response that is made in the background. */
interface BackgroundState {
  /** The start of the process that makes it. */
  readonly runId: string;
  readonly phase: "running" | "ended";
  /** Until when whoever makes it counts as alive without another sign. */
  readonly aliveUntilMs: number;
  /** The number of packs of its events. */
  readonly eventPacks: number;
  /** The request as queued, deleted when the response ends. */
  readonly queued?: ChunkedText;
  /** True if the packs hold the end of the stream; false if there were too many, or if the maker died. */
  readonly streamEnded: boolean;
}

/** A stored response with its version, by which it is changed. */
export interface StoredResponseEntry {
  readonly response: StoredResponse;
  readonly versionstamp: string;
}

/** A page of a conversation: what one call, or one request to add items, put at its end. */
export interface ConversationPage {
  /** Sorts by time. */
  readonly id: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly exchange: ChunkedText;
  /** Of its items, in order: those of the input, then those of the answer. */
  readonly itemIds: readonly string[];
  /** Those of them that were deleted. */
  readonly removed: readonly string[];
  /** True if a response owns the exchange too. */
  readonly ofResponse: boolean;
  /** That response. */
  readonly responseId?: string;
  /** Since when it is kept as long as anything is; renewed while the conversation goes on. */
  readonly keptAtMs: number;
}

/** The exchange that a call leaves, for a response of its own, a conversation, or both. */
export interface ExchangeToStore {
  readonly exchange: UnsavedText;
  readonly response?: StoredResponse;
  readonly page?: ConversationPage;
  readonly retentionMs: number;
}

/** Of the 800 KiB that a commit may have, with room for what frames its values. */
const commitBytesMax = 560_000;
const commitMutationsMax = 800;
const mutationBytes = 200;

/**
 * Stores exchanges, many in one commit where they are small. Records follow their texts, so that one who
 * dies in between leaves texts that nobody sees, and that expire.
 */
export async function storeExchanges(
  store: Store,
  exchanges: readonly ExchangeToStore[],
): Promise<void> {
  const writer = new CommitWriter(store);
  for (const { exchange, response, page, retentionMs } of exchanges) {
    const options = { expireIn: retentionMs };
    for (const { key, value } of await sealedChunks(store, exchange)) {
      await writer.set(key, value, { bytes: value.sealed.length, ...options });
    }
    await writer.room(
      recordBytes(response) + recordBytes(page),
      2 + (response?.itemIds.length ?? 0),
    );
    if (response) setResponse(writer.operation, response, retentionMs);
    if (page) writer.operation.set(pageKey(page), { ...page }, options);
  }
  await writer.end();
}

/** Generously: names of fields and what frames them, and two bytes for each character. */
function recordBytes(record: object | undefined): number {
  return record ? 2 * JSON.stringify({ ...record, exchange: undefined }).length : 0;
}

/** Mutations in as few commits as hold them, in their order. */
class CommitWriter {
  readonly #store: Store;
  operation: Deno.AtomicOperation;
  #bytes = 0;
  #mutations = 0;

  constructor(store: Store) {
    this.#store = store;
    this.operation = store.kv.atomic();
  }

  async set(
    key: Deno.KvKey,
    value: unknown,
    { bytes, expireIn }: { readonly bytes: number; readonly expireIn: number },
  ): Promise<void> {
    await this.room(bytes, 1);
    this.operation.set(key, value, { expireIn });
  }

  /** Makes sure that so much more goes into the same commit. */
  async room(bytes: number, mutations: number): Promise<void> {
    const wanted = bytes + mutations * mutationBytes;
    const full = this.#bytes + wanted > commitBytesMax ||
      this.#mutations + mutations > commitMutationsMax;
    if (full && this.#mutations > 0) await this.end();
    this.#bytes += wanted;
    this.#mutations += mutations;
  }

  async end(): Promise<void> {
    await this.operation.commit();
    this.operation = this.#store.kv.atomic();
    this.#bytes = 0;
    this.#mutations = 0;
  }
}

function setResponse(
  operation: Deno.AtomicOperation,
  response: StoredResponse,
  expireIn: number,
): void {
  const { accountId, id, itemIds } = response;
  operation.set(keys.storedResponse(accountId, id), {
    ...response,
    exchange: referenceTo(response.exchange),
  }, {
    expireIn,
  });
  for (const itemId of itemIds) {
    operation.set(keys.responseItem(accountId, itemId), referenceTo(response.exchange), {
      expireIn,
    });
  }
}

function pageKey({ accountId, conversationId, id }: ConversationPage): Deno.KvKey {
  return keys.conversationPage(accountId, conversationId, id);
}

/** Undefined where there is none, or it has expired. */
export async function getStoredResponse(
  store: Store,
  { accountId, id, nowMs }: {
    readonly accountId: string;
    readonly id: string;
    readonly nowMs: number;
  },
): Promise<StoredResponseEntry | undefined> {
  const { value, versionstamp } = await store.kv.get<StoredResponse>(
    keys.storedResponse(accountId, id),
  );
  if (value === null || value.expiresAtMs <= nowMs) return undefined;
  return { response: value, versionstamp };
}

/**
 * Writes a response in the place of what `versionstamp` names (`null`: of nothing), with its exchange
 * where that is new. The new version, or undefined where somebody else was faster.
 */
export async function replaceStoredResponse(
  store: Store,
  { response, versionstamp, exchange, page, retentionMs }: {
    readonly response: StoredResponse;
    readonly versionstamp: string | null;
    readonly exchange?: UnsavedText;
    readonly page?: ConversationPage;
    readonly retentionMs: number;
  },
): Promise<string | undefined> {
  if (exchange) await storeExchanges(store, [{ exchange, retentionMs }]);
  const key = keys.storedResponse(response.accountId, response.id);
  const operation = store.kv.atomic().check({ key, versionstamp });
  setResponse(operation, response, retentionMs);
  if (page) operation.set(pageKey(page), { ...page }, { expireIn: retentionMs });
  const result = await operation.commit();
  return result.ok ? result.versionstamp : undefined;
}

/**
 * Deletes a response: its record first, so that it is gone at once. Its exchange stays while its
 * conversation has it too.
 */
export async function deleteStoredResponse(store: Store, response: StoredResponse): Promise<void> {
  const { accountId, id, itemIds, exchange, conversationId, background } = response;
  const operation = store.kv.atomic().delete(keys.storedResponse(accountId, id));
  for (const itemId of itemIds) operation.delete(keys.responseItem(accountId, itemId));
  await operation.commit();
  if (background?.queued) await deleteChunkedText(store, background.queued);
  if (!await isGathered(store, accountId, conversationId)) await deleteChunkedText(store, exchange);
}

async function isGathered(
  { kv }: Store,
  accountId: string,
  conversationId: string | undefined,
): Promise<boolean> {
  if (conversationId === undefined) return false;
  return (await kv.get(keys.conversation(accountId, conversationId))).value !== null;
}

/** Returns true if a response still owns the exchange of a page. */
export async function isOfResponse(
  store: Store,
  { ofResponse, responseId, accountId, exchange }: ConversationPage,
): Promise<boolean> {
  if (!ofResponse || responseId === undefined) return ofResponse;
  const { value } = await store.kv.get<StoredResponse>(keys.storedResponse(accountId, responseId));
  return value?.exchange.id === exchange.id;
}

/** Returns the exchange that holds an item, by the item's id. */
export async function getItemExchange(
  store: Store,
  accountId: string,
  itemId: string,
): Promise<ChunkedText | undefined> {
  const { value } = await store.kv.get<ChunkedText>(keys.responseItem(accountId, itemId));
  return value ?? undefined;
}

/** The texts of exchanges, in order; undefined where one of them is no longer there. */
export async function readExchanges(
  store: Store,
  exchanges: readonly ChunkedText[],
): Promise<readonly string[] | undefined> {
  const texts = await readChunkedTexts(store, exchanges);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
