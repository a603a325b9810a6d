import { isJsonObject, type JsonValue } from "../../canonical/mod.ts";
import type { PromptParts } from "../codec.ts";

/** The parts of a prompt whose instructions are its first turns. */
export function partsOf(
  tools: readonly JsonValue[],
  turns: readonly JsonValue[],
  instructions: readonly (JsonValue | undefined)[] = [],
): PromptParts {
  const end = turns.findIndex((turn) => !isInstruction(turn));
  const leading = end < 0 ? turns : turns.slice(0, end);
  const system = [...instructions, ...leading].filter((part) => part !== undefined);
  return { tools, system, turns };
}

function isInstruction(turn: JsonValue): boolean {
  return isJsonObject(turn) && (turn.role === "system" || turn.role === "developer");
}
