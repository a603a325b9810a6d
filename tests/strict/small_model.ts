import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/canonical/mod.ts";
import type { Counts } from "./vendor.ts";

/** What the small model sees of a request, whatever format it came in. */
export interface Prompt {
  /** The last words of the user. */
  readonly text: string;
  /** The results that the last turn brings, in order. */
  readonly results: readonly ToolResult[];
  /** The kinds of media in the last turn, such as `image/png`. */
  readonly media: readonly string[];
  /** The schema of the answer, `true` for any JSON. */
  readonly schema?: JsonObject | true;
  readonly thinks: boolean;
  readonly tools: readonly OfferedTool[];
  /** How many results of calls the whole history holds. */
  readonly answered: number;
  /** Whether the caller forbids calls at once. */
  readonly oneAtATime?: boolean;
  /** The tool that must be called, `true` for any of them, `false` for none. */
  readonly forced?: string | boolean;
}

export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  /** Whether it is called with a text of any form instead of JSON arguments. */
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
  /** What a tool that takes a text is called with instead. */
  readonly input?: string;
}

/** What the small model says. */
export interface Reply {
  readonly thought?: string;
  readonly text?: string;
  readonly calls: readonly ToolCall[];
  /** The status to fail with. */
  readonly fail?: number;
  /** Whether it falls silent midway. */
  readonly hangs: boolean;
  /** Whether its connection breaks midway. */
  readonly breaks?: boolean;
  /** The tool that the vendor's own server ran first. */
  readonly hosted?: HostedTool;
  /** Whether it draws `drawnPng`, where its vendor gives pictures. */
  readonly draws?: boolean;
  /** Whether it asks to call `approval`, where its vendor calls MCP servers. */
  readonly asksApproval?: boolean;
  /** Whether the opening event of its stream has all content, where its vendor's has a place for it. */
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

/** The deterministic answer: an echo, the calls that the user names, or what the tools told. `voice` tells one vendor's thoughts from another's. */
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

/** A word alone on a line asks for a use of the vendor's own means. */
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

const charsPerToken = 4;
/** A prompt that is cached is served from there by so much, and stored by so much. */
const cachedTokens = 64;
const storedTokens = 16;

/** What the call costs: deterministic, and with something in every bucket that the vendor states. */
export function countsOf(
  said: Reply,
  bodyChars: number,
  { writes, caches }: { readonly writes: boolean; readonly caches: boolean },
): Counts {
  const visible = (said.text ?? "").length + JSON.stringify(said.calls).length;
  return {
    input: Math.ceil(bodyChars / charsPerToken),
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
