import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import type { Agent } from "./agent.ts";

/** A provider of opencode: it speaks every format, each by a package of its own. */
interface Provider {
  readonly name: string;
  readonly npm: string;
  readonly format: FormatName;
  readonly basePath: string;
  readonly model: string;
  /** The model's entry in the configuration. */
  readonly entry: JsonObject;
}

const providers: readonly Provider[] = [
  {
    name: "opencode",
    npm: "@ai-sdk/openai-compatible",
    format: "chat-completions",
    basePath: "/v1",
    model: "any-model",
    entry: {},
  },
  {
    name: "opencode, thinking",
    npm: "@ai-sdk/openai-compatible",
    format: "chat-completions",
    basePath: "/v1",
    model: "any-model",
    entry: {
      reasoning: true,
      interleaved: { field: "reasoning_content" },
      options: { reasoningEffort: "high" },
    },
  },
  {
    name: "opencode, responses",
    npm: "@ai-sdk/openai",
    format: "responses",
    basePath: "/v1",
    model: "o4-mini", // for a model whose name begins with gpt-5 it has another tool to write with
    entry: { reasoning: true, options: { reasoningEffort: "high" } },
  },
  {
    name: "opencode, messages",
    npm: "@ai-sdk/anthropic",
    format: "messages",
    basePath: "/v1",
    model: "claude-opus-4-5",
    entry: { reasoning: true, options: { thinking: { type: "enabled", budgetTokens: 4_000 } } },
  },
  {
    name: "opencode, generate",
    npm: "@ai-sdk/google",
    format: "generate-content",
    basePath: "/v1beta",
    model: "gemini-3-pro-preview",
    entry: { reasoning: true, options: { thinkingConfig: { includeThoughts: true } } },
  },
];

export const openCode: readonly Agent[] = providers.map(agentOf);

function agentOf({ name, npm, format, basePath, model: served, entry }: Provider): Agent {
  return {
    name,
    package: "opencode",
    format,
    model: served,
    thinks: entry.reasoning === true,
    // interleaved reasoning has only one member of a message
    ...(entry.interleaved !== undefined && { forgets: "chat, details" }),
    settings: ({ base, key, model }) => ({
      env: {},
      files: {
        ".config/opencode/opencode.json": JSON.stringify({
          provider: {
            tessera: {
              npm,
              name: "Tessera",
              options: { baseURL: base + basePath, apiKey: key },
              models: { [model]: entry },
            },
          },
          model: `tessera/${model}`,
        }),
      },
    }),
    quiet: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    args: (prompt) => ["run", "--auto", prompt],
    hands: {
      read: (path) => ({ name: "read", args: { filePath: path } }),
      write: (path, content) => ({ name: "write", args: { filePath: path, content } }),
      run: (command) => ({ name: "bash", args: { command, description: "Runs a command" } }),
    },
  };
}
