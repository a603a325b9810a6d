import { curlSnippet, keyPlaceholder, shellQuoted } from "./client_snippets.ts";

/** What a client is told: where the gateway is and which model it asks for. */
export interface ClientSetting {
  readonly origin: string;
  readonly model: string;
}

/** One client and how it is set up. */
export interface Client {
  readonly name: string;
  /** The file that the snippet goes to; absent for a terminal or a program. */
  readonly file?: string;
  /** Where the client is not set up by a text but by hand: what to enter stands in the snippet. */
  readonly byHand?: true;
  readonly snippet: (setting: ClientSetting) => string;
}

/** Python, TypeScript, TOML and JSON all read a text as JSON writes it. */
const text = JSON.stringify;
const key = text(keyPlaceholder);

/**
 * The clients by what the address calls them. The base URL of each is that of its kind: clients of
 * chat completions and Responses append their route to `/v1`, those of Messages and of generate
 * content append version and route to the bare address.
 */
export const clients = {
  curl: {
    name: "curl",
    snippet: ({ origin, model }) => curlSnippet(origin, "chat-completions", { model }),
  },
  "openai-python": {
    name: "OpenAI SDK, Python",
    snippet: ({ origin, model }) =>
      `from openai import OpenAI

client = OpenAI(base_url=${text(`${origin}/v1`)}, api_key=${key})
answer = client.chat.completions.create(
    model=${text(model)},
    messages=[{"role": "user", "content": "hello"}],
)
print(answer.choices[0].message.content)`,
  },
  "openai-typescript": {
    name: "OpenAI SDK, TypeScript",
    snippet: ({ origin, model }) =>
      `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${text(`${origin}/v1`)}, apiKey: ${key} });
const answer = await client.responses.create({ model: ${text(model)}, input: "hello" });
console.log(answer.output_text);`,
  },
  "anthropic-python": {
    name: "Anthropic SDK, Python",
    snippet: ({ origin, model }) =>
      `from anthropic import Anthropic

client = Anthropic(base_url=${text(origin)}, api_key=${key})
answer = client.messages.create(
    model=${text(model)},
    max_tokens=256,
    messages=[{"role": "user", "content": "hello"}],
)
print(answer.content[0].text)`,
  },
  "google-genai": {
    name: "Google Gen AI SDK",
    snippet: ({ origin, model }) =>
      `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({
  apiKey: ${key},
  apiVersion: "v1beta",
  httpOptions: { baseUrl: ${text(origin)} },
});
const answer = await client.models.generateContent({ model: ${text(model)}, contents: "hello" });
console.log(answer.text);`,
  },
  "claude-code": {
    name: "Claude Code",
    snippet: ({ origin, model }) =>
      exportsOf({
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: keyPlaceholder,
        ANTHROPIC_MODEL: model,
      }, "claude"),
  },
  codex: {
    name: "Codex",
    file: "~/.codex/config.toml",
    snippet: ({ origin, model }) =>
      `# export TESSERA_API_KEY=${keyPlaceholder}
model = ${text(model)}
model_provider = "tessera"

[model_providers.tessera]
name = "Tessera"
base_url = ${text(`${origin}/v1`)}
env_key = "TESSERA_API_KEY"
wire_api = "responses"`,
  },
  "gemini-cli": {
    name: "Gemini CLI",
    snippet: ({ origin, model }) =>
      exportsOf(
        { GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: keyPlaceholder },
        `gemini --model ${shellQuoted(model)}`,
      ),
  },
  opencode: {
    name: "opencode",
    file: "opencode.json",
    snippet: ({ origin, model }) =>
      asJson({
        provider: {
          tessera: {
            npm: "@ai-sdk/openai-compatible",
            name: "Tessera",
            options: { baseURL: `${origin}/v1`, apiKey: keyPlaceholder },
            models: { [model]: {} },
          },
        },
        model: `tessera/${model}`,
      }),
  },
  continue: {
    name: "Continue",
    file: "~/.continue/config.yaml",
    snippet: ({ origin, model }) =>
      `name: Tessera
version: 1.0.0
schema: v1
models:
  - name: Tessera
    provider: openai
    model: ${text(model)}
    apiBase: ${text(`${origin}/v1`)}
    apiKey: ${key}`,
  },
  cline: {
    name: "Cline",
    byHand: true,
    snippet: ({ origin, model }) =>
      `API Provider: OpenAI Compatible
Base URL: ${origin}/v1
API Key: ${keyPlaceholder}
Model ID: ${model}`,
  },
  cursor: {
    name: "Cursor",
    byHand: true,
    snippet: ({ origin, model }) =>
      `OpenAI API Key: ${keyPlaceholder}
Override OpenAI Base URL: ${origin}/v1
Add custom model: ${model}`,
  },
  aider: {
    name: "Aider",
    snippet: ({ origin, model }) =>
      exportsOf(
        { OPENAI_API_BASE: `${origin}/v1`, OPENAI_API_KEY: keyPlaceholder },
        `aider --model ${shellQuoted(`openai/${model}`)}`,
      ),
  },
  "open-webui": {
    name: "Open WebUI",
    snippet: ({ origin }) =>
      [
        "docker run -d -p 3000:8080",
        `  -e OPENAI_API_BASE_URL=${shellQuoted(`${origin}/v1`)}`,
        `  -e OPENAI_API_KEY=${shellQuoted(keyPlaceholder)}`,
        "  -v open-webui:/app/backend/data ghcr.io/open-webui/open-webui:main",
      ].join(" \\\n"),
  },
  langchain: {
    name: "LangChain",
    snippet: ({ origin, model }) =>
      `from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${text(model)},
    base_url=${text(`${origin}/v1`)},
    api_key=${key},
)
print(model.invoke("hello").content)`,
  },
  "vercel-ai-sdk": {
    name: "Vercel AI SDK",
    snippet: ({ origin, model }) =>
      `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const tessera = createOpenAICompatible({
  name: "tessera",
  baseURL: ${text(`${origin}/v1`)},
  apiKey: ${key},
});
const answer = await generateText({ model: tessera(${text(model)}), prompt: "hello" });
console.log(answer.text);`,
  },
} as const satisfies Record<string, Client>;
export type ClientId = keyof typeof clients;

export const clientIds = Object.keys(clients) as readonly ClientId[]; // the table's own

/** The client that an address names; the first where it names none. */
export function readClient(name: string | null): ClientId {
  return clientIds.find((id) => id === name) ?? "curl";
}

function exportsOf(variables: Readonly<Record<string, string>>, command: string): string {
  const lines = Object.entries(variables).map(([name, value]) =>
    `export ${name}=${shellQuoted(value)}`
  );
  return [...lines, command].join("\n");
}

function asJson(value: object): string {
  return JSON.stringify(value, null, 2);
}
