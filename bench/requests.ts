import { encodeAtOnce } from "../lib/formats/codec.ts";
import { codecs } from "../lib/formats/mod.ts";
import type { Format } from "./formats.ts";
import type { LoadOrder } from "./processes/load.ts";
import type { Shape } from "./shapes.ts";

/** The keys that the gateway knows. The full one has a budget and limits. */
export const keyValues = {
  full: "sk-bench-full-0123456789",
  plain: "sk-bench-plain-0123456789",
} as const;

/** The model that only the upstream of this format serves. */
export function modelFor(format: Format): string {
  return `bench-${format}`;
}

/** Replaces the shape's own key or model, and adds headers. */
export interface Names {
  readonly key?: string;
  readonly model?: string;
  /** Lines such as `x-name: value`. */
  readonly headers?: readonly string[];
}

/** The prepared request of a shape, with the headers and the compression that SDKs send. */
export function requestOf(
  shape: Shape,
  {
    key = keyValues[shape.plainKey ? "plain" : "full"],
    model = modelFor(shape.to),
    headers = [],
  }: Names = {},
): Pick<LoadOrder, "request" | "ending"> {
  const isStreamed = shape.answer !== "whole";
  const call = { ...shape, isStreamed, model };
  const body = shape.prompt ? encodedBody(call, shape.prompt) : bodyOf[shape.from](call);
  const text = JSON.stringify(body);
  const lines = [
    `POST ${pathOf(call)} HTTP/1.1`,
    "host: 127.0.0.1",
    "accept: application/json",
    "content-type: application/json",
    "user-agent: OpenAI/JS 7.57.0",
    "x-stainless-lang: js",
    "x-stainless-package-version: 7.57.0",
    "x-stainless-os: Linux",
    "x-stainless-arch: x64",
    "x-stainless-runtime: node",
    "x-stainless-runtime-version: v24.11.0",
    "x-stainless-retry-count: 0",
    credentialOf(shape.from, key),
    "accept-language: *",
    "accept-encoding: gzip, deflate, br",
    ...headers,
    `content-length: ${new TextEncoder().encode(text).length}`,
  ];
  const ending = isStreamed ? streamEnding[shape.from] : "sage"; // "usage" or "usageMetadata"
  return { request: `${lines.join("\r\n")}\r\n\r\n${text}`, ending };
}

/** A text in the last event of each format's complete stream. */
const streamEnding: Readonly<Record<Format, string>> = {
  "chat-completions": "[DONE]",
  messages: "message_stop",
  responses: '"total_tokens"',
  "generate-content": '"STOP"',
};

function credentialOf(format: Format, key: string): string {
  if (format === "messages") return `x-api-key: ${key}\r\nanthropic-version: 2023-06-01`;
  if (format === "generate-content") return `x-goog-api-key: ${key}`;
  return `authorization: Bearer ${key}`;
}

interface Call extends Shape {
  readonly isStreamed: boolean;
  readonly model: string;
}

function pathOf({ from, model, isStreamed }: Call): string {
  const verb = isStreamed ? "streamGenerateContent?alt=sse" : "generateContent";
  return from === "generate-content" ? `/v1beta/models/${model}:${verb}` : paths[from];
}

const paths = {
  "chat-completions": "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
} as const;

/** A conversation in short turns. */
const bodyOf: Readonly<Record<Format, (call: Call) => unknown>> = {
  "chat-completions": ({ model, isStreamed, ...call }) => ({
    model,
    messages: turns(call, "assistant"),
    temperature: 0.7,
    max_tokens: 1_000,
    ...isStreamed && { stream: true, stream_options: { include_usage: true } },
  }),
  messages: ({ model, isStreamed, ...call }) => ({
    model,
    max_tokens: 1_000,
    messages: turns(call, "assistant"),
    ...isStreamed && { stream: true },
  }),
  responses: ({ model, isStreamed, stored = false, ...call }) => ({
    model,
    input: turns(call, "assistant"),
    max_output_tokens: 1_000,
    store: stored,
    ...isStreamed && { stream: true },
  }),
  "generate-content": (call) => ({
    contents: turns(call, "model").map(({ role, content }) => ({
      role,
      parts: [{ text: content }],
    })),
    generationConfig: { maxOutputTokens: 1_000 },
  }),
};

