import { type CanonicalRequest, wireToolName } from "../../canonical/mod.ts";
import { toolNamePattern } from "./ids.ts";
import { type ModelTraits, traitsOf } from "./models.ts";
import { ownFields } from "./native.ts";
import { Notes } from "./notes.ts";

/** Data shared while one request is encoded. */
export interface RequestContext {
  readonly notes: Notes;
  /** True if the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
  readonly traits: ModelTraits;
  /** Call id → the tool's wire name: results of other formats do not name their tool. */
  readonly calledNames: ReadonlyMap<string, string>;
}

export function contextOf(request: CanonicalRequest, notes = new Notes()): RequestContext {
  const parts = request.turns.flatMap((turn) => turn.parts);
  return {
    notes,
    own: ownFields(request) !== undefined,
    traits: traitsOf(request.model),
    calledNames: new Map(
      parts.flatMap((part) => part.type === "tool-call" ? [[part.id, sentToolName(part)]] : []),
    ),
  };
}

/** A tool's name on the wire: the same in the tools, the choice and the history. */
export function sentToolName(tool: { readonly name: string; readonly namespace?: string }): string {
  return wireToolName(tool, toolNamePattern);
}
