import { wireToolName } from "../../canonical/mod.ts";
import type { Dialect } from "../dialect.ts";
import type { CacheMarks } from "./cache.ts";
import type { ModelTraits } from "./models.ts";
import { toolNamePattern } from "./ids.ts";
import type { Notes } from "./notes.ts";

/** What the parts of one request's encoding share. */
export interface RequestContext {
  readonly notes: Notes;
  /** Whether the request was written in this format: then nothing of it is changed. */
  readonly own: boolean;
  readonly traits: ModelTraits;
  readonly dialect?: Dialect;
  /** The cache marks that are written; the vendor takes only a few. */
  readonly cacheMarks: CacheMarks;
  /** True if breakpoints are set for a caller who set none. */
  readonly automaticCaching: boolean;
}

/** A tool's name as it goes on the wire: the same in the tools, in the choice and in the history. */
export function sentToolName(
  tool: { readonly name: string; readonly namespace?: string },
  { own }: RequestContext,
): string {
  return own ? tool.name : wireToolName(tool, toolNamePattern);
}
