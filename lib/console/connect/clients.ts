import { type Client, type ClientSetting, type System, systems } from "./client.ts";
import { agents } from "./client_agents.ts";
import { programs } from "./client_programs.ts";
import { clientCost, keyPlaceholder, shellQuoted } from "./client_snippets.ts";

const text = JSON.stringify;

/** Editors, their extensions, and desktop applications. */
const applications = {
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
    snippet: ({ origin, model, key, facts = {} }) =>
      [
        "API Provider: OpenAI Compatible",
        `Base URL: ${origin}/v1`,
        `API Key: ${key}`,
        `Model ID: ${model}`,
        ...[
          ["Context Window Size", facts.contextWindow],
          ["Max Output Tokens", facts.maxOutputTokens],
          ["Input Price / 1M tokens", clientCost(facts)?.input],
          ["Output Price / 1M tokens", clientCost(facts)?.output],
        ].flatMap(([field, value]) => value === undefined ? [] : [`${field}: ${value}`]),
      ].join("\n"),
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

const { curl, ...sdks } = programs;

/**
 * The clients by their names in the address, common ones first. Clients of chat completions and
 * Responses append their route to a base URL with `/v1`; those of Messages and generate content
 * append version and route to the bare origin.
 */
export const clients = {
  curl,
  ...agents,
  ...applications,
  ...sdks,
} as const satisfies Record<string, Client>;
export type ClientId = keyof typeof clients;

export const clientIds = Object.keys(clients) as readonly ClientId[]; // the table's own

/** The clients that most people connect. */
export const usualClients = [
  "curl",
  "claude-code",
  "codex",
  "cursor",
  "openai-python",
  "openai-typescript",
] as const satisfies readonly ClientId[];

/** Reads the client of an address; by default, the first client. */
export function readClient(name: string | null): ClientId {
  return clientIds.find((id) => id === name) ?? "curl";
}

/** Reads the operating system of an address; by default, that of the browser's User-Agent. */
export function readSystem(name: string | null, userAgent: string | null): System {
  return systems.find((system) => system === name) ??
    (/Windows/i.test(userAgent ?? "") ? "windows" : "unix");
}

/** The set-up of a client, with a placeholder if the secret is not known. */
export function settingOf(
  id: ClientId,
  { key = keyPlaceholder, system = "unix", ...setting }:
    & Pick<ClientSetting, "origin" | "model">
    & Partial<ClientSetting>,
): string {
  return clients[id].snippet({ key, system, ...setting });
}

/** The file of a client's settings; undefined for a terminal or a program. */
export function fileOf({ file }: Client, system: System): string | undefined {
  return typeof file === "object" ? file[system] : file;
}

/** The agents that CC Switch supports, by its names, with the suffix of their base URL. */
const ccSwitchAgents = {
  "claude-code": { app: "claude", path: "" },
  codex: { app: "codex", path: "/v1" },
  "gemini-cli": { app: "gemini", path: "" },
  opencode: { app: "opencode", path: "/v1" },
} as const satisfies Partial<Record<ClientId, { readonly app: string; readonly path: string }>>;

/**
 * The link that imports a client's settings into CC Switch, as in its user manual of 2026-11-21;
 * undefined for unsupported clients. Leaves out the key, because no secret belongs in an address.
 */
export function ccSwitchLink(
  client: ClientId,
  { origin, model }: { readonly origin: string; readonly model: string },
): string | undefined {
  const agent = Object.entries(ccSwitchAgents).find(([id]) => id === client)?.[1];
  if (agent === undefined) return undefined;
  const fields = new URLSearchParams({
    resource: "provider",
    app: agent.app,
    name: "Tessera",
    homepage: origin,
    endpoint: origin + agent.path,
    model,
  });
  return `ccswitch://v1/import?${fields.toString().replaceAll("+", "%20")}`;
}
