import { type Change, efforts, type JsonObject, type NativePart } from "../../canonical/mod.ts";
import { objectOf, saysNothing } from "../wire_value.ts";
import { format } from "./native.ts";
import { decodeText } from "./output.ts";

/** An item that changes effort or output format from its place on, until the next one (2026-11). */
export const configurationUpdate = "configuration_update";

/** The item as a native part, with a canonical change if that expresses all of the item. */
export function decodeConfigurationUpdate(item: JsonObject): NativePart {
  const change = changeOf(item);
  return { type: "native", format, value: item, ...(change && { change }) };
}

function changeOf({ type: _, id: _id, reasoning, text, ...rest }: JsonObject): Change | undefined {
  const { effort: word, ...restOfReasoning } = objectOf(reasoning);
  const { format: _format, ...restOfText } = objectOf(text);
  const effort = efforts.find((name) => name === word);
  const { output } = decodeText(objectOf(text));
  const isKnown = [rest, restOfReasoning, restOfText].every(isNothing) &&
    Boolean(reasoning) === (effort !== undefined) && Boolean(text) === (output !== undefined);
  if (!isKnown) return undefined;
  return { ...(effort !== undefined && { effort }), ...(output && { output }) };
}

function isNothing(object: object): boolean {
  return Object.values(object).every(saysNothing);
}
