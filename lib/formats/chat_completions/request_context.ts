import { type Part, wireToolName } from "../../canonical/mod.ts";
import type { Dialect } from "../dialect.ts";
import { toolNamePattern } from "./ids.ts";
import type { ModelTraits } from "./models.ts";
import type { Notes } from "./notes.ts";

/** What the parts of one request's encoding share. */
export interface RequestContext {
  readonly notes: Notes;
  /** Whether the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
  readonly traits: ModelTraits;
  /** Of the server that it goes to; absent where that takes all that the format has. */
  readonly dialect?: Dialect;
}

/** A part and where it stands, for notes and errors. */
export interface Placed<P extends Part = Part> {
  readonly part: P;
  readonly path: string;
}

/** A tool's name as it goes on the wire: the same in the tools, in the choice and in the history. */
export function sentToolName(
  tool: { readonly name: string; readonly namespace?: string },
  { own }: RequestContext,
): string {
  return own && tool.namespace === undefined ? tool.name : wireToolName(tool, toolNamePattern);
}
