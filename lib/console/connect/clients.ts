import { type Client, type ClientSetting, type System, systems } from "./client.ts";
import { agents } from "./client_agents.ts";
import { applications } from "./client_applications.ts";
import { programs } from "./client_programs.ts";
import { keyPlaceholder } from "./client_snippets.ts";

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
