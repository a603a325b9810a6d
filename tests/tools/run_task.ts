const root = new URL("../..", import.meta.url).pathname;

/** The end of a task that ran in a process of its own. */
export interface TaskEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of `tools/` in the project's folder, with no other variables than `env`. */
export async function runTask(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<TaskEnd> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `${root}tools/${script}`, ...args],
    cwd: root,
    clearEnv: true,
    env: { HOME: Deno.env.get("HOME") ?? "", NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}
