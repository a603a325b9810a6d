import type { Client } from "./client.ts";
import { commandFor, environmentFor } from "./client_snippets.ts";

const text = JSON.stringify;

/** Coding agents for the terminal. */
export const agents = {
  "claude-code": {
    name: "Claude Code",
    snippet: ({ origin, model, key, system }) =>
      environmentFor(system, {
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: model,
        CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
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
    snippet: ({ origin, model, key }) =>
      asJson({
        $schema: "https://opencode.ai/config.json",
        provider: {
          tessera: {
            npm: "@ai-sdk/openai-compatible",
            name: "Tessera",
            options: { baseURL: `${origin}/v1`, apiKey: key },
            models: { [model]: {} },
          },
        },
        model: `tessera/${model}`,
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

/** Codex has entries of its own for these, which a fetched list would replace by less exact ones. */
const knownToCodex = /^(gpt-|codex-|o\d)/;

/** The lines by which Codex fetches the models: their windows, efforts and tools. */
function codexDiscovery(origin: string): string {
  return `
model_catalog_url = ${text(`${origin}/v1/models`)}

[features]
api_key_model_discovery = true`;
}
