import type { PartPatch, ReasoningPart, TextPart, ToolCallPart } from "../../canonical/mod.ts";

/** A part before it is streamed: its start, its text and its final patch. */
export interface Draft {
  readonly part: TextPart | ReasoningPart | ToolCallPart;
  readonly text: string;
  readonly patch?: PartPatch;
}
