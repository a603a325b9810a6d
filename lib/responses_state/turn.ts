import { isJsonObject, type JsonObject, ownIdMark } from "../canonical/mod.ts";
import type { StateCodec } from "../formats/state_codec.ts";
import type { KeptText } from "../store/mod.ts";

/** What one call said and was answered; items that were only added to a conversation have no answer. */
export interface Turn {
  readonly input: readonly JsonObject[];
  readonly answer?: JsonObject;
}

/** An item under the id by which it is asked for. */
export interface NamedItem {
  readonly id: string;
  readonly item: JsonObject;
}

/** A turn as it is stored. */
export function turnText(turn: Turn): string {
  return JSON.stringify(turn);
}

/** Reads what `turnText` wrote. */
export function turnIn(text: string): Turn {
  const { input, answer } = JSON.parse(text);
  return { input, ...(isJsonObject(answer) && { answer }) };
}

/** The turn's name in the store: that of the call which made it. */
export function turnIdOf(requestId: string): string {
  return requestId.replace(/^req_/, "");
}

/** All that was said in a turn, in order. */
export function itemsOf(state: StateCodec, { input, answer }: Turn): readonly JsonObject[] {
  return answer ? [...input, ...state.outputItems(answer)] : input;
}

/** The same under their ids: their own, or ones that follow from their places. */
export function namedItems(
  state: StateCodec,
  turn: Turn,
  { id }: Pick<KeptText, "id">,
): readonly NamedItem[] {
  return itemsOf(state, turn).map((item, place) => ({
    id: typeof item.id === "string" && item.id !== ""
      ? item.id
      : `${state.idPrefix(item)}${ownIdMark}${id}_i${place}`,
    item,
  }));
}
