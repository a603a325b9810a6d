import { wireToolName } from "../../canonical/mod.ts";
import type { Dialect } from "../codec.ts";
import type { CacheContext } from "./cache.ts";
import { toolNamePattern } from "./ids.ts";
import type { ModelTraits } from "./models.ts";

/** Data shared while one request is encoded. */
export interface RequestContext extends CacheContext {
  readonly traits: ModelTraits;
  readonly dialect?: Dialect;
}

/** A tool's name on the wire: the same in the tools, the choice and the history. */
export function sentToolName(
  tool: { readonly name: string; readonly namespace?: string },
  { own }: RequestContext,
): string {
  return own ? tool.name : wireToolName(tool, toolNamePattern);
}
