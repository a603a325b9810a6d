import { keys } from "../keys.ts";
import { deleteChunkedText } from "../kv/chunked_text.ts";
import type { UnsavedText } from "../kv/chunked_text.ts";
import type { Store } from "../kv/store.ts";
import { openContent, sealContent, type SealedContent } from "./sealed_content.ts";
import { type ConversationPage, isOfResponse, storeExchanges } from "./stored_response.ts";

/** Items that calls append one after the other, stored in pages of their own. */
export interface Conversation {
  readonly id: string;
  readonly accountId: string;
  readonly createdAtMs: number;
  /** Extended by every addition. */
  readonly expiresAtMs: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A conversation's id, and the time of reading. */
interface ConversationPlace {
  readonly accountId: string;
  readonly id: string;
}

/** Stores a conversation, new or changed. */
export async function setConversation(
  store: Store,
  conversation: Conversation,
  retentionMs: number,
): Promise<void> {
  const key = keys.conversation(conversation.accountId, conversation.id);
  await store.kv.set(key, await sealed(store, key, conversation), { expireIn: retentionMs });
}

/** The metadata is the caller's text, so it is sealed. */
type StoredConversation = Omit<Conversation, "metadata"> & { readonly metadata: SealedContent };

async function sealed(
  store: Store,
  key: Deno.KvKey,
  conversation: Conversation,
): Promise<StoredConversation> {
  const words = new TextEncoder().encode(JSON.stringify(conversation.metadata));
  return { ...conversation, metadata: await sealContent(store, key, words) };
}

/** Returns undefined if there is none, or if it has expired. Throws `unreadable`. */
export async function getConversation(
  store: Store,
  { accountId, id }: ConversationPlace,
  nowMs: number,
): Promise<Conversation | undefined> {
  const { key, value } = await store.kv.get<StoredConversation>(keys.conversation(accountId, id));
  if (value === null || value.expiresAtMs <= nowMs) return undefined;
  const words = await openContent(store, key, value.metadata);
  return { ...value, metadata: JSON.parse(new TextDecoder().decode(words)) }; // only sealed() wrote it
}

/** Lists its pages, oldest first. */
export async function listConversationPages(
  store: Store,
  { accountId, id }: ConversationPlace,
): Promise<ConversationPage[]> {
  const pages: ConversationPage[] = [];
  const prefix = keys.conversationPages(accountId, id);
  for await (const { value } of store.kv.list<ConversationPage>({ prefix }, { batchSize: 500 })) {
    pages.push(value);
  }
  return pages;
}

/**
 * Appends a page with its text to a conversation, or writes it again in place, which extends its
 * retention.
 */
export async function putConversationPage(
  store: Store,
  page: ConversationPage,
  { exchange, retentionMs }: { readonly exchange: UnsavedText; readonly retentionMs: number },
): Promise<void> {
  await storeExchanges(store, [{ exchange, page, retentionMs }]);
}

/** Removes one item. Returns false if the page no longer has it. */
export async function removeConversationItem(
  store: Store,
  page: ConversationPage,
  { itemId, expiresInMs }: { readonly itemId: string; readonly expiresInMs: number },
): Promise<boolean> {
  const key = keys.conversationPage(page.accountId, page.conversationId, page.id);
  for (;;) {
    const entry = await store.kv.get<ConversationPage>(key);
    if (entry.value === null || entry.value.removed.includes(itemId)) return false;
    const removed = [...entry.value.removed, itemId];
    const { ok } = await store.kv.atomic().check(entry)
      .set(key, { ...entry.value, removed }, { expireIn: expiresInMs }).commit();
    if (ok) return true;
  }
}

/** Deletes a conversation. Exchanges of responses stay until those are deleted or expire. */
export async function deleteConversation(store: Store, place: ConversationPlace): Promise<void> {
  const { accountId, id } = place;
  await store.kv.delete(keys.conversation(accountId, id));
  for (const page of await listConversationPages(store, place)) {
    await store.kv.delete(keys.conversationPage(accountId, id, page.id));
    if (!await isOfResponse(store, page)) await deleteChunkedText(store, page.exchange);
  }
}