/** A request with a picture in the form of Anthropic's Messages API. */
function pictureRequest(bytes: number) {
  const source = { type: "base64", media_type: "image/png", data: "iVBORw0K".repeat(bytes / 8) };
  const content = [{ type: "image", source }, { type: "text", text: "What does it show?" }];
  return { max_tokens: 1_000, messages: [{ role: "user", content }] };
}

const promptRequests = { agent: agentRequest, picture: pictureRequest };

/** A request in the form of Anthropic's Messages API, encoded in the shape's format. */
function encodedBody(
  { from, bodyBytes, model, isStreamed }: Call,
  prompt: NonNullable<Shape["prompt"]>,
) {
  const request = promptRequests[prompt](bodyBytes);
  const body = { model, ...request, ...isStreamed && { stream: true } };
  if (from === "messages") return body;
  const wire = {
    path: "/v1/messages",
    search: {},
    headers: {},
    body: JSON.parse(JSON.stringify(body)),
  };
  return encodeAtOnce(codecs[from], codecs.messages.decodeRequest(wire)).wire.body;
}

const content = 'Please refactor this function, keep "quotes" and\nnew lines: let x = a[i] + 1;';
/** About as many bytes. */
const chineseContent = '请重构这个函数，保留"引号"和\n换行符：let x = a[i] + 1；';
const turnBytes = 120;
const turnsMax = 2_000;

/** A conversation of about this size; a very large one has longer turns instead of more. */
function turns(
  { bodyBytes: bytes, isChinese }: Pick<Shape, "bodyBytes" | "isChinese">,
  assistant: string,
) {
  const count = Math.max(1, Math.min(turnsMax, Math.floor((bytes - 150) / turnBytes)));
  const repeats = Math.max(1, Math.floor(bytes / count / turnBytes));
  return Array.from({ length: count | 1 }, (_, at) => ({ // odd, so that the user has the last turn
    role: at % 2 === 0 ? "user" : assistant,
    content: (isChinese ? chineseContent : content).repeat(repeats),
  }));
}

/**
 * A request as coding agents send it (messages): tools with schemas, a long system prompt, cache
 * breakpoints, and turns that call a tool and quote the file that it read. About `bytes` long, but
 * at least about 50 KB: its tools and its system prompt.
 */
function agentRequest(bytes: number): Record<string, unknown> {
  const fixed = { max_tokens: 1_000, temperature: 1, system, tools };
  const turns = turnsOf(bytes - JSON.stringify(fixed).length);
  return { ...fixed, messages: [{ role: "user", content: "Fix the failing test" }, ...turns] };
}

const cached = { cache_control: { type: "ephemeral" } };
const sentence =
  "You are an interactive tool that helps users with their software, images and URLs. ";
const system = [
  { type: "text", text: "You are a coding agent.", ...cached },
  { type: "text", text: sentence.repeat(150), ...cached },
];

const toolsCount = 18;
const tools = Array.from({ length: toolsCount }, (_, at) => ({
  name: `tool_${at}`,
  description: "Runs a command in a shell, with a time limit and optional audio. ".repeat(15 + at),
  input_schema: {
    type: "object",
    properties: {
      path: {
        type: "string",
        description: "The absolute path of the file, and not a relative one",
      },
      url: { type: "string", description: "Where to fetch it from" },
      limit: { type: "number", description: "The most lines to return" },
    },
    required: ["path"],
    additionalProperties: false,
    $schema: "http://json-schema.org/draft-07/schema#",
  },
}));

/** Two turns for each tool's use, with files of 1 to 8 KB. */
function turnsOf(bytes: number): unknown[] {
  const turns: unknown[] = [];
  for (let use = 0, length = 0; length < bytes; use++) {
    const id = `toolu_${String(use).padStart(20, "0")}`;
    const pair = [toolUse(id, use), toolResult(id, 1_000 + use * 997 % 7_000)];
    turns.push(...pair);
    length += JSON.stringify(pair).length;
  }
  return turns;
}

function toolUse(id: string, use: number) {
  const input = { path: `/src/file_${use}.ts` };
  const text = { type: "text", text: "Let me read the file." };
  return { role: "assistant", content: [text, { type: "tool_use", id, name: "tool_1", input }] };
}

function toolResult(id: string, bytes: number) {
  const content = [{ type: "tool_result", tool_use_id: id, content: file(bytes) }];
  return { role: "user", content };
}

function file(bytes: number): string {
  let text = "";
  for (let line = 1; text.length < bytes; line++) {
    text +=
      `${line}\texport function handle${line}(request: Request, image?: "a" | 'b'): void {}\n`;
  }
  return text;
}
