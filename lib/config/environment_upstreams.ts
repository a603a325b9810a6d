import type { z } from "zod";
import type { Environment } from "./environment.ts";
import type { upstreamSchema } from "./schema.ts";

type UpstreamInput = z.input<typeof upstreamSchema>;

/** The upstreams that single variables stand for, each with the names that are its own. */
const upstreamOf = {
  OPENAI_API_KEY: (value) => ({
    id: "openai",
    endpoints: {
      "chat-completions": "https://api.openai.com/v1",
      "responses": "https://api.openai.com/v1",
    },
    apiKeys: [value],
    models: ["gpt-*", "chatgpt-*", "codex-*", "o1*", "o3*", "o4*"],
  }),
  ANTHROPIC_API_KEY: (value) => ({
    id: "anthropic",
    endpoints: { "messages": "https://api.anthropic.com" },
    apiKeys: [value],
    models: ["claude-*"],
  }),
  GEMINI_API_KEY: (value) => ({
    id: "gemini",
    endpoints: { "generate-content": "https://generativelanguage.googleapis.com/v1beta" },
    apiKeys: [value],
    models: ["gemini-*"],
  }),
  // Its names follow no rule, so it takes all, but only after those that know the name better.
  OLLAMA_HOST: (value) => ({
    id: "ollama",
    endpoints: { "chat-completions": `${value}/v1` },
    models: ["*"],
    priority: -1,
  }),
} as const satisfies Partial<Record<keyof Environment, (value: string) => UpstreamInput>>;

/** What the environment adds to the file. An upstream of the same id in the file takes its place. */
export function environmentUpstreams(
  environment: Environment,
  idsInFile: ReadonlySet<string>,
): UpstreamInput[] {
  const names = Object.keys(upstreamOf) as (keyof typeof upstreamOf)[]; // the table's own keys
  return names.flatMap((name) => {
    const value = environment[name];
    const upstream = value === undefined ? undefined : upstreamOf[name](value);
    return upstream === undefined || idsInFile.has(upstream.id) ? [] : [upstream];
  });
}
