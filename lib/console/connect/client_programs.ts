import type { Client } from "./client.ts";
import { curlSnippet, powerShellSnippet } from "./client_snippets.ts";

/** Quotes a text for Python, TypeScript, TOML and JSON, which all read JSON strings. */
const text = JSON.stringify;

/** A terminal, and the SDKs. */
export const programs = {
  curl: {
    name: "curl",
    snippet: ({ origin, model, key, system }) =>
      system === "windows"
        ? powerShellSnippet(origin, { model, key })
        : curlSnippet(origin, "chat-completions", { model, key }),
  },
  "openai-python": {
    name: "OpenAI SDK, Python",
    snippet: ({ origin, model, key }) =>
      `from openai import OpenAI

client = OpenAI(base_url=${text(`${origin}/v1`)}, api_key=${text(key)})
answer = client.chat.completions.create(
    model=${text(model)},
    messages=[{"role": "user", "content": "hello"}],
)
print(answer.choices[0].message.content)`,
  },
  "openai-typescript": {
    name: "OpenAI SDK, TypeScript",
    snippet: ({ origin, model, key }) =>
      `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${text(`${origin}/v1`)}, apiKey: ${text(key)} });
const answer = await client.responses.create({ model: ${text(model)}, input: "hello" });
console.log(answer.output_text);`,
  },
  "anthropic-python": {
    name: "Anthropic SDK, Python",
    snippet: ({ origin, model, key }) =>
      `from anthropic import Anthropic

client = Anthropic(base_url=${text(origin)}, api_key=${text(key)})
answer = client.messages.create(
    model=${text(model)},
    max_tokens=256,
    messages=[{"role": "user", "content": "hello"}],
)
print(answer.content[0].text)`,
  },
  "anthropic-typescript": {
    name: "Anthropic SDK, TypeScript",
    snippet: ({ origin, model, key }) =>
      `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: ${text(origin)}, apiKey: ${text(key)} });
const answer = await client.messages.create({
  model: ${text(model)},
  max_tokens: 256,
  messages: [{ role: "user", content: "hello" }],
});
console.log(answer.content);`,
  },
  "google-genai-python": {
    name: "Google Gen AI SDK, Python",
    snippet: ({ origin, model, key }) =>
      `from google import genai
from google.genai import types

client = genai.Client(
    api_key=${text(key)},
    http_options=types.HttpOptions(base_url=${text(origin)}, api_version="v1beta"),
)
answer = client.models.generate_content(model=${text(model)}, contents="hello")
print(answer.text)`,
  },
  "google-genai": {
    name: "Google Gen AI SDK, TypeScript",
    snippet: ({ origin, model, key }) =>
      `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({
  apiKey: ${text(key)},
  apiVersion: "v1beta",
  httpOptions: { baseUrl: ${text(origin)} },
});
const answer = await client.models.generateContent({ model: ${text(model)}, contents: "hello" });
console.log(answer.text);`,
  },
  langchain: {
    name: "LangChain",
    snippet: ({ origin, model, key }) =>
      `from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model=${text(model)},
    base_url=${text(`${origin}/v1`)},
    api_key=${text(key)},
)
print(model.invoke("hello").content)`,
  },
  "vercel-ai-sdk": {
    name: "Vercel AI SDK",
    snippet: ({ origin, model, key }) =>
      `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const tessera = createOpenAICompatible({
  name: "tessera",
  baseURL: ${text(`${origin}/v1`)},
  apiKey: ${text(key)},
});
const answer = await generateText({ model: tessera(${text(model)}), prompt: "hello" });
console.log(answer.text);`,
  },
} as const satisfies Record<string, Client>;
