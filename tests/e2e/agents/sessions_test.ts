import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decimalUsd, type JsonObject } from "../../../lib/canonical/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../../lib/store/log/mod.ts";
import { installedCommand } from "../../../tools/agents.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { type Model, startStrict, strictCredential } from "../../strict/mod.ts";
import type { ToolCall } from "../../strict/small_model.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";
import type { Agent } from "./agent.ts";
import { agents } from "./agents.ts";
import { type Finished, runAgent } from "./run_agent.ts";

/**
 * Unmodified agents whose model starts two sub-agents: the session that they name adds up to its
 * rows, and its budget stops all three in words that the agent shows.
 */

/** The calls by which an agent starts a sub-agent and waits for all of them. */
interface Spawning {
  readonly name: string;
  readonly spawn: (task: string) => ToolCall;
  /** Absent if the calls of `spawn` return when the sub-agents have ended. */
  readonly wait?: ToolCall;
  readonly env?: Readonly<Record<string, string>>;
  /** More of the configuration file. */
  readonly config?: string;
  readonly classes: readonly string[];
}

const codex = {
  spawn: (task) => ({
    namespace: "collaboration",
    name: "spawn_agent",
    args: { task_name: task, message: `SUBTASK ${task}`, fork_turns: "none" },
  }),
  wait: { namespace: "collaboration", name: "wait_agent", args: { timeout_ms: 10_000 } },
  config: "\n[features]\nmulti_agent_v2 = true\n",
  classes: ["collab_spawn", "turn"],
} as const satisfies Omit<Spawning, "name">;

