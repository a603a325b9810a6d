import { wireToolName } from "../../canonical/mod.ts";
import { toolNamePattern } from "./ids.ts";
import type { Notes } from "./notes.ts";

/** What the parts of one request's encoding share. */
export interface RequestContext {
  readonly notes: Notes;
  /** Whether the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
}

/** A tool's name as it goes on the wire: the same in the tools, in the choice and in the history. */
export function sentToolName({ name }: { readonly name: string }, { own }: RequestContext): string {
  return own ? name : wireToolName({ name }, toolNamePattern);
}
