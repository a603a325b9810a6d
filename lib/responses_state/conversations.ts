import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import { newId, newOrderedId } from "../store/kv/id.ts";
import { chunkText } from "../store/mod.ts";
import {
  type Conversation,
  type ConversationPage,
  deleteConversation,
  getConversation,
  listConversationPages,
  putConversationPage,
  readExchanges,
  removeConversationItem,
  setConversation,
} from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import {
  exchangeIn,
  type ItemQuery,
  type ListPart,
  listPart,
  type NamedItem,
  namedItems,
  noSuchItem,
  unsavedExchange,
} from "./exchange.ts";
import { conversationNotFound, type Owner } from "./history.ts";

/** The most items that one request may add. */
export const itemsAtOnceMax = 20;

/** Creates a conversation with its first items. */
export async function beginConversation(
  deps: ResponsesDeps,
  owner: Owner,
  { items, metadata }: {
    readonly items: readonly JsonObject[];
    readonly metadata: Conversation["metadata"];
  },
): Promise<Conversation> {
  const { store, now, freeWrites, settings: { retentionMs } } = deps;
  const nowMs = now();
  freeWrites.take(owner.accountId, 0);
  const conversation: Conversation = {
    id: newId("conv"),
    accountId: owner.accountId,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + retentionMs,
    metadata,
  };
  await setConversation(store, conversation, retentionMs);
  if (items.length > 0) await addPage(deps, owner, { id: conversation.id, items });
  return conversation;
}

/** Throws `conversation_not_found`. */
export async function ownConversation(
  { store, now }: ResponsesDeps,
  { accountId }: Owner,
  id: string,
): Promise<Conversation> {
  const conversation = await getConversation(store, { accountId, id }, now());
  if (conversation) return conversation;
  throw conversationNotFound(id);
}

/** Replaces the metadata of a conversation. */
export async function describeConversation(
  deps: ResponsesDeps,
  owner: Owner,
  { id, metadata }: Pick<Conversation, "id" | "metadata">,
): Promise<Conversation> {
  const { store, now, settings: { retentionMs } } = deps;
  const conversation = {
    ...await ownConversation(deps, owner, id),
    metadata,
    expiresAtMs: now() + retentionMs,
  };
  await setConversation(store, conversation, retentionMs);
  return conversation;
}

/** Deletes a conversation with the items that were added to it without a call. */
export async function endConversation(
  deps: ResponsesDeps,
  owner: Owner,
  id: string,
): Promise<void> {
  await ownConversation(deps, owner, id);
  await deleteConversation(deps.store, { accountId: owner.accountId, id });
}

/** Appends items; returns them with their ids. */
export async function addItems(
  deps: ResponsesDeps,
  owner: Owner,
  { id, items }: { readonly id: string; readonly items: readonly JsonObject[] },
): Promise<readonly NamedItem[]> {
  await ownConversation(deps, owner, id);
  const added = await addPage(deps, owner, { id, items });
  await keepConversation(deps, owner, { conversationId: id });
  return added;
}

async function addPage(
  { store, now, freeWrites, settings: { retentionMs, exchangeBytesMax } }: ResponsesDeps,
  { accountId, state }: Owner,
  { id, items }: { readonly id: string; readonly items: readonly JsonObject[] },
): Promise<readonly NamedItem[]> {
  const keptAtMs = now();
  const pageId = newOrderedId(keptAtMs);
  const exchange = unsavedExchange(pageId, { input: items }, exchangeBytesMax);
  if (!exchange) throw tooLarge(exchangeBytesMax);
  freeWrites.take(accountId, exchange.bytes);
  const named = namedItems(state, { input: items }, exchange);
  const page: ConversationPage = {
    id: pageId,
    accountId,
    conversationId: id,
    exchange: { id: exchange.id, bytes: exchange.bytes },
    itemIds: named.map((item) => item.id),
    removed: [],
    ofResponse: false,
    keptAtMs,
  };
  await putConversationPage(store, page, { exchange, retentionMs });
  return named;
}

