import { isJsonObject, type JsonObject, ownIdMark } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import type { ChunkedText } from "../store/mod.ts";

/** What one call said and was answered; items that were only added to a conversation have no answer. */
export interface Exchange {
  readonly input: readonly JsonObject[];
  readonly answer?: JsonObject;
  /** The upstream that answered. */
  readonly by?: string;
}

/** An item under the id by which it is asked for. */
export interface NamedItem {
  readonly id: string;
  readonly item: JsonObject;
}

/** The stored text of an exchange. */
export function exchangeText(exchange: Exchange): string {
  return JSON.stringify(exchange);
}

/** Reads what `exchangeText` wrote. */
export function exchangeIn(text: string): Exchange {
  const { input, answer, by } = JSON.parse(text);
  return { input, by, ...(isJsonObject(answer) && { answer }) };
}

/** The exchange's name in the store: that of the call which made it. */
export function exchangeIdOf(requestId: string): string {
  return requestId.replace(/^req_/, "");
}

/** All that was said in an exchange, in order. */
export function itemsOf(state: StateCodec, { input, answer }: Exchange): readonly JsonObject[] {
  return answer ? [...input, ...state.outputItems(answer)] : input;
}

/** The same under their ids: their own, or ones that follow from their places. */
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
