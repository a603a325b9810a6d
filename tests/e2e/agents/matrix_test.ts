import { assert, assertEquals } from "@std/assert";
import { agentPackages, installedCommand } from "../../../tools/agents.ts";
import type { Agent } from "./agent.ts";
import { agents } from "./agents.ts";
import {
  assertDone,
  reasoningThatCameHome,
  runCell,
  startCell,
  type UpstreamKind,
  upstreamKinds,
} from "./cell.ts";
import { type Task, tasks } from "./tasks.ts";

/**
 * Every agent on an upstream of every format, each with all tasks: `deno task test:agents`.
 * `AGENT=Codex` runs those whose name begins so; agents that `deno task agents` has not installed
 * are skipped with a notice. Without `EVERY_TASK=1`, an agent does all tasks on the first upstream only,
 * and on the others the last one, which reads, writes and answers as those before it do; further
 * settings of Codex and opencode have two upstreams each: a task takes up to 15 seconds of processor time.
 */
const wanted = Deno.env.get("AGENT") ?? "";
const chosen = agents.filter(({ name }) => name.startsWith(wanted));
const missing = chosen.filter((agent) => installedCommand(agent.package) === undefined);

const isShort = Deno.env.get("EVERY_TASK") !== "1";

function tasksOf(agent: Agent, kind: UpstreamKind): readonly Task[] {
  const isFurther = kind !== upstreamKinds[0] || isFurtherSetting(agent);
  return isShort && isFurther ? tasks.slice(-1) : tasks;
}

/** An upstream of the setting's own format and one of another, in turn. */
function kindsOf(agent: Agent): readonly UpstreamKind[] {
  if (!isShort || !isFurtherSetting(agent)) return upstreamKinds;
  const own = upstreamKinds.findIndex(({ format }) => format === agent.format);
  return [upstreamKinds[own], upstreamKinds[(own + 2) % upstreamKinds.length]];
}

function isFurtherSetting({ name }: Agent): boolean {
  return name.includes(", ");
}

/** The passed tasks of each cell: a letter for each, `r` for returned reasoning. */
const passed = new Map<string, string>();

for (const { name } of missing) console.log(`${name} is not installed: run deno task agents`);

for (const agent of chosen) {
  for (const kind of kindsOf(agent)) {
    Deno.test({
      name: `agents: ${agent.name} → ${kind.name}`,
      ignore: missing.includes(agent),
      fn: async (test) => {
        for (const task of tasksOf(agent, kind)) {
          await test.step(task.name, async () => {
            const home = await perform(agent, kind, task);
            mark(agent, kind, task.letter);
            if (home > 0 && task.letter === tasks.at(-1)?.letter) mark(agent, kind, "r");
          });
        }
      },
    });
  }
}

async function perform(agent: Agent, kind: UpstreamKind, task: Task): Promise<number> {
  await using cell = await startCell(agent, kind, task);
  await assertDone(cell, await runCell(cell, installedCommand(agent.package) ?? ""));
  if (agent.forgets === kind.name) return 0;
  const home = reasoningThatCameHome(cell.upstream);
  const later = cell.upstream.seen.some(({ prompt }) => (prompt?.answered ?? 0) > 0);
  assert(!agent.thinks || !later || home > 0, "the agent asked for reasoning and got none");
  return home;
}

function mark(agent: Agent, kind: UpstreamKind, letter: string): void {
  const key = `${agent.name} → ${kind.name}`;
  passed.set(key, (passed.get(key) ?? "") + letter);
}

Deno.test({
  name: "agents: the matrix is whole",
  ignore: chosen.length === missing.length,
  fn: () => {
    const tested = chosen.filter((agent) => !missing.includes(agent));
    console.log(matrix(tested));
    const gaps = tested.flatMap((agent) =>
      kindsOf(agent).filter((kind) => !cellOf(agent, kind).startsWith(lettersOf(agent, kind)))
        .map(({ name }) => `${agent.name} → ${name}`)
    );
    assertEquals(gaps, []);
  },
});

/** The agents with their versions, and what each has passed on the upstreams of each format. */
function matrix(tested: readonly Agent[]): string {
  const line = (first: string, cells: readonly string[]) =>
    first.padEnd(32) + cells.map((cell) => cell.padEnd(18)).join("");
  const legend = [
    ...tasks.map(({ letter, name }) => `${letter}: ${name}`),
    "r: reasoning came home",
  ];
  return [
    line("agent \\ upstream", upstreamKinds.map(({ name }) => name)),
    ...tested.map((agent) =>
      line(
        `${agent.name} ${agentPackages[agent.package].version}`,
        upstreamKinds.map((kind) => [...cellOf(agent, kind)].map((one) => `${one}✓`).join(" ")),
      )
    ),
    legend.join(", "),
  ].join("\n");
}

function lettersOf(agent: Agent, kind: UpstreamKind): string {
  return tasksOf(agent, kind).map(({ letter }) => letter).join("");
}

function cellOf(agent: Agent, kind: UpstreamKind): string {
  return passed.get(`${agent.name} → ${kind.name}`) ?? "";
}