function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError(
    "body_too_large",
    `Cannot add items: larger than ${bytesMax} bytes in total`,
    { param: "items" },
  );
}

/** Returns part of a conversation's items; reads only the pages that hold them. */
export async function gatheredPart(
  deps: ResponsesDeps,
  owner: Owner,
  { id, query }: { readonly id: string; readonly query: ItemQuery },
): Promise<ListPart<NamedItem>> {
  await ownConversation(deps, owner, id);
  const pages = await listConversationPages(deps.store, { accountId: owner.accountId, id });
  const { entries, hasMore } = listPart(pages.flatMap(namesOn), query);
  const items = await itemsOfPages(deps, owner, [...new Set(entries.map(({ page }) => page))]);
  const byId = new Map(items.map((item) => [item.id, item]));
  return { entries: entries.flatMap((entry) => byId.get(entry.id) ?? []), hasMore };
}

function namesOn(page: ConversationPage) {
  return page.itemIds.filter((id) => !page.removed.includes(id)).map((id) => ({ id, page }));
}

async function itemsOfPages(
  { store }: ResponsesDeps,
  { state }: Owner,
  pages: readonly ConversationPage[],
): Promise<readonly NamedItem[]> {
  const texts = await readExchanges(store, pages.map(({ exchange }) => exchange)) ?? [];
  return texts.flatMap((text, at) =>
    namedItems(state, exchangeIn(text), pages[at].exchange)
      .filter((named) => !pages[at].removed.includes(named.id))
  );
}

/** Returns one item; reads only its page. Throws `item_not_found`. */
export async function gatheredItem(
  deps: ResponsesDeps,
  owner: Owner,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<NamedItem> {
  const page = await pageOf(deps, owner, { id, itemId });
  const items = await itemsOfPages(deps, owner, [page]);
  const found = items.find((item) => item.id === itemId);
  if (found) return found;
  throw noSuchItem(itemId);
}

/** Removes one item. Throws `item_not_found`. */
export async function removeItem(
  deps: ResponsesDeps,
  owner: Owner,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<void> {
  const page = await pageOf(deps, owner, { id, itemId });
  const expiresInMs = Math.max(1, page.keptAtMs + deps.settings.retentionMs - deps.now());
  const removed = await removeConversationItem(deps.store, page, { itemId, expiresInMs });
  if (!removed) throw noSuchItem(itemId);
}

async function pageOf(
  deps: ResponsesDeps,
  owner: Owner,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<ConversationPage> {
  await ownConversation(deps, owner, id);
  const pages = await listConversationPages(deps.store, { accountId: owner.accountId, id });
  const page = pages.find(({ itemIds, removed }) =>
    itemIds.includes(itemId) && !removed.includes(itemId)
  );
  if (page) return page;
  throw noSuchItem(itemId);
}

/**
 * Extends the retention of a conversation that gained items: its record, and the pages past half of
 * their retention.
 */
export async function keepConversation(
  deps: ResponsesDeps,
  { accountId }: Owner,
  { conversationId: id }: Pick<ConversationPage, "conversationId">,
): Promise<void> {
  const { store, now, settings: { retentionMs } } = deps;
  const nowMs = now();
  const conversation = await getConversation(store, { accountId, id }, nowMs);
  if (!conversation || conversation.expiresAtMs - nowMs > retentionMs * freshShare) return;
  await setConversation(store, { ...conversation, expiresAtMs: nowMs + retentionMs }, retentionMs);
  for (const page of await listConversationPages(store, { accountId, id })) {
    if (page.keptAtMs + retentionMs / 2 < nowMs) await renewed(deps, page);
  }
}

/** A record with more than this share of its retention left is not rewritten. */
const freshShare = 0.95;

async function renewed({ store, now, settings }: ResponsesDeps, page: ConversationPage) {
  const texts = await readExchanges(store, [page.exchange]);
  if (!texts) return;
  const { retentionMs } = settings;
  const exchange = chunkText(page.exchange.id, texts[0]);
  await putConversationPage(store, { ...page, keptAtMs: now() }, { exchange, retentionMs });
}
