import type { ClientId } from "./clients.ts";

/** The agents that CC Switch supports, by its names, with the suffix of their base URL. */
const agents = {
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
  const agent = Object.entries(agents).find(([id]) => id === client)?.[1];
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
