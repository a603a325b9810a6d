import type { FormatName } from "../../canonical/mod.ts";
import { curlSnippet, keyPlaceholder } from "./client_snippets.ts";
import { type ClientId, settingOf } from "./clients.ts";

/** One way to call a model in one format. */
interface EndpointSnippet {
  readonly language: "curl" | "Python" | "TypeScript";
  readonly text: string;
}

interface Called {
  readonly origin: string;
  readonly model: string;
}

/** A call in one format for a terminal, in Python and in TypeScript, with a placeholder for the key. */
export function endpointSnippets(format: FormatName, called: Called): readonly EndpointSnippet[] {
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
