import { digest } from "./digest.ts";
import type { CustomTool, FunctionTool, Tool } from "./request.ts";

interface Named {
  readonly name: string;
  readonly namespace?: string;
}

/**
 * A tool's name as a format without namespaces writes it: the name itself where `pattern` takes it,
 * and otherwise a stable short one. A pure function of the name, so that tools, choice and history agree.
 */
export function wireToolName({ name, namespace }: Named, pattern: RegExp): string {
  const full = namespace === undefined ? name : `${namespace}__${name}`;
  if (pattern.test(full)) return full;
  const short = shortened(full);
  return pattern.test(short) ? short : `_${short}`;
}

/**
 * Finds the tool that a call means among those which the caller declared, whatever name it had to
 * bear on the way. All formats shorten alike, so that the answer's side needs no state; a tool's
 * own name is never another's short one.
 */
export function calledTool(
  tools: readonly Tool[],
): (name: string) => FunctionTool | CustomTool | undefined {
  const callable = tools.filter((tool) => tool.type === "function" || tool.type === "custom");
  const byName = new Map<string, FunctionTool | CustomTool>();
  for (const namesOf of [ownNames, shortNames]) {
    for (const tool of callable) {
      for (const name of namesOf(tool)) if (!byName.has(name)) byName.set(name, tool);
    }
  }
  return (name) => byName.get(name);
}

/** The name that the caller's tool has; a name that no tool bears stays as it is. */
export function callerToolName(tools: readonly Tool[]): (name: string) => string {
  const called = calledTool(tools);
  return (name) => called(name)?.name ?? name;
}

/**
 * The tools with one of each name: vendors refuse a second one. The last declaration counts, at the
 * place of the first: a tool that was to be loaded later is repeated once it is loaded.
 */
export function distinctTools(tools: readonly Tool[]): readonly Tool[] {
  const last = new Map(tools.map((tool) => [nameKey(tool), tool]));
  const seen = new Set<unknown>();
  return tools.flatMap((tool) => {
    const key = nameKey(tool);
    if (seen.has(key)) return [];
    seen.add(key);
    return [last.get(key) ?? tool];
  });
}

/** Hosted tools without a name given by the caller are always distinct. */
function nameKey(tool: Tool): unknown {
  return tool.type === "function" || tool.type === "custom" ? ownNames(tool)[0] : tool;
}

/** Finds the declared tool of a name, as a choice gives it; the name alone where none is declared. */
export function toolNamed(tools: readonly Tool[]): (name: string) => Named {
  const callable = tools.filter((tool) => tool.type === "function" || tool.type === "custom");
  const byName = new Map(callable.toReversed().map((tool) => [tool.name, tool]));
  return (name) => byName.get(name) ?? { name };
}

function ownNames({ name, namespace }: Named): string[] {
  return namespace === undefined ? [name] : [`${namespace}__${name}`];
}

/** Some formats want a letter or `_` at the beginning; some upstreams leave the namespace out. */
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
