import { GatewayError, isJsonObject, type JsonObject, ownIdMark } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import { isLongerThan } from "../json/mod.ts";
import { type ChunkedText, chunkText, type UnsavedText } from "../store/mod.ts";
import type { Conversation } from "../store/responses/mod.ts";

/**
 * The input and the answer of one call. Items added to a conversation without a call have no
 * answer.
 */
export interface Exchange {
  readonly input: readonly JsonObject[];
  readonly answer?: JsonObject;
  readonly by?: string;
}

/** The stored items that a call continues from. */
export interface History {
  readonly items: readonly JsonObject[];
  /** The upstream that made each sealed item. */
  readonly seals: ReadonlyMap<string, string>;
  /** The stored exchanges of the previous response's chain, oldest first. */
  readonly stored: readonly ChunkedText[];
  /** True if a part of the items is in a socket's memory only. */
  readonly isUnsaved?: true;
  /** The length of the items as JSON text, in characters, if it is known. */
  readonly length?: number;
  readonly conversation?: Conversation;
}

/** An item with the id by which callers request it. */
export interface NamedItem {
  readonly id: string;
  readonly item: JsonObject;
}

/** The stored text of an exchange. */
export function exchangeText(exchange: Exchange): string {
  return JSON.stringify(exchange);
}

/** An exchange in the form in which it is stored; undefined if it is longer than the maximum. */
export function unsavedExchange(
  id: string,
  exchange: Exchange,
  bytesMax: number,
): UnsavedText | undefined {
  if (isLongerThan({ ...exchange }, bytesMax)) return undefined; // it would take long to write
  const unsaved = chunkText(id, exchangeText(exchange));
  return unsaved.bytes > bytesMax ? undefined : unsaved;
}

/** Parses the text of `exchangeText`. */
export function exchangeIn(text: string): Exchange {
  const { input, answer, by } = JSON.parse(text);
  return { input, by, ...(isJsonObject(answer) && { answer }) };
}

/** The exchange's id in the store, derived from its call's. */
export function exchangeIdOf(requestId: string): string {
  return requestId.replace(/^req_/, "");
}

/** The items of an exchange in order: the input, then the output. */
export function itemsOf(state: StateCodec, { input, answer }: Exchange): readonly JsonObject[] {
  return answer ? [...input, ...state.outputItems(answer)] : input;
}

/** The items of an exchange with their ids: their own, or ones derived from their places. */
export function namedItems(
  state: StateCodec,
  exchange: Exchange,
  { id }: Pick<ChunkedText, "id">,
): readonly NamedItem[] {
  return itemsOf(state, exchange).map((item, place) => ({
    id: typeof item.id === "string" && item.id !== ""
      ? item.id
      : `${state.idPrefix(item)}${ownIdMark}${id}_i${place}`,
    item,
  }));
}

/** The part of a list that a caller requests. */
export interface ItemQuery {
  readonly limit: number;
  readonly order: "asc" | "desc";
  /** The id of the last item that the caller received. */
  readonly after?: string;
}

const limitMax = 100;
const limitDefault = 20;

/** Reads `limit`, `order` and `after`. Throws `invalid_request`. */
export function itemQueryOf({ searchParams }: URL): ItemQuery {
  const limit = Number(searchParams.get("limit") ?? limitDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw refused("limit", `must be a whole number from 1 to ${limitMax}`);
  }
  const order = searchParams.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw refused("order", "must be asc or desc");
  const after = searchParams.get("after");
  return { limit, order, ...(after !== null && after !== "" && { after }) };
}

/** A part of a list in the requested order; `hasMore` is true if more entries follow. */
export interface ListPart<Entry> {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
}

/** Returns the requested part of a list. Throws `item_not_found` if `after` is not in the list. */
export function listPart<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  { limit, order, after }: ItemQuery,
): ListPart<Entry> {
  const ordered = order === "asc" ? entries : entries.toReversed();
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && from === 0) throw noSuchItem(after);
  return { entries: ordered.slice(from, from + limit), hasMore: from + limit < ordered.length };
}

/** Encodes a part of a list of items in the format. */
export function listBody(
  state: StateCodec,
  { entries, hasMore }: ListPart<NamedItem>,
): JsonObject {
  return {
    object: "list",
    data: entries.map(({ item, id }) => state.listed(item, id)),
    first_id: entries[0]?.id ?? null,
    last_id: entries.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function noSuchItem(id: string): GatewayError {
  return new GatewayError("item_not_found", `Item with id '${id.slice(0, 100)}' not found`);
}

function refused(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `Cannot read the query: ${param} ${problem}`, {
    param,
  });
}
