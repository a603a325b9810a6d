import { removeFolder } from "../../store/temp_store.ts";
import type { ServerOptions } from "../server_process.ts";
import { startServer } from "../server_process.ts";

/** A measurement of a gateway's main thread during some work. */
export interface Stretches {
  /** The longest time without a turn of the event loop, in milliseconds of processor time. */
  readonly longestMs: number;
  /** The sum of all notable ones. */
  readonly sumMs: number;
  /** The most resident memory, in bytes. */
  readonly peakBytes: number;
}

export interface Ticking extends AsyncDisposable {
  readonly base: string;
  during(work: () => Promise<unknown>): Promise<Stretches>;
}

/** Starts a gateway that measures its own stretches (Linux). */
export async function startTicking(options: ServerOptions): Promise<Ticking> {
  const folder = await Deno.makeTempDir();
  const server = await startServer(folder, {
    ...options,
    entry: "tests/e2e/load/ticking_main.ts",
    permissions: "all", // to read its own time in /proc
    stdout: "piped",
  });
  const { process: { pid, stdout } } = server;
  let stretches: number[] = [];
  const reading = collect(stdout, (ms) => stretches.push(ms));
  return {
    base: server.base,
    during: async (work) => {
      await pause();
      stretches = [];
      await Deno.writeTextFile(`/proc/${pid}/clear_refs`, "5");
      await work();
      await pause();
      return {
        longestMs: Math.max(0, ...stretches),
        sumMs: stretches.reduce((sum, ms) => sum + ms, 0),
        peakBytes: await peakBytesOf(pid),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await reading;
      await removeFolder(folder);
    },
  };
}

/** Lets the gateway finish and write what it measured. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}

async function collect(
  stdout: ReadableStream<Uint8Array>,
  add: (ms: number) => void,
): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stdout) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const ms = /^stretch ([\d.]+)$/.exec(line)?.[1];
      if (ms !== undefined) add(Number(ms));
    }
  }
}

async function peakBytesOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
