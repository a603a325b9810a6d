import { GatewayError } from "../canonical/mod.ts";
import type { StateCodec, StateWanted } from "../formats/state_codec.ts";
import type { ChunkedText } from "../store/mod.ts";
import {
  getConversation,
  getStoredResponse,
  listConversationPages,
  readExchanges,
} from "../store/responses/mod.ts";
import type { ResponsesDeps } from "./dependencies.ts";
import { type Exchange, exchangeIn, type History, itemsOf, namedItems } from "./exchange.ts";

/** The account that owns the state, and the codec of its format. */
export interface Owner {
  readonly accountId: string;
  readonly state: StateCodec;
}

const none: History = { items: [], seals: new Map(), stored: [] };
/** The longest chain. Limited because each record lists all exchanges before its own. */
const exchangesMax = 800;

/** Reads the history that a call continues from. Throws if it does not exist or has expired. */
export async function historyOf(
  deps: ResponsesDeps,
  owner: Owner,
  { previousId, conversationId }: StateWanted,
): Promise<History> {
  if (previousId !== undefined) return await chainOf(deps, owner, previousId);
  return conversationId === undefined
    ? none
    : await conversationHistory(deps, owner, conversationId);
}

async function chainOf(deps: ResponsesDeps, owner: Owner, id: string): Promise<History> {
  const { accountId, state } = owner;
  const remembered = deps.memory?.find(accountId, id);
  if (remembered) return remembered.history;
  const entry = await getStoredResponse(deps.store, { accountId, id, nowMs: deps.now() });
  if (!entry) throw previousNotFound(id);
  const { before, exchange, background } = entry.response;
  if (background?.phase === "running") throw stillRunning(id);
  const stored = [...before, exchange];
  if (stored.length >= exchangesMax) throw tooLong(id);
  assertReadable(deps, stored);
  const texts = await readExchanges(deps.store, stored);
  if (!texts) throw previousNotFound(id, ", or one that it goes on from");
  const exchanges = texts.map(exchangeIn);
  return {
    stored,
    items: exchanges.flatMap((exchange) => itemsOf(state, exchange)),
    seals: sealsIn(state, exchanges),
  };
}

async function conversationHistory(
  deps: ResponsesDeps,
  owner: Owner,
  id: string,
): Promise<History> {
  const place = { accountId: owner.accountId, id };
  const conversation = await getConversation(deps.store, place, deps.now());
  if (!conversation) throw conversationNotFound(id);
  const pages = await listConversationPages(deps.store, place);
  assertReadable(deps, pages.map(({ exchange }) => exchange));
  const texts = await readExchanges(deps.store, pages.map(({ exchange }) => exchange));
  if (!texts) throw conversationNotFound(id);
  const exchanges = texts.map(exchangeIn);
  const items = exchanges.flatMap((exchange, at) => {
    const removed = new Set(pages[at].removed);
    return namedItems(owner.state, exchange, pages[at].exchange)
      .filter((named) => !removed.has(named.id)).map(({ item }) => item);
  });
  return { items, stored: [], seals: sealsIn(owner.state, exchanges), conversation };
}

/** Maps each seal to the upstream that made it: only that upstream can open it. */
export function sealsIn(
  state: StateCodec,
  exchanges: readonly Exchange[],
): ReadonlyMap<string, string> {
  const seals = exchanges.flatMap(({ answer, by }) =>
    answer && by !== undefined
      ? state.outputItems(answer).map((item) => [state.sealIn(item), by] as const)
      : []
  );
  return new Map(seals.flatMap(([seal, by]) => seal === undefined ? [] : [[seal, by] as const]));
}

/**
 * Refuses a history too large for one request; twice the limit, as answers repeat tools and
 * instructions.
 */
export function assertReadable(
  { settings: { bodyBytesMax } }: ResponsesDeps,
  exchanges: readonly ChunkedText[],
): void {
  const bytes = exchanges.reduce((sum, exchange) => sum + exchange.bytes, 0);
  if (bytes <= 2 * bodyBytesMax) return;
  throw new GatewayError(
    "body_too_large",
    `The conversation exceeds the maximum request size (${bodyBytesMax} bytes). Start a new one with less input`,
  );
}

/** The most characters of an id in an error message or a store key. */
export const idCharsMax = 200;

function previousNotFound(id: string, more = ""): GatewayError {
  return new GatewayError(
    "previous_response_not_found",
    `Previous response with id '${id}'${more} not found. Send the whole input instead`,
    { param: "previous_response_id" },
  );
}

function stillRunning(id: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `Cannot continue from response '${id}': it is still in progress. Wait until it has ended`,
    { param: "previous_response_id" },
  );
}

function tooLong(id: string): GatewayError {
  return new GatewayError(
    "invalid_request",
    `Cannot continue from response '${id}': its chain has the maximum of ${exchangesMax} responses. Start a new one with the whole input`,
    { param: "previous_response_id" },
  );
}

/** The same error for a conversation of another account, so that its existence is not revealed. */
export function conversationNotFound(id: string): GatewayError {
  return new GatewayError(
    "conversation_not_found",
    `Conversation with id '${id.slice(0, idCharsMax)}' not found`,
    { param: "conversation" },
  );
}
