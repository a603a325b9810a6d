import { isJsonObject, type JsonObject, ownIdMark } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import { isLongerThan } from "../json/mod.ts";
import { type ChunkedText, chunkText, type UnsavedText } from "../store/mod.ts";

/**
 * The input and the answer of one call. Items added to a conversation without a call have no
 * answer.
 */
export interface Exchange {
  readonly input: readonly JsonObject[];
  readonly answer?: JsonObject;
  /** The upstream that answered. */
  readonly by?: string;
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
