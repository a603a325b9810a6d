import type { Part, TextPart } from "../content.ts";
import type { Note } from "../note.ts";
import type { Turn } from "../request.ts";
import { repairNote } from "./notes.ts";

/** Text for an empty user turn, if a vendor requires one: the model continues the conversation. */
export const continueText: TextPart = { type: "text", text: "(continue)" };

/**
 * Ends the prompt with a short user text if its last message had no content: otherwise the prompt
 * would be empty, or end in the model's own turn.
 */
export function withLastWord(
  kept: readonly Turn[],
  turns: readonly Turn[],
  notes: Note[],
): readonly Turn[] {
  const last = turns.at(-1);
  const isEmptied = last !== undefined && !last.parts.some((part) => !isEmpty(part));
  const isOpen = kept.length === 0 || (last?.role === "user" && kept.at(-1)?.role === "assistant");
  if (!isEmptied || !isOpen) return kept;
  notes.push(repairNote("promptEmpty", turns.length - 1));
  return [...kept, { role: "user", parts: [continueText] }];
}

/** Drops empty parts, and turns without any other part. No note: no content is lost. */
export function withoutEmptyParts(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some(hasEmptyPart)) return turns;
  return turns.flatMap((turn) => {
    const parts = keptParts(turn.parts);
    const isSaying = parts.length > 0 || turn.change !== undefined;
    if (parts.length === turn.parts.length && isSaying) return [turn];
    return isSaying ? [{ ...turn, parts }] : [];
  });
}

/** Returns true for a turn without parts, too. */
export function hasEmptyPart({ parts }: Turn): boolean {
  return parts.length === 0 || parts.some(isEmpty);
}

function keptParts(parts: readonly Part[]): readonly Part[] {
  const kept: Part[] = [];
  for (const part of parts) {
    if (!isEmpty(part)) kept.push(part);
    else passCacheMark(part, kept);
  }
  return kept;
}

/**
 * Returns true for a part without text, unless it has a continuation or is reasoning with its
 * vendor's id.
 */
function isEmpty(part: Part): boolean {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" && part.continuation === undefined;
    case "reasoning":
      return part.text === "" && part.continuation === undefined && part.native === undefined;
    default:
      return false;
  }
}

/** A cache breakpoint on an empty part moves to the part before it. */
function passCacheMark({ cache }: Part, kept: Part[]): void {
  const last = kept.pop();
  if (last) kept.push(cache && !last.cache ? { ...last, cache } : last);
}
