import {
  type CanonicalRequest,
  type CanonicalResponse,
  type Effort,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Note,
  noUsage,
  type Part,
  type Reasoning,
  type ToolCallPart,
  totalInputTokens,
  totalOutputTokens,
  type Turn,
} from "../../lib/canonical/mod.ts";

/** One difference between two values. */
export interface Difference {
  /** Such as `tools[0].strict`. */
  readonly path: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

/** Every difference between the two. */
export function differences(actual: unknown, expected: unknown, path = ""): Difference[] {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const length = Math.max(actual.length, expected.length);
    return Array.from({ length }).flatMap((_, index) =>
      differences(actual[index], expected[index], `${path}[${index}]`)
    );
  }
  if (isJsonObject(actual) && isJsonObject(expected)) {
    const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
    return [...keys].flatMap((key) =>
      differences(actual[key], expected[key], path === "" ? key : `${path}.${key}`)
    );
  }
  return actual === expected ? [] : [{ path, actual, expected }];
}

/**
 * The meaning of a request in any format: without native fields, with adjacent turns of one role
 * joined, and without the parts and tools that `notes` report as left out.
 */
export function meaningOf(request: CanonicalRequest, notes: readonly Note[] = []): JsonValue {
  const dropped = new Set(
    notes.filter(({ action }) => action === "dropped").map(({ path }) => path),
  );
  const turns = request.turns.map(({ role, parts }, at) => ({
    role,
    parts: parts.filter((_, index) => !dropped.has(`turns[${at}].parts[${index}]`)),
  }));
  const { reasoning } = request;
  return withoutSilent(plain({
    ...request,
    tools: request.tools.filter((_, at) => !dropped.has(`tools[${at}]`)),
    turns: merged(turns),
    reasoning: reasoning && weightOf(reasoning),
  }));
}

/** The amount of reasoning: effort, level and budget are different vendors' terms for it. */
function weightOf({ effort, budgetTokens, mode }: Reasoning): string | undefined {
  if (mode === "disabled" || effort === "none" || budgetTokens === 0) return "none";
  if (effort !== undefined) return weights[effort];
  if (budgetTokens === undefined || budgetTokens < 0) return undefined;
  if (budgetTokens <= lightTokensMax) return "light";
  return budgetTokens <= middleTokensMax ? "middle" : "heavy";
}

const weights = {
  none: "none",
  minimal: "light",
  low: "light",
  medium: "middle",
  high: "heavy",
  xhigh: "heavy",
  max: "heavy",
} as const satisfies Record<Effort, string>;
/** A tenth and a third of the output limit of the recorded models. */
const lightTokensMax = 7_000;
const middleTokensMax = 20_000;

/** True if a note covers the path or its parent; a schema's note covers its siblings, too. */
export function isNoted(path: string, notes: readonly Note[]): boolean {
  return notes.some((note) => {
    if (path.startsWith(note.path) || note.path.startsWith(path)) return true;
    const inSchema = /\.(parameters|schema)\b/.test(note.path);
    return inSchema && parentOf(note.path) === parentOf(path);
  });
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("."));
}

function merged(turns: readonly Turn[]): Turn[] {
  const together: Turn[] = [];
  for (const turn of turns.filter(({ parts }) => parts.length > 0)) {
    const last = together.at(-1);
    if (last?.role === turn.role) {
      together[together.length - 1] = { ...last, parts: ordered([...last.parts, ...turn.parts]) };
    } else together.push({ ...turn, parts: ordered(turn.parts) });
  }
  return together;
}

/** Results come first in a turn; the order of the rest has meaning. */
function ordered(parts: readonly Part[]): Part[] {
  const isResult = ({ type }: Part) => type === "tool-result";
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}

/** Members that a format keeps for itself or that do not change the request. */
const silent = new Set(["ownSettings", "native", "spelling", "model", "stream", "streamOptions"]);

function withoutSilent(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSilent);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) =>
    !silent.has(key) && !isDerived(key, value)
  );
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, inner === undefined ? inner : withoutSilent(inner)]),
  );
}

/**
 * A result's tool is that of its call, whether or not the wire repeats it; arguments are JSON with
 * any spacing.
 */
function isDerived(key: string, { type }: JsonObject): boolean {
  return type === "tool-result" && key === "name";
}

export function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}

/** The content of an answer for an application, in any format. */
export function essenceOf({ alternatives: [first], usage = noUsage }: CanonicalResponse): unknown {
  const texts = (type: "text" | "reasoning") =>
    first.parts.flatMap((part) => part.type === type ? [part.text] : []).join("");
  return plain({
    text: texts("text"),
    thought: texts("reasoning"),
    calls: first.parts.flatMap((part) => part.type === "tool-call" ? [callOf(part)] : []),
    finishReason: first.finishReason,
    input: totalInputTokens(usage),
    cacheRead: usage.cacheReadTokens,
    output: totalOutputTokens(usage),
    reasoning: usage.reasoningTokens,
  });
}

/** A format without namespaces includes them in the name, and one without free-text tools wraps their text. */
function callOf({ name, arguments: text }: ToolCallPart): unknown {
  const args = text.startsWith("{") || text === "" ? JSON.parse(text || "{}") : { input: text };
  return { name: name.split("__").at(-1), args };
}
