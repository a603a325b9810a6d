/** Stored responses and conversations. */
export {
  type Conversation,
  deleteConversation,
  getConversation,
  listConversationPages,
  putConversationPage,
  removeConversationItem,
  setConversation,
} from "./conversation.ts";
export {
  deleteEvents,
  eventPackBytesMax,
  getEventPack,
  putEventPacks,
  watchStoredResponse,
} from "./response_events.ts";
export {
  type ConversationPage,
  deleteStoredResponse,
  type ExchangeToStore,
  getItemExchange,
  getStoredResponse,
  readExchanges,
  replaceStoredResponse,
  type StoredResponse,
  type StoredResponseEntry,
  storeExchanges,
} from "./stored_response.ts";
