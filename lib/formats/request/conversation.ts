import { isJsonObject, type JsonObject } from "../../canonical/mod.ts";
import { findIn, isListIn } from "../../json/mod.ts";

const charsMax = 2000;

/**
 * The value that the turns of one conversation share: the caller's own cache or session key, else
 * the start of the first user turn. Used to stay on one upstream, never shown or stored. `member`
 * is the name of the turns in the body.
 */
export function conversationOf(key: unknown, body: JsonObject, member: string): string | undefined {
  if (typeof key === "string" && key !== "") return key;
  const first = isListIn(body, member) ? findIn(body, member, isUserTurn) : body[member];
  if (typeof first === "string") return first.slice(0, charsMax);
  if (!isJsonObject(first)) return undefined;
  const words = first.content ?? first.parts;
  return (typeof words === "string" ? words : JSON.stringify(words))?.slice(0, charsMax);
}

function isUserTurn(turn: unknown): boolean {
  return isJsonObject(turn) && (turn.role === "user" || turn.role === undefined);
}
