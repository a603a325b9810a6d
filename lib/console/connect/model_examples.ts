import type { FormatName } from "../../canonical/mod.ts";
import { type Purpose, purposeOf } from "../../catalog/mod.ts";
import { curlSnippet, keyPlaceholder, shellQuoted } from "./client_snippets.ts";
import { type ClientId, clients, settingOf } from "./clients.ts";

/** One way to call a model: a tab of its code examples. */
interface CodeExample {
  readonly name: string;
  /** The language of its colors, as `highlight` names it. */
  readonly language: "sh" | "python" | "ts" | "toml";
  readonly text: string;
}

interface Called {
  readonly origin: string;
  readonly model: string;
}

const languages = { curl: "sh", Python: "python", TypeScript: "ts" } as const;

/** Coding agents by the format that they call. */
const agents = {
  "chat-completions": undefined,
  responses: { id: "codex", language: "toml" },
  messages: { id: "claude-code", language: "sh" },
  "generate-content": { id: "gemini-cli", language: "sh" },
} as const satisfies Record<
  FormatName,
  { readonly id: ClientId; readonly language: CodeExample["language"] } | undefined
>;

/**
 * Calls of a model in one format, with the reader's base URL and a placeholder for the key; then the
 * coding agents for the allowed formats. Models that do not chat have a single call.
 */
export function modelExamples(
  called: Called,
  { format, formats }: { readonly format: FormatName; readonly formats: readonly FormatName[] },
): readonly CodeExample[] {
  const purpose = purposeOf(called.model);
  if (purpose !== "chat") {
    const text = callOf[purpose]?.(called);
    return text === undefined ? [] : [{ name: "curl", language: "sh", text }];
  }
  const programs = endpointSnippets(format, called)
    .map(({ language, text }) => ({ name: language, language: languages[language], text }));
  return [...programs, ...formats.flatMap((one) => agentFor(one, called))];
}

function agentFor(format: FormatName, called: Called): CodeExample[] {
  const agent = agents[format];
  if (agent === undefined) return [];
  const { id, language } = agent;
  return [{ name: clients[id].name, language, text: settingOf(id, called) }];
}

type CallText = (called: Called) => string;

const hello = "Hello, world";

/** The call of models that do not chat; the others have no endpoint here. */
const callOf: Readonly<Partial<Record<Exclude<Purpose, "chat">, CallText>>> = {
  embedding: post("/v1/embeddings", { input: hello }),
  completion: post("/v1/completions", { prompt: hello }),
  image: post("/v1/images/generations", { prompt: "A lighthouse at dawn" }),
  speech: post("/v1/audio/speech", { input: hello, voice: "alloy" }, "--output speech.mp3"),
  transcription: ({ origin, model }) =>
    curl(`${origin}/v1/audio/transcriptions`, [
      `-F ${shellQuoted(`model=${model}`)}`,
      "-F file=@speech.mp3",
    ]),
  moderation: post("/v1/moderations", { input: hello }),
  rerank: post("/v1/rerank", { query: hello, documents: ["Good morning", "Good night"] }),
};

function post(path: string, body: object, ...more: readonly string[]): CallText {
  return ({ origin, model }) =>
    curl(origin + path, [
      "-H 'Content-Type: application/json'",
      `-d ${shellQuoted(JSON.stringify({ model, ...body }))}`,
      ...more,
    ]);
}

function curl(url: string, parts: readonly string[]): string {
  const lines = [`-H 'Authorization: Bearer ${keyPlaceholder}'`, ...parts];
  return [`curl ${shellQuoted(url)}`, ...lines.map((line) => `  ${line}`)].join(" \\\n");
}

/** One way to call a model in one format. */
interface EndpointSnippet {
  readonly language: "curl" | "Python" | "TypeScript";
  readonly text: string;
}

/** A call in one format for a terminal, in Python and in TypeScript, with a placeholder for the key. */
function endpointSnippets(format: FormatName, called: Called): readonly EndpointSnippet[] {
  const { python, typescript }: Programs = programs[format];
  return [
    { language: "curl", text: curlSnippet(called.origin, format, { model: called.model }) },
    { language: "Python", text: python(called) },
    { language: "TypeScript", text: typescript(called) },
  ];
}

interface Programs {
  readonly python: (called: Called) => string;
  readonly typescript: (called: Called) => string;
}

const ofClient = (id: ClientId) => (called: Called) => settingOf(id, called);
const quoted = JSON.stringify;

const programs = {
  "chat-completions": {
    python: ofClient("openai-python"),
    typescript: ({ origin, model }) =>
      `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${quoted(`${origin}/v1`)}, apiKey: ${
        quoted(keyPlaceholder)
      } });
const answer = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: "user", content: "hello" }],
});
console.log(answer.choices[0].message.content);`,
  },
  responses: {
    python: ({ origin, model }) =>
      `from openai import OpenAI

client = OpenAI(base_url=${quoted(`${origin}/v1`)}, api_key=${quoted(keyPlaceholder)})
answer = client.responses.create(model=${quoted(model)}, input="hello")
print(answer.output_text)`,
    typescript: ofClient("openai-typescript"),
  },
  messages: {
    python: ofClient("anthropic-python"),
    typescript: ofClient("anthropic-typescript"),
  },
  "generate-content": {
    python: ofClient("google-genai-python"),
    typescript: ofClient("google-genai"),
  },
} as const satisfies Record<FormatName, Programs>;
