import type { Terminal } from "../../cli/terminal.ts";
import { runCommand } from "../../cli/run.ts";

/** The output of a command, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command with an environment and a way to the gateway of the test's own. */
export async function runCli(
  args: readonly string[],
  { env = {}, send = fetch, answers = [] }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly send?: Terminal["send"];
    readonly answers?: readonly string[];
  } = {},
): Promise<Ran> {
  const [out, err, left]: [string[], string[], string[]] = [[], [], [...answers]];
  const code = await runCommand(args, {
    env: (name) => env[name],
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
    ask: () => left.shift(),
    send,
    interrupted: new AbortController().signal,
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}
