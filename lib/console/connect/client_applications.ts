import type { Client } from "./client.ts";
import { shellQuoted } from "./client_snippets.ts";

const text = JSON.stringify;

/** Editors, their extensions, and desktop applications. */
export const applications = {
  continue: {
    name: "Continue",
    file: {
      unix: "~/.continue/config.yaml",
      windows: "%USERPROFILE%\\.continue\\config.yaml",
    },
    snippet: ({ origin, model, key }) =>
      `name: Tessera
version: 1.0.0
schema: v1
models:
  - name: Tessera
    provider: openai
    model: ${text(model)}
    apiBase: ${text(`${origin}/v1`)}
    apiKey: ${text(key)}`,
  },
  cline: {
    name: "Cline",
    byHand: true,
    snippet: ({ origin, model, key }) =>
      `API Provider: OpenAI Compatible
Base URL: ${origin}/v1
API Key: ${key}
Model ID: ${model}`,
  },
  cursor: {
    name: "Cursor",
    byHand: true,
    snippet: ({ origin, model, key }) =>
      `OpenAI API Key: ${key}
Override OpenAI Base URL: ${origin}/v1
Add custom model: ${model}`,
  },
  zed: {
    name: "Zed",
    file: { unix: "~/.config/zed/settings.json", windows: "%APPDATA%\\Zed\\settings.json" },
    snippet: ({ origin, model, key }) =>
      `// Key: Agent settings → LLM providers → Tessera, or TESSERA_API_KEY=${key}
${
        JSON.stringify(
          {
            language_models: {
              openai_compatible: {
                Tessera: {
                  api_url: `${origin}/v1`,
                  available_models: [{ name: model, display_name: model, max_tokens: 128_000 }],
                },
              },
            },
          },
          null,
          2,
        )
      }`,
  },
  jetbrains: {
    name: "JetBrains AI Assistant",
    byHand: true,
    snippet: ({ origin, model, key }) =>
      `Settings → Tools → AI Assistant → Models & API Keys
Provider: OpenAI-compatible
URL: ${origin}/v1
API Key: ${key}
Model: ${model}`,
  },
  "open-webui": {
    name: "Open WebUI",
    snippet: ({ origin, key, system }) =>
      [
        "docker run -d -p 3000:8080",
        `-e OPENAI_API_BASE_URL=${shellQuoted(`${origin}/v1`)}`,
        `-e OPENAI_API_KEY=${shellQuoted(key)}`,
        "-v open-webui:/app/backend/data ghcr.io/open-webui/open-webui:main",
      ].join(system === "windows" ? " `\n  " : " \\\n  "),
  },
  librechat: {
    name: "LibreChat",
    file: "librechat.yaml",
    snippet: ({ origin, model, key }) =>
      `version: 1.2.8
endpoints:
  custom:
    - name: Tessera
      apiKey: ${text(key)}
      baseURL: ${text(`${origin}/v1`)}
      models:
        default: [${text(model)}]
        fetch: true`,
  },
  n8n: {
    name: "n8n",
    byHand: true,
    snippet: ({ origin, model, key }) =>
      `Credentials → OpenAI
API Key: ${key}
Base URL: ${origin}/v1
OpenAI Chat Model node → Model → By ID: ${model}`,
  },
} as const satisfies Record<string, Client>;
