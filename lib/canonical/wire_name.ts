import { createHash } from "node:crypto";
import type { CustomTool, FunctionTool, Tool } from "./tool.ts";

interface Named {
  readonly name: string;
  readonly namespace?: string;
}

type Callable = FunctionTool | CustomTool;

/**
 * A tool's name for a format without namespaces: the name itself if `pattern` accepts it, else a
 * stable short one. A pure function of the name, so that tools, choice and history match.
 */
export function wireToolName({ name, namespace }: Named, pattern: RegExp): string {
  const full = namespace === undefined ? name : `${namespace}__${name}`;
  if (pattern.test(full)) return full;
  const short = shortened(full);
  return pattern.test(short) ? short : `_${short}`;
}

/**
 * Finds the caller's tool by the name in a call: the tool's own name or its shortened form. All
 * formats shorten names in the same way, so decoding an answer needs no state. A tool's own name has
 * precedence over another tool's shortened one.
 */
export function calledTool(
  tools: readonly Tool[],
): (name: string) => Callable | undefined {
  const callable = tools.filter((tool) => tool.type === "function" || tool.type === "custom");
  const byOwnName = firstByName(callable, ownNames);
  let byShortName: ReadonlyMap<string, Callable> | undefined;
  return (name) => {
    const own = byOwnName.get(name);
    if (own) return own;
    byShortName ??= firstByName(callable, shortNames); // only on demand: each name costs a hash
    return byShortName.get(name);
  };
}

function firstByName(
  tools: readonly Callable[],
  namesOf: (tool: Named) => readonly string[],
): ReadonlyMap<string, Callable> {
  const byName = new Map<string, Callable>();
  for (const tool of tools) {
    for (const name of namesOf(tool)) if (!byName.has(name)) byName.set(name, tool);
  }
  return byName;
}

/** Returns the caller's name of a tool; an unknown name stays unchanged. */
export function callerToolName(tools: readonly Tool[]): (name: string) => string {
  if (tools.length === 0) return (name) => name;
  const called = calledTool(tools);
  return (name) => called(name)?.name ?? name;
}

/**
 * Keeps one tool of each name: vendors refuse a second one. The last declaration counts, at the
 * position of the first: a deferred tool is repeated once it is loaded.
 */
export function distinctTools(tools: readonly Tool[]): readonly Tool[] {
  if (tools.length < 2) return tools;
  const last = new Map(tools.map((tool) => [nameKey(tool), tool]));
  const seen = new Set<unknown>();
  return tools.flatMap((tool) => {
    const key = nameKey(tool);
    if (seen.has(key)) return [];
    seen.add(key);
    return [last.get(key) ?? tool];
  });
}

/** Hosted tools without a caller's name are always distinct. */
function nameKey(tool: Tool): unknown {
  return tool.type === "function" || tool.type === "custom" ? ownNames(tool)[0] : tool;
}

/** Finds the declared tool of a name in a tool choice; the name alone if none is declared. */
export function toolNamed(tools: readonly Tool[]): (name: string) => Named {
  const callable = tools.filter((tool) => tool.type === "function" || tool.type === "custom");
  const byName = new Map(callable.toReversed().map((tool) => [tool.name, tool]));
  return (name) => byName.get(name) ?? { name };
}

function ownNames({ name, namespace }: Named): string[] {
  return namespace === undefined ? [name] : [`${namespace}__${name}`];
}

/** Some formats require a letter or `_` first; some upstreams drop the namespace. */
function shortNames({ name, namespace }: Named): string[] {
  const full = namespace === undefined ? name : `${namespace}__${name}`;
  const short = shortened(full);
  return [short, `_${short}`, name];
}

const keptChars = 55;
const hashChars = 8;

function shortened(name: string): string {
  const kept = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, keptChars);
  return `${kept}_${digest(name).slice(0, hashChars)}`;
}

/** The tool call ids that a format accepts. */
export interface ToolCallIdRule {
  readonly pattern: RegExp;
  readonly charsMax: number;
  /** The prefix of a replacement id, such as `call_` or `toolu_`. */
  readonly prefix: string;
  /** Characters of the hash after the prefix; default: 24. */
  readonly hashChars?: number;
}

/**
 * Returns the id if the target accepts it, else a stable hash: a pure function of the id, so that a
 * call and its result match, and equal histories stay equal, without state.
 */
export function safeToolCallId(
  id: string,
  { pattern, charsMax, prefix, hashChars = 24 }: ToolCallIdRule,
): string {
  if (id.length > 0 && id.length <= charsMax && pattern.test(id)) return id;
  return prefix + digest(id).slice(0, hashChars);
}

/** SHA-256 of a text in hexadecimal, for stable ids and short names. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
