import { assert, assertEquals } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startStrict, strictCredential, type StrictUpstream } from "../../strict/mod.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import type { Agent, Setting } from "./agent.ts";
import { type Finished, runAgent } from "./run_agent.ts";
import { scriptedModel } from "./scripted_model.ts";
import type { Task } from "./tasks.ts";

/** An upstream by its format, and its model, which thinks and proves what it thought. */
export interface UpstreamKind {
  readonly name: string;
  readonly format: FormatName;
  readonly model: string;
}

/** Upstreams of chat completions prove nothing or, where they route to others, by details. */
export const upstreamKinds: readonly UpstreamKind[] = [
  { name: "chat-completions", format: "chat-completions", model: "deepseek-reasoner" },
  { name: "chat, details", format: "chat-completions", model: "vendor/thinker" },
  { name: "responses", format: "responses", model: "gpt-5.1" },
  { name: "messages", format: "messages", model: "claude-opus-5" },
  { name: "generate-content", format: "generate-content", model: "gemini-3-pro-preview" },
];

const runMsMax = 120_000;

/** One agent with one task on one upstream, in a home and a folder of its own. */
export interface Cell extends AsyncDisposable {
  readonly agent: Agent;
  readonly task: Task;
  readonly upstream: StrictUpstream;
  readonly gateway: TestGateway;
  /** The method and path of each request to the gateway. */
  readonly asked: readonly string[];
  readonly home: string;
  readonly folder: string;
}

/** A place between the gateway and the upstream of a cell. */
interface Between {
  /** The address that the gateway calls instead of the upstream's. */
  readonly base: string;
  /** More fields of the upstream in the configuration. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export async function startCell(
  agent: Agent,
  { format, model: upstreamModel }: UpstreamKind,
  task: Task,
  between: (base: string) => Between = (base) => ({ base }),
): Promise<Cell> {
  const home = await Deno.makeTempDir({ prefix: "tessera-agent-" });
  const folder = `${home}/work`;
  for (const path of [folder, `${home}/tmp`]) await Deno.mkdir(path);
  await task.prepare(folder);
  const upstream = startStrict(format, { model: scriptedModel(task.script(agent.hands, folder)) });
  const models = [{ id: agent.model, upstreamModel }];
  const asked: string[] = [];
  const { base, fields } = between(upstream.base);
  const gateway = await startGateway(
    oneUpstream({ [format]: base }, { apiKeys: [strictCredential], models, ...fields }),
    ({ method, url }) => asked.push(`${method} ${new URL(url).pathname}`),
  );
  return {
    agent,
    task,
    upstream,
    gateway,
    asked,
    home,
    folder,
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      await removeFolder(home);
    },
  };
}

/** Lets the agent do its task. */
export async function runCell(cell: Cell, command: string): Promise<Finished> {
  const { agent, task, gateway: { base, key }, home, folder } = cell;
  const env = await writeSettings(agent, home, { base, key, model: agent.model });
  return await runAgent({
    command,
    args: agent.args(task.prompt),
    env: { ...agent.quiet, ...env },
    home,
    folder,
    timeoutMs: runMsMax,
  });
}

async function writeSettings(agent: Agent, home: string, setting: Setting) {
  const { env, files } = agent.settings(setting);
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${home}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${home}/${path}`, text);
  }
  return env;
}

/** The upstream refused nothing, the agent ended well, and the task is done. */
export async function assertDone(cell: Cell, finished: Finished): Promise<void> {
  const { code, stdout, stderr, timedOut } = finished;
  assertEquals(cell.upstream.seen.flatMap(({ refusals }) => refusals), []);
  assert(!timedOut, `timed out: ${stdout} ${stderr}`);
  assertEquals(code, 0, `${stdout} ${stderr}`);
  await cell.task.check(finished, cell.folder);
  if (!cell.agent.usesSocket) return;
  const calls = cell.asked.filter((one) => one.endsWith("/responses"));
  assertEquals(new Set(calls), new Set(["GET /v1/responses"]), "not all calls were on a socket");
}

/**
 * Asserts that each later request of the conversation repeats every signature unaltered. Returns the
 * number of signatures in those requests.
 */
export function reasoningThatCameHome({ seen }: StrictUpstream): number {
  const issued: string[] = [];
  let home = 0;
  for (const { prompt, proofs, issued: given } of seen) {
    if (!prompt || prompt.tools.length === 0) continue;
    assertEquals(issued.filter((proof) => !proofs.includes(proof)), [], "proofs were lost");
    home += issued.length;
    issued.push(...given);
  }
  return home;
}
