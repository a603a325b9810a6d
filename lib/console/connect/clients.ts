import { agents } from "./client_agents.ts";
import { applications } from "./client_applications.ts";
import { programs } from "./client_programs.ts";
import { keyPlaceholder } from "./client_snippets.ts";

/** The operating systems of clients; macOS and Linux keep files in the same places. */
export const systems = ["unix", "windows"] as const;
export type System = typeof systems[number];

/** The settings of a client: the gateway's address, the model and the key. */
interface ClientSetting {
  readonly origin: string;
  readonly model: string;
  /** The secret, on the one page that shows it; else a placeholder. */
  readonly key: string;
  readonly system: System;
}

/** One client and how it is set up. */
export interface Client {
  readonly name: string;
  /** The file that the snippet goes to; absent for a terminal or a program. */
  readonly file?: string | Readonly<Record<System, string>>;
  /** True for a client that is set up by hand: the snippet lists the values to enter. */
  readonly byHand?: true;
  readonly snippet: (setting: ClientSetting) => string;
}

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
