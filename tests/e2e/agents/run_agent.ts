import { agentPath } from "../../../tools/agents.ts";

/** A command line with its own home and nothing of the tester's surroundings. */
export interface AgentRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  /** Its working directory. */
  readonly folder: string;
  readonly timeoutMs: number;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly ms: number;
}

/** Runs an agent to its end, or to its timeout; nothing that it started outlives it. */
export async function runAgent(run: AgentRun): Promise<Finished> {
  const startedAt = performance.now();
  const child = new Deno.Command(run.command, {
    args: [...run.args],
    cwd: run.folder,
    clearEnv: true,
    env: { PATH: agentPath, HOME: run.home, TMPDIR: `${run.home}/tmp`, ...run.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, run.timeoutMs);
  const output = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const { code } = await child.status;
  clearTimeout(timer);
  killGroup(child.pid);
  const [stdout, stderr] = await output;
  return { code, stdout, stderr, timedOut, ms: performance.now() - startedAt };
}

/** A detached process leads its own process group, whose id is its pid. */
function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}
