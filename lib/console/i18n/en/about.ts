/** The facts about the running gateway, in the settings. */
export const about = {
  facts: {
    version: "Version",
    deno: "Deno version",
    store: "Store",
    since: "Running since",
    licence: "License",
  },
  stores: {
    postgres: (where: string) => `PostgreSQL, ${where}`,
    file: (size: string) => size === "" ? "Local file" : `Local file, ${size}`,
    memory: "In memory: lost at the next restart",
    server: (host: string) => `KV server at ${host}`,
    attached: "Database of the deployment",
  },
  health: "Check health",
  documents: "Documentation",
};
