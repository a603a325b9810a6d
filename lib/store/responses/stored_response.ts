import { keys } from "../keys.ts";
import {
  type ChunkedText,
  deleteChunkedText,
  readChunkedTexts,
  referenceTo,
  sealedChunks,
  type UnsavedText,
} from "../kv/chunked_text.ts";
import type { AtomicOperation } from "../kv/database.ts";
import type { Store } from "../kv/store.ts";
import { encodeValue } from "../kv/value.ts";

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
  /** Ids of items that do not contain their response's id, but to which later calls may refer. */
  readonly itemIds: readonly string[];
  /** Present for a background response. */
  readonly background?: BackgroundState;
}

/** The state of a response that is made in the background. */
interface BackgroundState {
  /** The start of the process that generates it. */
  readonly runId: string;
  readonly phase: "running" | "ended";
  /** The isolate that generates it counts as alive until then, without another heartbeat. */
  readonly aliveUntilMs: number;
  /** The number of packs of its events. */
  readonly eventPacks: number;
  /** The request as queued, deleted when the response ends. */
  readonly queued?: ChunkedText;
  /**
   * True if the packs include the end of the stream; false if there were too many, or if the
   * isolate died.
   */
  readonly streamEnded: boolean;
}

/** A stored response with its version, which changes must check. */
export interface StoredResponseEntry {
  readonly response: StoredResponse;
  readonly versionstamp: string;
}

/** A page of a conversation: the items that one call, or one request to add items, appended. */
export interface ConversationPage {
  /** Sorts by time. */
  readonly id: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly exchange: ChunkedText;
  /** The ids of its items, in order: first those of the input, then those of the answer. */
  readonly itemIds: readonly string[];
  /** The ids of deleted items. */
  readonly removed: readonly string[];
  /** True if the exchange belongs to a response too. */
  readonly ofResponse: boolean;
  /** That response. */
  readonly responseId?: string;
  /** Start of the retention period, which is renewed while the conversation continues. */
  readonly keptAtMs: number;
}

/** The exchange of a call, for a stored response, a conversation, or both. */
export interface ExchangeToStore {
  readonly exchange: UnsavedText;
  readonly response?: StoredResponse;
  readonly page?: ConversationPage;
  readonly retentionMs: number;
}

/** Derived from the 800 KiB of a commit, with room for framing. */
const commitBytesMax = 560_000;
const commitMutationsMax = 800;
const mutationBytes = 200;

/**
 * Stores exchanges, several small ones in one commit. Writes texts before their records, so an
 * interruption leaves only invisible texts, which expire.
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

/** Without the exchange, which is written before. */
function recordBytes(record: object | undefined): number {
  return record ? encodeValue({ ...record, exchange: undefined }).length : 0;
}

/** Writes mutations in order, in as few commits as possible. */
class CommitWriter {
  readonly #store: Store;
  operation: AtomicOperation;
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

  /** Reserves room in the current commit, or starts another one. */
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
  operation: AtomicOperation,
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

/** Returns undefined if there is none, or if it has expired. */
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
 * Replaces the version `versionstamp` of a response (`null`: none yet), with its exchange if that
 * is new. Returns the new version; undefined if another write was faster.
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
 * Deletes a response, its record first, so that it disappears at once. Its exchange stays while a
 * conversation contains it too.
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

/** Reads the texts of exchanges, in order; undefined if one of them is missing. */
export async function readExchanges(
  store: Store,
  exchanges: readonly ChunkedText[],
): Promise<readonly string[] | undefined> {
  const texts = await readChunkedTexts(store, exchanges);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}
