import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/canonical/mod.ts";

/** The small model's view of a request of any format. */
export interface Prompt {
  /** The user's last text. */
  readonly text: string;
  /** The tool results of the last turn, in order. */
  readonly results: readonly ToolResult[];
  /** The kinds of media in the last turn, such as `image/png`. */
  readonly media: readonly string[];
  /** The schema of the answer, `true` for any JSON. */
  readonly schema?: JsonObject | true;
  readonly thinks: boolean;
  readonly tools: readonly OfferedTool[];
  /** The number of tool results in the whole history. */
  readonly answered: number;
  /** True if the caller forbids parallel calls. */
  readonly oneAtATime?: boolean;
  /** The tool that must be called, `true` for any of them, `false` for none. */
  readonly forced?: string | boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  /** True if it takes free text instead of JSON arguments. */
  readonly takesText?: boolean;
}

export interface ToolResult {
  readonly name: string;
  readonly text: string;
  readonly media: number;
}

export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly args: JsonObject;
  /** The argument of a tool that takes free text. */
  readonly input?: string;
}

/** An answer of the small model. */
export interface Reply {
  readonly thought?: string;
  readonly text?: string;
  readonly calls: readonly ToolCall[];
  /** The status to fail with. */
  readonly fail?: number;
  /** The prompt tokens that it states instead of those of its prompt. */
  readonly inputTokens?: number;
  /** True if it stalls midway. */
  readonly hangs: boolean;
  /** True if its connection breaks midway. */
  readonly breaks?: boolean;
  /** The tool that the vendor's own server ran first. */
  readonly hosted?: HostedTool;
  /** True if it draws `drawnPng`, for vendors that return images. */
  readonly draws?: boolean;
  /** True if it requests approval of a call, for vendors that call MCP servers. */
  readonly asksApproval?: boolean;
  /** True if the stream's first event has all content, for vendors whose event can hold it. */
  readonly early?: boolean;
}

export type HostedTool = "web-search" | "code-execution";

/** The page that a hosted search finds, which the text then cites. */
export const foundPage = { url: "https://weather.example/oslo", title: "Weather in Oslo" };
/** The program that a hosted interpreter runs. */
export const ranCode = { code: "print(42 * 42)", output: "1764\n" };
export const drawnPng =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const approval = { server: "tickets", name: "close_ticket", args: { ticket: 7 } };

/**
 * The deterministic answer: an echo, the calls that the user names, or the tools' results. `voice`
 * distinguishes the vendors' thoughts.
 */
export function reply(prompt: Prompt, voice: string): Reply {
  const status = /^fail (\d{3})$/m.exec(prompt.text)?.[1];
  const hangs = prompt.results.length === 0 && /^hang$/m.test(prompt.text);
  const base = {
    hangs,
    ...usesOf(prompt),
    ...(prompt.thinks && { thought: `${voice} thinks about: ${prompt.text.slice(0, 80)}` }),
    ...(status !== undefined && { fail: Number(status) }),
  };
  if (prompt.results.length > 0) return { ...base, calls: [], text: cited(prompt.results) };
  const calls = callsOf(prompt);
  if (calls.length > 0) return { ...base, calls, text: "Calling." };
  return { ...base, calls, text: prompt.schema ? jsonAnswer(prompt.schema) : echo(prompt) };
}

/** Keywords that, alone on a line of the prompt, request a special behavior. */
const uses: Readonly<Record<string, Partial<Reply>>> = {
  search: { hosted: "web-search" },
  compute: { hosted: "code-execution" },
  draw: { draws: true },
  approve: { asksApproval: true },
  break: { breaks: true },
  early: { early: true },
};

function usesOf({ text, results }: Prompt): Partial<Reply> {
  if (results.length > 0) return {};
  return Object.assign({}, ...text.split("\n").map((line) => uses[line] ?? {}));
}

function echo({ text, media }: Prompt): string {
  const seen = media.map((kind) => ` [saw ${kind}]`).join("");
  return `You said: ${text}${seen} — that is all, café ☕.`;
}

function cited(results: readonly ToolResult[]): string {
  const told = results.map(({ name, text, media }) =>
    `${name} told "${text}"${media > 0 ? ` and showed ${media}` : ""}`
  );
  return `${told.join("; ")}.`;
}

function callsOf({ text, tools, forced }: Prompt): ToolCall[] {
  if (forced === false || tools.length === 0) return [];
  const asked = [...text.matchAll(/^call (\S+) (\{.*\})$/gm)].flatMap(([, name, args]) => {
    const value = jsonOf(args);
    return tools.some((tool) => tool.name === name) && value ? [{ name, args: value }] : [];
  });
  if (asked.length > 0 || forced === undefined) return asked;
  return [{ name: typeof forced === "string" ? forced : tools[0].name, args: {} }];
}

function jsonOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function jsonAnswer(schema: JsonObject | true): string {
  return JSON.stringify(schema === true ? { answer: "yes" } : instanceOf(schema));
}

/** A small value that a plain schema allows. */
function instanceOf(schema: JsonObject): JsonValue {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = String(Array.isArray(schema.type) ? schema.type[0] : schema.type).toLowerCase();
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(isJsonObject(schema.properties) ? schema.properties : {})
          .map(([name, inner]) => [name, isJsonObject(inner) ? instanceOf(inner) : ""]),
      );
    case "array":
      return isJsonObject(schema.items) ? [instanceOf(schema.items)] : [];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "sample";
  }
}

/** A call's usage as the fake counts it; buckets are disjoint. */
export interface Counts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

const charsPerToken = 4;
/** Tokens of a cached prompt read from the cache, and written to it. */
const cachedTokens = 64;
const storedTokens = 16;

/** The call's usage: deterministic, and not zero in any bucket that the vendor states. */
export function countsOf(
  said: Reply,
  bodyChars: number,
  { writes, caches }: { readonly writes: boolean; readonly caches: boolean },
): Counts {
  const visible = (said.text ?? "").length + JSON.stringify(said.calls).length;
  return {
    input: said.inputTokens ?? Math.ceil(bodyChars / charsPerToken),
    cacheRead: caches ? cachedTokens : 0,
    cacheWrite: caches && writes ? storedTokens : 0,
    output: Math.ceil(visible / charsPerToken),
    reasoning: Math.ceil((said.thought ?? "").length / charsPerToken),
  };
}

const piecesMax = 4;

/** A text in a few pieces that never split a character. */
export function piecesOf(text: string): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / piecesMax));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) {
    pieces.push(characters.slice(at, at + size).join(""));
  }
  return pieces;
}
