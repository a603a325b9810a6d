import { GatewayError, type JsonObject } from "../canonical/mod.ts";
import type { StateCodec, StateWanted } from "../formats/state_codec.ts";
import type { ChunkedText } from "../store/mod.ts";
import {
  type Conversation,
  getConversation,
  getStoredResponse,
  listConversationPages,
  readExchanges,
} from "../store/responses/mod.ts";
import { type Exchange, exchangeIn, itemsOf, namedItems } from "./exchange.ts";
import type { ResponsesDeps } from "./dependencies.ts";

/** What a call goes on from. */
export interface History {
  readonly items: readonly JsonObject[];
  /** Which upstream made each seal in them. */
  readonly seals: ReadonlyMap<string, string>;
  /** The exchanges that the response before it consists of, oldest first. */
  readonly exchanges: readonly ChunkedText[];
  readonly conversation?: Conversation;
}

/** Whose state it is, and in which format. */
export interface Owner {
  readonly accountId: string;
  readonly state: StateCodec;
}

const none: History = { items: [], seals: new Map(), exchanges: [] };
/** A record names all the exchanges before its own. */
const exchangesMax = 800;

/** Reads what a call goes on from. Throws where it is not, or no longer, there. */
export async function historyOf(
  deps: ResponsesDeps,
  owner: Owner,
  { previousId, conversationId }: StateWanted,
): Promise<History> {
  if (previousId !== undefined) return await chainOf(deps, owner, previousId);
  return conversationId === undefined ? none : await gatheredIn(deps, owner, conversationId);
}

async function chainOf(deps: ResponsesDeps, owner: Owner, id: string): Promise<History> {
  const { accountId, state } = owner;
  const entry = await getStoredResponse(deps.store, { accountId, id, nowMs: deps.now() });
  if (!entry) throw previousNotFound(id);
  const { before, exchange, background } = entry.response;
  if (background?.phase === "running") throw stillRunning(id);
  const exchanges = [...before, exchange];
  if (exchanges.length >= exchangesMax) throw tooLong(id);
  assertReadable(deps, exchanges);
  const texts = await readExchanges(deps.store, exchanges);
  if (!texts) throw previousNotFound(id, ", or one that it goes on from");
  const said = texts.map(exchangeIn);
  return {
    exchanges,
    items: said.flatMap((exchange) => itemsOf(state, exchange)),
    seals: sealsIn(state, said),
  };
}

async function gatheredIn(deps: ResponsesDeps, owner: Owner, id: string): Promise<History> {
  const place = { accountId: owner.accountId, id };
  const conversation = await getConversation(deps.store, place, deps.now());
  if (!conversation) throw conversationNotFound(id);
  const pages = await listConversationPages(deps.store, place);
  assertReadable(deps, pages.map(({ exchange }) => exchange));
  const texts = await readExchanges(deps.store, pages.map(({ exchange }) => exchange));
  if (!texts) throw conversationNotFound(id);
  const said = texts.map(exchangeIn);
  const items = said.flatMap((exchange, at) => {
    const removed = new Set(pages[at].removed);
    return namedItems(owner.state, exchange, pages[at].exchange)
      .filter((named) => !removed.has(named.id)).map(({ item }) => item);
  });
  return { items, exchanges: [], seals: sealsIn(owner.state, said), conversation };
}

/** The upstream that made each seal: only that one can open it. */
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

/** Refuses what would not go into one request anyway; an answer repeats tools and instructions beside what it says. */
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

/** Of an id in an error's message, or in the store's keys. */
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

/** Another account's is not found either. */
export function conversationNotFound(id: string): GatewayError {
  return new GatewayError(
    "conversation_not_found",
    `Conversation with id '${id.slice(0, idCharsMax)}' not found`,
    { param: "conversation" },
  );
}
