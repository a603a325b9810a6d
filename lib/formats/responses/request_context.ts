import { wireToolName } from "../../canonical/mod.ts";
import { toolNamePattern } from "./ids.ts";
import type { Notes } from "./notes.ts";

/** Data shared while one request is encoded. */
export interface RequestContext {
  readonly notes: Notes;
  /** True if the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
}

/** A tool's name on the wire: the same in the tools, the choice and the history. */
export function sentToolName({ name }: { readonly name: string }, { own }: RequestContext): string {
  return own ? name : wireToolName({ name }, toolNamePattern);
}