const spawnings: readonly Spawning[] = [
  {
    name: "Claude Code",
    spawn: (task) => ({
      name: "Agent",
      args: { description: "A task", prompt: `SUBTASK ${task}`, run_in_background: false },
    }),
    env: { CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1" },
    classes: ["main", "subagent"],
  },
  { name: "Codex", ...codex },
  { name: "Codex, own provider", ...codex }, // on a WebSocket
];

/**
 * Each call costs half a cent, whatever the length of its prompt. No prompt of an agent is shorter
 * than what the upstream counts: a budget can only bound what the prompt lets the gateway expect.
 */
const inputTokens = 10_000;
const price = { input: 0.5, output: 0.5 };

/** Starts two sub-agents and waits for them; they answer at once, or go on for as long as they may. */
function modelOf(agent: Agent, { spawn, wait }: Spawning, isEndless: boolean): Model {
  return ({ tools, answered }, _voice, { body }) => {
    const say = (text: string, calls: readonly ToolCall[] = []) => ({
      ...{ calls, hangs: false, text, inputTokens },
    });
    if (tools.length === 0) return say("A title");
    const isSubAgent = JSON.stringify(body).includes("SUBTASK") && !hasSpawned(body);
    if (isSubAgent && isEndless) return say("Working.", [agent.hands.run(`echo ${answered}`)]);
    if (isSubAgent) return say("The task is done.");
    if (answered === 0) return say("Starting.", [spawn("one"), spawn("two")]);
    return wait && answered < (isEndless ? 20 : 4) ? say("Waiting.", [wait]) : say("All is done.");
  };
}

/** Returns true for the history of the main agent, which has the calls that started the others. */
function hasSpawned(body: JsonObject): boolean {
  return /"name":"(?:Agent|spawn_agent)","(?:input|namespace)":/.test(JSON.stringify(body));
}

interface Ran {
  readonly finished: Finished;
  readonly rows: readonly RequestLogRow[];
  readonly usage: JsonObject;
}

async function run(spawning: Spawning, budgetUsd?: number): Promise<Ran> {
  const agent = agents.find(({ name }) => name === spawning.name);
  const command = agent && installedCommand(agent.package);
  assert(agent && command !== undefined);
  const model = modelOf(agent, spawning, budgetUsd !== undefined);
  await using upstream = startStrict(agent.format, { model });
  const upstreamModel = agent.format === "messages" ? "claude-opus-5" : "gpt-5.1";
  const models = [{ id: agent.model, upstreamModel }];
  const budget = budgetUsd === undefined ? {} : { budget: { usd: budgetUsd, period: "session" } };
  await using gateway = await startGateway({
    ...oneUpstream({ [agent.format]: upstream.base }, { apiKeys: [strictCredential], models }),
    models: [{ id: agent.model, price }],
    keys: [{ name: "test", value: testKey, ...budget }],
  });
  const finished = await runIn(agent, command, gateway, spawning);
  assertEquals(upstream.seen.flatMap(({ refusals }) => refusals), []);
  const { rows } = await listRequestLogs(gateway.parts.store, { limit: 100 });
  const id = rows[0].session?.id;
  const response = await fetch(`${gateway.base}/v1/usage?session=${id}`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  return { finished, rows, usage: await response.json() };
}

async function runIn(agent: Agent, command: string, gateway: TestGateway, spawning: Spawning) {
  const home = await Deno.makeTempDir({ prefix: "tessera-agent-" });
  const folder = `${home}/work`;
  for (const path of [folder, `${home}/tmp`, `${home}/.codex`]) await Deno.mkdir(path);
  const { env, files } = agent.settings({ base: gateway.base, key: testKey, model: agent.model });
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${home}/${path}`, text + (spawning.config ?? ""));
  }
  const args = agent.args("Start two sub-agents and tell me when they are done.");
  const more = { ...agent.quiet, ...spawning.env };
  const finished = await runAgent({
    ...{ command, args, env: { ...env, ...more }, home, folder, timeoutMs: 90_000 },
  });
  await removeFolder(home);
  assert(!finished.timedOut, `${finished.stdout} ${finished.stderr}`);
  return finished;
}

/** The API's sums of the session are those of its rows, which name two sub-agents. */
function assertAddsUp({ rows, usage }: Ran, { classes }: Spawning): bigint {
  const spent = rows.reduce((sum, { costNanoUsd = 0n }) => sum + costNanoUsd, 0n);
  assertEquals(new Set(rows.map(({ session }) => session?.id)).size, 1);
  const named = rows.map(({ session }) => session?.agent).filter((name) => name !== undefined);
  assertEquals(new Set(named).size, 2);
  const found = rows.map(({ session }) => session?.requestClass ?? "");
  assertEquals([...new Set(found)].sort(), [...classes]);
  const parts = usage.parts as JsonObject[];
  const { requests, cost } = usage.total as JsonObject;
  assertEquals([requests, cost], [rows.length, decimalUsd(spent)]);
  assertEquals(parts.reduce((sum, part) => sum + Number(part.requests), 0), rows.length);
  assertEquals(usage.turns, rows.length - named.length);
  return spent;
}

for (const spawning of spawnings) {
  const { name } = spawning;
  const agent = agents.find((one) => one.name === name);
  const ignore = !agent || installedCommand(agent.package) === undefined;
  if (ignore) console.log(`${name} is not installed: run deno task agents`);

  Deno.test({
    name: `agents: a session of ${name} with two sub-agents adds up to its rows`,
    ignore,
    fn: async () => {
      const ran = await run(spawning);
      assertEquals(ran.finished.code, 0, ran.finished.stderr);
      assertStringIncludes(ran.finished.stdout, "All is done.");
      assertAddsUp(ran, spawning);
    },
  });

  Deno.test({
    name: `agents: a budget of $0.05 stops a session of ${name} and its sub-agents, in our words`,
    ignore,
    fn: async () => {
      const ran = await run(spawning, 0.05);
      const { stdout, stderr } = ran.finished;
      const spent = assertAddsUp(ran, spawning);
      assert(spent > 30_000_000n && spent <= 50_000_000n, `${spent}`);
      const id = ran.rows[0].session?.id;
      assertStringIncludes(stdout + stderr, `of the session ${id} budget of $0.05 is spent`);
      const refused = ran.rows.filter(({ status }) => status === 402);
      assertEquals(new Set(refused.map(({ session }) => session?.agent)).size, 3);
    },
  });
}
