import type { Client, ModelFacts } from "./client.ts";
import { clientCost, commandFor, environmentFor } from "./client_snippets.ts";

const text = JSON.stringify;

/** Coding agents for the terminal. */
export const agents = {
  "claude-code": {
    name: "Claude Code",
    snippet: ({ origin, model, key, system, facts: { contextWindow } = {} }) =>
      environmentFor(system, {
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: model,
        CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
        CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
        ...(contextWindow !== undefined && !model.startsWith("claude-") && {
          CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextWindow),
        }),
      }, "claude"),
  },
  codex: {
    name: "Codex",
    file: { unix: "~/.codex/config.toml", windows: "%USERPROFILE%\\.codex\\config.toml" },
    snippet: ({ origin, model, key, system }) =>
      `# ${environmentFor(system, { TESSERA_API_KEY: key })}
model = ${text(model)}
model_provider = "tessera"

[model_providers.tessera]
name = "Tessera"
base_url = ${text(`${origin}/v1`)}
env_key = "TESSERA_API_KEY"
wire_api = "responses"${knownToCodex.test(model) ? "" : codexDiscovery(origin)}`,
  },
  "gemini-cli": {
    name: "Gemini CLI",
    // with a base URL and without this setting it refuses to start without a person (0.61.0)
    snippet: ({ origin, model, key, system }) =>
      `# ~/.gemini/settings.json: {"security":{"auth":{"selectedType":"gemini-api-key"}}}
${
        environmentFor(
          system,
          { GOOGLE_GEMINI_BASE_URL: origin, GEMINI_API_KEY: key },
          commandFor(system, ["gemini", "--model", model]),
        )
      }`,
  },
  opencode: {
    name: "opencode",
    file: {
      unix: "~/.config/opencode/opencode.json",
      windows: "%USERPROFILE%\\.config\\opencode\\opencode.json",
    },
    snippet: ({ origin, model, key, facts }) =>
      asJson({
        $schema: "https://opencode.ai/config.json",
        provider: {
          tessera: {
            npm: "@ai-sdk/openai-compatible",
            name: "Tessera",
            options: { baseURL: `${origin}/v1`, apiKey: key },
            models: { [model]: openCodeEntry(facts) },
          },
        },
        model: `tessera/${model}`,
      }),
  },
  pi: {
    name: "pi",
    file: {
      unix: "~/.pi/agent/models.json",
      windows: "%USERPROFILE%\\.pi\\agent\\models.json",
    },
    snippet: ({ origin, model, key, facts = {} }) =>
      asJson({
        providers: {
          tessera: {
            baseUrl: `${origin}/v1`,
            api: "openai-completions",
            apiKey: key,
            compat: { sendSessionAffinityHeaders: true },
            models: [{
              id: model,
              contextWindow: facts.contextWindow,
              maxTokens: facts.maxOutputTokens,
              cost: clientCost(facts),
            }],
          },
        },
      }),
  },
  aider: {
    name: "Aider",
    snippet: ({ origin, model, key, system }) =>
      environmentFor(
        system,
        { OPENAI_API_BASE: `${origin}/v1`, OPENAI_API_KEY: key },
        commandFor(system, ["aider", "--model", `openai/${model}`]),
      ),
  },
} as const satisfies Record<string, Client>;

function asJson(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** The client's own spelling of a model's limits, of which it takes both or none, and its prices. */
function openCodeEntry(facts: ModelFacts = {}): object {
  const { contextWindow: context, maxOutputTokens: output } = facts;
  const cost = clientCost(facts);
  return {
    limit: context !== undefined && output !== undefined ? { context, output } : undefined,
    cost: cost && {
      input: cost.input,
      output: cost.output,
      cache_read: cost.cacheRead,
      cache_write: cost.cacheWrite,
    },
  };
}

/** Codex has entries of its own for these, which a fetched list would replace by less exact ones. */
const knownToCodex = /^(gpt-|codex-|o\d)/;

/** The lines by which Codex fetches the models: their windows, efforts and tools. */
function codexDiscovery(origin: string): string {
  return `
model_catalog_url = ${text(`${origin}/v1/models`)}

[features]
api_key_model_discovery = true`;
}
