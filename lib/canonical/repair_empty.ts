import type { Part } from "./content.ts";
import type { Turn } from "./request.ts";

/** The turns without parts that say nothing, and without turns that had no others. No note: no word is lost. */
export function withoutEmptyParts(turns: readonly Turn[]): readonly Turn[] {
  return turns.flatMap((turn) => {
    const parts = keptParts(turn.parts);
    const isSaying = parts.length > 0 || turn.change !== undefined;
    if (parts.length === turn.parts.length && isSaying) return [turn];
    return isSaying ? [{ ...turn, parts }] : [];
  });
}

function keptParts(parts: readonly Part[]): readonly Part[] {
  const kept: Part[] = [];
  for (const part of parts) {
    if (!isEmpty(part)) kept.push(part);
    else passCacheMark(part, kept);
  }
  return kept;
}

/** Without characters a part may still bear a proof, and a thought its vendor's id: that is then its content. */
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

/** A cache breakpoint on an empty part stands after the part before it. */
function passCacheMark({ cache }: Part, kept: Part[]): void {
  const last = kept.pop();
  if (last) kept.push(cache && !last.cache ? { ...last, cache } : last);
}
