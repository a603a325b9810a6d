import type { PlaygroundFormat, SnippetKind } from "./dialects.ts";
import type { ParsedObject } from "./json.ts";
import type { SentRequest } from "./prompt.ts";

/** The input of a code snippet. */
export interface SnippetInput {
  readonly kind: SnippetKind;
  readonly format: PlaygroundFormat;
  /** The base URL of the gateway. */
  readonly origin: string;
  readonly request: SentRequest;
  readonly model: string;
}

/** A placeholder for the secret. */
const key = "YOUR_KEY";

/** A request as code: for the terminal, or with the format's own client library. */
export function snippetOf(snippet: SnippetInput): string {
  return writers[snippet.kind](snippet);
}

const writers = { curl, python, typescript } as const satisfies Record<
  SnippetKind,
  (snippet: SnippetInput) => string
>;

const keyHeaders = {
  "chat-completions": [`Authorization: Bearer ${key}`],
  responses: [`Authorization: Bearer ${key}`],
  messages: [`x-api-key: ${key}`, "anthropic-version: 2023-06-01"],
  "generate-content": [`x-goog-api-key: ${key}`],
} as const satisfies Record<PlaygroundFormat, readonly string[]>;

function curl({ format, origin, request: { path, body } }: SnippetInput): string {
  const headers = [...keyHeaders[format], "Content-Type: application/json"];
  return [
    `curl ${quoted(origin + path)}`,
    ...headers.map((header) => `  -H ${quoted(header)}`),
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const pythonOpenings = {
  "chat-completions": ["from openai import OpenAI", "OpenAI", "/v1"],
  responses: ["from openai import OpenAI", "OpenAI", "/v1"],
  messages: ["from anthropic import Anthropic", "Anthropic", ""],
} as const;

const methods = {
  "chat-completions": "chat.completions.create",
  responses: "responses.create",
  messages: "messages.create",
} as const;

function python({ format, origin, request, model }: SnippetInput): string {
  const show = isStream(request) ? "for event in answer:\n    print(event)" : "print(answer)";
  if (format === "generate-content") {
    const { method, fields } = genaiCall(request, model);
    const name = method === "generateContent" ? "generate_content" : "generate_content_stream";
    return [
      "from google import genai\n",
      `client = genai.Client(api_key="${key}", http_options={"base_url": "${origin}"})`,
      `answer = client.models.${name}(\n${keywords(fields)})`,
      show,
    ].join("\n");
  }
  const [imports, client, base] = pythonOpenings[format];
  return [
    `${imports}\n`,
    `client = ${client}(base_url="${origin}${base}", api_key="${key}")`,
    `answer = client.${methods[format]}(\n${keywords(request.body)})`,
    show,
  ].join("\n");
}

function keywords(fields: ParsedObject): string {
  return Object.entries(fields).map(([name, value]) => `    ${name}=${literal(value, 1)},\n`)
    .join("");
}

/** A value as a Python literal. */
function literal(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  const [inner, outer] = ["    ".repeat(depth + 1), "    ".repeat(depth)];
  const lines = (items: readonly string[], [open, close]: string) =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${outer}${close}`;
  if (Array.isArray(value)) return lines(value.map((item) => literal(item, depth + 1)), "[]");
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value);
  return lines(
    entries.map(([name, item]) => `${JSON.stringify(name)}: ${literal(item, depth + 1)}`),
    "{}",
  );
}

const scriptOpenings = {
  "chat-completions": ['import OpenAI from "openai";', "OpenAI", "/v1"],
  responses: ['import OpenAI from "openai";', "OpenAI", "/v1"],
  messages: ['import Anthropic from "@anthropic-ai/sdk";', "Anthropic", ""],
} as const;

function typescript({ format, origin, request, model }: SnippetInput): string {
  const show = isStream(request)
    ? "for await (const event of answer) console.log(event);"
    : "console.log(answer);";
  if (format === "generate-content") {
    const { method, fields } = genaiCall(request, model);
    return [
      'import { GoogleGenAI } from "@google/genai";\n',
      `const client = new GoogleGenAI({\n  apiKey: "${key}",\n  httpOptions: { baseUrl: "${origin}" },\n});`,
      `const answer = await client.models.${method}(${JSON.stringify(fields, null, 2)});`,
      show,
    ].join("\n");
  }
  const [imports, client, base] = scriptOpenings[format];
  return [
    `${imports}\n`,
    `const client = new ${client}({ baseURL: "${origin}${base}", apiKey: "${key}" });`,
    `const answer = await client.${methods[format]}(${JSON.stringify(request.body, null, 2)});`,
    show,
  ].join("\n");
}

function isStream({ path, body }: SentRequest): boolean {
  return body.stream === true || path.includes(":streamGenerateContent");
}

/** Google's library takes everything except the contents as `config`. */
function genaiCall({ path, body }: SentRequest, model: string) {
  const { contents, generationConfig, ...others } = body;
  const config = { ...(typeof generationConfig === "object" && generationConfig), ...others };
  return {
    method: path.includes(":stream") ? "generateContentStream" : "generateContent",
    fields: { model, contents, ...(Object.keys(config).length > 0 && { config }) },
  };
}
