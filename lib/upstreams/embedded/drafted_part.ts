import type { PartPatch, ReasoningPart, TextPart, ToolCallPart } from "../../canonical/mod.ts";

/** A part before it is spoken: as it opens, what it grows by, and what is known at its end. */
export interface Draft {
  readonly part: TextPart | ReasoningPart | ToolCallPart;
  readonly text: string;
  readonly patch?: PartPatch;
}
