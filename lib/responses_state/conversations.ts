import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import { newId, newOrderedId } from "../store/kv/id.ts";
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
  textToKeep,
} from "../store/mod.ts";
import { keepConversation } from "./keep_conversation.ts";
import { conversationNotFound, type Owner } from "./history.ts";
import { type ListPart, listPart, type ListQuery, noSuchItem } from "./list_page.ts";
import { exchangeIn, exchangeText, type NamedItem, namedItems } from "./exchange.ts";
import type { StateWorld } from "./world.ts";

/** So many items are added by one request at most. */
export const itemsAtOnceMax = 20;

/** Begins a conversation, with what is to stand in it already. */
export async function beginConversation(
  world: StateWorld,
  owner: Owner,
  { items, metadata }: {
    readonly items: readonly JsonObject[];
    readonly metadata: Conversation["metadata"];
  },
): Promise<Conversation> {
  const { store, now, freeWrites, settings: { retentionMs } } = world;
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
  if (items.length > 0) await addPage(world, owner, { id: conversation.id, items });
  return conversation;
}

/** Throws `conversation_not_found`. */
export async function conversationOf(
  { store, now }: StateWorld,
  { accountId }: Owner,
  id: string,
): Promise<Conversation> {
  const conversation = await getConversation(store, { accountId, id }, now());
  if (conversation) return conversation;
  throw conversationNotFound(id);
}

/** Says something else of a conversation. */
export async function describeConversation(
  world: StateWorld,
  owner: Owner,
  { id, metadata }: Pick<Conversation, "id" | "metadata">,
): Promise<Conversation> {
  const { store, now, settings: { retentionMs } } = world;
  const conversation = {
    ...await conversationOf(world, owner, id),
    metadata,
    expiresAtMs: now() + retentionMs,
  };
  await setConversation(store, conversation, retentionMs);
  return conversation;
}

/** Takes a conversation away with all that was added to it by itself. */
export async function endConversation(
  world: StateWorld,
  owner: Owner,
  id: string,
): Promise<void> {
  await conversationOf(world, owner, id);
  await deleteConversation(world.store, { accountId: owner.accountId, id });
}

/** Adds items at the end; gives them back under their ids. */
export async function addItems(
  world: StateWorld,
  owner: Owner,
  { id, items }: { readonly id: string; readonly items: readonly JsonObject[] },
): Promise<readonly NamedItem[]> {
  await conversationOf(world, owner, id);
  const added = await addPage(world, owner, { id, items });
  await keepConversation(world, owner, { conversationId: id });
  return added;
}

async function addPage(
  { store, now, freeWrites, settings: { retentionMs, exchangeBytesMax } }: StateWorld,
  { accountId, state }: Owner,
  { id, items }: { readonly id: string; readonly items: readonly JsonObject[] },
): Promise<readonly NamedItem[]> {
  const keptAtMs = now();
  const pageId = newOrderedId(keptAtMs);
  const exchange = textToKeep(pageId, exchangeText({ input: items }));
  if (exchange.bytes > exchangeBytesMax) throw tooLarge(exchangeBytesMax);
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
    `Cannot add items: together they are longer than ${bytesMax} bytes`,
    { param: "items" },
  );
}

/** A part of what a conversation has; only its pages are read. */
export async function gatheredPart(
  world: StateWorld,
  owner: Owner,
  { id, query }: { readonly id: string; readonly query: ListQuery },
): Promise<ListPart<NamedItem>> {
  await conversationOf(world, owner, id);
  const pages = await listConversationPages(world.store, { accountId: owner.accountId, id });
  const { entries, hasMore } = listPart(pages.flatMap(namesOn), query);
  const items = await itemsOfPages(world, owner, [...new Set(entries.map(({ page }) => page))]);
  const byId = new Map(items.map((item) => [item.id, item]));
  return { entries: entries.flatMap((entry) => byId.get(entry.id) ?? []), hasMore };
}

function namesOn(page: ConversationPage) {
  return page.itemIds.filter((id) => !page.removed.includes(id)).map((id) => ({ id, page }));
}

async function itemsOfPages(
  { store }: StateWorld,
  { state }: Owner,
  pages: readonly ConversationPage[],
): Promise<readonly NamedItem[]> {
  const texts = await readExchanges(store, pages.map(({ exchange }) => exchange)) ?? [];
  return texts.flatMap((text, at) =>
    namedItems(state, exchangeIn(text), pages[at].exchange)
      .filter((named) => !pages[at].removed.includes(named.id))
  );
}

/** One of them, read from its page alone. Throws `item_not_found`. */
export async function gatheredItem(
  world: StateWorld,
  owner: Owner,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<NamedItem> {
  const page = await pageOf(world, owner, { id, itemId });
  const items = await itemsOfPages(world, owner, [page]);
  const found = items.find((item) => item.id === itemId);
  if (found) return found;
  throw noSuchItem(itemId);
}

/** Takes one out. Throws `item_not_found`. */
export async function removeItem(
  world: StateWorld,
  owner: Owner,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<void> {
  const page = await pageOf(world, owner, { id, itemId });
  const expiresInMs = Math.max(1, page.keptAtMs + world.settings.retentionMs - world.now());
  const removed = await removeConversationItem(world.store, page, { itemId, expiresInMs });
  if (!removed) throw noSuchItem(itemId);
}

async function pageOf(
  world: StateWorld,
  owner: Owner,
  { id, itemId }: { readonly id: string; readonly itemId: string },
): Promise<ConversationPage> {
  await conversationOf(world, owner, id);
  const pages = await listConversationPages(world.store, { accountId: owner.accountId, id });
  const page = pages.find(({ itemIds, removed }) =>
    itemIds.includes(itemId) && !removed.includes(itemId)
  );
  if (page) return page;
  throw noSuchItem(itemId);
}
