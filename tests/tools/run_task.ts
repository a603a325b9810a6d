const root = new URL("../..", import.meta.url).pathname;

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
    args: ["run", "-A", "--no-check", `${root}tools/${script}`, ...args],
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
