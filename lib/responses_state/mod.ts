/** The state of the responses format: stored responses, conversations and background responses. */
export {
  addItems,
  beginConversation,
  describeConversation,
  endConversation,
  gatheredItem,
  gatheredPart,
  itemsAtOnceMax,
  ownConversation,
  removeItem,
} from "./conversations.ts";
export { createState, type ResponsesDeps } from "./dependencies.ts";
export {
  backgroundEvents,
  cancelledAnswer,
  deleteAnswer,
  inputOf,
  settledEntry,
  storedAnswer,
} from "./read.ts";
export type { Owner } from "./history.ts";
export type { Keeping } from "./keeping.ts";
export { LaneMemory, SocketMemory } from "./socket_memory.ts";
export { itemQueryOf, listBody, listPart } from "./exchange.ts";
export { type WithHistory, withHistory } from "./with_history.ts";
