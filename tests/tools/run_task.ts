const root = new URL("../..", import.meta.url).pathname;

const tasks: Readonly<Record<string, string>> = JSON.parse(
  Deno.readTextFileSync(`${root}deno.json`),
).tasks;

/** The permissions that the script's task has in `deno.json`. */
function flagsOf(script: string): string[] {
  const commands = Object.values(tasks).map((command) =>
    new RegExp(`^deno run (.*) tools/${script}`).exec(command)
  );
  const [, flags = ""] = commands.find((command) => command !== null) ?? [];
  return flags.split(" ");
}

/** The end of a task that ran in a process of its own. */
export interface TaskEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a script of `tools/` in the project's folder, with no other variables than `env`. */
export function startTask(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...flagsOf(script), "--no-check", `${root}tools/${script}`, ...args],
    cwd: root,
    clearEnv: true,
    env: { HOME: Deno.env.get("HOME") ?? "", NO_COLOR: "1", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a script of `tools/` to its end, without any input. */
export async function runTask(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TaskEnd> {
  const task = startTask(script, args, env);
  await task.stdin.close();
  const { code, stdout, stderr } = await task.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}
