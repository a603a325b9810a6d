import { agents } from "./client_agents.ts";
import { applications } from "./client_applications.ts";
import { programs } from "./client_programs.ts";
import { keyPlaceholder } from "./client_snippets.ts";

/** What a client runs on; macOS and Linux keep their files alike. */
export const systems = ["unix", "windows"] as const;
export type System = typeof systems[number];

/** What a client is told: where the gateway is, which model it asks for and with which key. */
interface ClientSetting {
  readonly origin: string;
  readonly model: string;
  /** The secret, on the one page that shows it; else what stands for it. */
  readonly key: string;
  readonly system: System;
}

/** One client and how it is set up. */
export interface Client {
  readonly name: string;
  /** The file that the snippet goes to; absent for a terminal or a program. */
  readonly file?: string | Readonly<Record<System, string>>;
  /** Where the client is not set up by a text but by hand: what to enter stands in the snippet. */
  readonly byHand?: true;
  readonly snippet: (setting: ClientSetting) => string;
}

const { curl, ...sdks } = programs;

/**
 * The clients by what the address calls them. The base URL of each is that of its kind: clients of
 * chat completions and Responses append their route to `/v1`, those of Messages and of generate
 * content append version and route to the bare address. What most people connect comes first.
 */
export const clients = {
  curl,
  ...agents,
  ...applications,
  ...sdks,
} as const satisfies Record<string, Client>;
export type ClientId = keyof typeof clients;

export const clientIds = Object.keys(clients) as readonly ClientId[]; // the table's own

/** The client that an address names; the first where it names none. */
export function readClient(name: string | null): ClientId {
  return clientIds.find((id) => id === name) ?? "curl";
}

/** The system that an address names, else the one that a browser says it runs on. */
export function readSystem(name: string | null, userAgent: string | null): System {
  return systems.find((system) => system === name) ??
    (/Windows/i.test(userAgent ?? "") ? "windows" : "unix");
}

/** How a client is set up, with a placeholder where no secret is known. */
export function settingOf(
  id: ClientId,
  { key = keyPlaceholder, system = "unix", ...setting }:
    & Pick<ClientSetting, "origin" | "model">
    & Partial<ClientSetting>,
): string {
  return clients[id].snippet({ key, system, ...setting });
}

/** Where a client's text goes on a system; undefined for a terminal or a program. */
export function fileOf({ file }: Client, system: System): string | undefined {
  return typeof file === "object" ? file[system] : file;
}
