import { type Part, wireToolName } from "../../canonical/mod.ts";
import type { Dialect } from "../codec.ts";
import type { ModelTraits } from "../request/settings.ts";
import type { Notes } from "./notes.ts";

/** Data shared while one request is encoded. */
export interface RequestContext {
  readonly notes: Notes;
  /** True if the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
  readonly traits: ModelTraits;
  /** The server's dialect; absent if it accepts the whole format. */
  readonly dialect?: Dialect;
}

/** A part with its path, for notes and errors. */
export interface PlacedPart<P extends Part = Part> {
  readonly part: P;
  readonly path: string;
}

/** Tool names that the vendor accepts. */
export const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** A tool's name on the wire: the same in the tools, the choice and the history. */
export function sentToolName(
  tool: { readonly name: string; readonly namespace?: string },
  { own }: RequestContext,
): string {
  return own && tool.namespace === undefined ? tool.name : wireToolName(tool, toolNamePattern);
}
