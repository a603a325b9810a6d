import { isJsonObject } from "../../canonical/mod.ts";

const charsMax = 2000;

/**
 * The value that the turns of one conversation share: the caller's own cache or session key, else
 * the start of the first user turn. Used to stay on one upstream, never shown or stored.
 */
export function conversationOf(key: unknown, turns: unknown): string | undefined {
  if (typeof key === "string" && key !== "") return key;
  if (typeof turns === "string") return turns.slice(0, charsMax);
  const first = Array.isArray(turns) ? turns.find(isUserTurn) : turns;
  if (!isJsonObject(first)) return undefined;
  const words = first.content ?? first.parts;
  return (typeof words === "string" ? words : JSON.stringify(words))?.slice(0, charsMax);
}

function isUserTurn(turn: unknown): boolean {
  return isJsonObject(turn) && (turn.role === "user" || turn.role === undefined);
}
