import { chunkText } from "../store/mod.ts";
import {
  type ConversationPage,
  getConversation,
  listConversationPages,
  putConversationPage,
  readExchanges,
  setConversation,
} from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import type { Owner } from "./history.ts";

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
