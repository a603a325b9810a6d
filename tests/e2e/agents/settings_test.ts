import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { clients } from "../../../lib/console/connect/clients.ts";
import { type AgentId, agentPackages } from "../../../tools/agents.ts";
import { agents } from "./agents.ts";

/** The settings that the console shows are those that the agents are tested with. */

const base = "https://gateway.test";
const key = "sk-test";

/** The first of an agent's records: the others say more of the model. */
function plain(id: AgentId) {
  const agent = agents.find((one) => one.package === id);
  assert(agent, id);
  const { model } = agent;
  const snippet = clients[id].snippet({ origin: base, model, key, system: "unix" });
  return { agent, snippet, ...agent.settings({ base, key, model }) };
}

Deno.test("agents: every package is run", () => {
  const run = new Set<string>(agents.map((agent) => agent.package));
  assertEquals(Object.keys(agentPackages).filter((id) => !run.has(id)), []);
});

for (const id of ["claude-code", "gemini-cli", "codex"] as const) {
  Deno.test(`agents: the console's variables are those of ${id}`, () => {
    const { snippet, env } = plain(id);
    const exported = [...snippet.matchAll(/^(?:# )?export (\w+)='?([^'\n]*)'?$/gm)]
      .map(([, name, value]) => [name, value]);
    assertEquals(Object.fromEntries(exported), env);
  });
}

Deno.test("agents: the console's file is that of codex", () => {
  const { snippet, files } = plain("codex");
  const [, file] = snippet.split(/^# .*\n/);
  assertEquals(`${file}\n`, files[".codex/config.toml"]);
});

Deno.test("agents: the console's file is that of opencode", () => {
  const { snippet, files } = plain("opencode");
  const { $schema: _, ...written } = JSON.parse(snippet);
  assertEquals(written, JSON.parse(files[".config/opencode/opencode.json"]));
});

Deno.test("agents: the console names what gemini-cli wants beside variables", () => {
  const { snippet, files, agent } = plain("gemini-cli");
  assertStringIncludes(snippet, `~/.gemini/settings.json: ${files[".gemini/settings.json"]}`);
  assertStringIncludes(snippet, `--model '${agent.model}'`);
});
