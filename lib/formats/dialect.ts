import type { ToolCallIdRule } from "../canonical/mod.ts";

/**
 * The differences between a server and the format of its vendor. Plain data; the codec applies it
 * to converted requests only. Members are named as on the wire.
 */
export interface Dialect {
  /** The only top-level members that it accepts; absent if it ignores unknown ones. */
  readonly knows?: readonly string[];
  /** Top-level members of the format that it refuses. */
  readonly refuses?: readonly string[];
  /** Top-level members that have another name. */
  readonly renames?: Readonly<Record<string, string>>;
  /** False if an answer can be limited to JSON, but not to a schema. */
  readonly outputSchemas?: false;
  /** False if free-text tools are refused. */
  readonly customTools?: false;
  /** False if cache breakpoints are refused. */
  readonly cacheBreakpoints?: false;
  /** False if the gateway must not set cache breakpoints for callers that set none. */
  readonly automaticCaching?: false;
  /** Ids of tool calls that it accepts, if it accepts fewer than the format's vendor. */
  readonly callIds?: ToolCallIdRule;
}

/** Returns true if a request may have a top-level member. */
export function takesMember(dialect: Dialect | undefined, name: string): boolean {
  return !dialect?.refuses?.includes(name) && (dialect?.knows?.includes(name) ?? true);
}
