import { assert, assertEquals, assertMatch } from "@std/assert";
import { installedCommand } from "../../../tools/agents.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import type { Agent } from "./agent.ts";
import { agents } from "./agents.ts";
import { type Finished, runAgent } from "./run_agent.ts";

/**
 * The words that unmodified agents show when a budget, a window or a session ends, which
 * `deno task test:agents` prints. `AGENT=Codex` runs those whose name begins so. Without
 * `EVERY_TASK=1`, each agent has one of the ends, in turn: they take up to 15 seconds to start or to
 * give up.
 */

const publicUrl = "https://gateway.example.com";
const runMsMax = 90_000;

/** A budget that is spent, and the words by which a person knows it. */
interface End {
  readonly period: string;
  readonly words: readonly RegExp[];
}

const ends: readonly End[] = [
  { period: "day", words: [/key daily budget/, /resets on [A-Z][a-z]{2} \d+ at 00:00 UTC, in \d/] },
  {
    period: "5h",
    words: [/key rolling 5-hour budget/, /has room for it on [A-Z][a-z]{2} \d+ at \d\d:\d\d UTC/],
  },
  { period: "session", words: [/session \S+ budget of \$0\.000001/, /start a new session/] },
];

const wanted = Deno.env.get("AGENT") ?? "";
const thinking = /thinking|code mode/; // they differ from others in what they ask for alone
const chosen = agents.filter(({ name }) => name.startsWith(wanted) && !thinking.test(name));

interface Run {
  readonly finished: Finished;
  /** The statuses of the calls for an answer. */
  readonly statuses: readonly number[];
}

const isShort = Deno.env.get("EVERY_TASK") !== "1";

for (const [at, agent] of chosen.entries()) {
  const command = installedCommand(agent.package);
  if (!command) console.log(`${agent.name} is not installed: run deno task agents`);
  for (const end of isShort ? [ends[at % ends.length]] : ends) {
    Deno.test({
      name: `budget ends: ${agent.name} shows the end of a budget for a ${end.period}`,
      ignore: command === undefined,
      fn: async () => {
        const { finished, statuses } = await run(agent, end, command ?? "");
        const { stdout, stderr, timedOut, ms } = finished;
        const shown = plain(`${stdout}\n${stderr}`);
        const said = saidIn(shown);
        console.log(
          `${agent.name}, ${end.period}: ${(ms / 1_000).toFixed(1)} s, [${statuses}] ${said}`,
        );
        assert(!timedOut, shown);
        for (const words of end.words) assertMatch(said, words);
        assertMatch(
          said,
          /Not charged\. Usage: https:\/\/gateway\.example\.com\/console\/token\/\w+/,
        );
        assert(statuses.length > 0 && statuses.every((one) => one !== 200), `${statuses}`);
        assert(statuses.length <= triesOf(agent), `it retried: ${statuses}`);
      },
    });
  }
}

/** Codex 0.171.0 retries every status but 400 and some kinds of 429; titles have calls of their own. */
function triesOf(agent: Agent): number {
  return agent.package === "codex" ? 6 : 3;
}

/** Runs an agent with a key whose budget was spent by another client. */
async function run(agent: Agent, { period }: End, command: string): Promise<Run> {
  await using upstream = startUpstream(() =>
    Response.json({
      id: "chatcmpl_1",
      object: "chat.completion",
      model: "m",
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 120_000, completion_tokens: 0, total_tokens: 120_000 },
    })
  );
  const usd = period === "session" ? 0.000001 : 1.2005; // of which another call spends 1.20
  const statuses: number[] = [];
  await using gateway = await startGateway({
    ...oneUpstream({ "chat-completions": upstream.base }, { models: [{ id: agent.model }] }),
    publicUrl,
    models: [{ id: agent.model, price: { input: 10, output: 1 } }],
    keys: [{ name: "agent", group: "default", value: testKey, budget: { usd, period } }],
  });
  if (period !== "session") await spend(gateway.base, agent.model);
  await using watcher = startUpstream(async ({ path, headers, body }) => {
    const isRead = body === "";
    const sent = new Headers(headers);
    for (const name of ["host", "content-length"]) sent.delete(name);
    const response = await fetch(gateway.base + path, {
      method: isRead ? (path === "/api/hello" ? "HEAD" : "GET") : "POST",
      headers: sent,
      ...(!isRead && { body }),
    });
    if (!isRead && !/count|hello/.test(path)) statuses.push(response.status);
    return response;
  });
  const base = agent.usesSocket ? gateway.base : watcher.base;
  const finished = await perform(agent, command, base);
  return { finished, statuses: agent.usesSocket ? [402] : statuses };
}

async function spend(base: string, model: string): Promise<void> {
  const content = "word ".repeat(24_000);
  const response = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: "user", content }] }),
  });
  assertEquals([response.status, await response.text() !== ""], [200, true]);
}

async function perform(agent: Agent, command: string, base: string): Promise<Finished> {
  const home = await Deno.makeTempDir({ prefix: "tessera-agent-" });
  for (const path of [`${home}/work`, `${home}/tmp`]) await Deno.mkdir(path);
  const { env, files } = agent.settings({ base, key: testKey, model: agent.model });
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${home}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${home}/${path}`, text);
  }
  const session = { GEMINI_CLI_CUSTOM_HEADERS: "tessera-session: run-1" };
  const finished = await runAgent({
    command,
    args: agent.args("Say hi"),
    env: { ...agent.quiet, ...env, ...session },
    home,
    folder: `${home}/work`,
    timeoutMs: runMsMax,
  });
  await removeFolder(home);
  return finished;
}

/** A terminal's text without its colors. */
function plain(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
}

/** The line with the gateway's message, as the agent shows it. */
function saidIn(shown: string): string {
  const line = shown.split("\n").find((one) => one.includes("Cannot start the call"));
  return line?.trim().slice(0, 700) ?? `nothing of the gateway's: ${shown.slice(0, 2_000)}`;
}
