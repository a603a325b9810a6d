import type { ToolCallIdRule } from "../canonical/mod.ts";

/**
 * What a server takes of a format, where it takes less than the format's own vendor does, or says
 * it otherwise. Plain data; the codec applies it to requests that are converted, and only to those.
 * Members are named as on the wire.
 */
export interface Dialect {
  /** The only top-level members of a request that it takes; absent where it passes over what it does not know. */
  readonly knows?: readonly string[];
  /** Top-level members that it refuses though the format has them. */
  readonly refuses?: readonly string[];
  /** Top-level members that it knows by another name. */
  readonly renames?: Readonly<Record<string, string>>;
  /** False where an answer can be bound to JSON, but not to a schema. */
  readonly outputSchemas?: false;
  /** False where tools of free text are refused. */
  readonly customTools?: false;
  /** False where content that marks a cache breakpoint is refused. */
  readonly cacheBreakpoints?: false;
  /** False where the gateway sets no cache breakpoints of its own for callers who set none. */
  readonly automaticCaching?: false;
  /** What it takes as the id of a tool call, where that is less than the format's vendor takes. */
  readonly callIds?: ToolCallIdRule;
}

/** Whether a request may have a top-level member. */
export function takesMember(dialect: Dialect | undefined, name: string): boolean {
  return !dialect?.refuses?.includes(name) && (dialect?.knows?.includes(name) ?? true);
}
