import { assert } from "@std/assert";
import { removeFolder } from "../../store/temp_store.ts";
import { testKey } from "../gateway.ts";
import { type ServerOptions, type ServerProcess, startServer } from "../server_process.ts";

/** Measurements of a gateway process under a heavy task. */
interface Fared {
  /** The longest response time of `/healthz`. */
  readonly healthMsMax: number;
  /** The same without the time spent waiting for a processor. */
  readonly ownHealthMsMax: number;
  /** The most memory that the process has had so far. */
  readonly peakBytes: number;
}

/** Asks a gateway for its health from a process of its own, since the test's own loop may stall. */
class HealthProbe implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #commands: WritableStreamDefaultWriter<Uint8Array>;

  constructor({ base, process }: ServerProcess) {
    const program = new URL("health_probe.ts", import.meta.url).pathname;
    this.#process = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "-A", program, base, `${process.pid}`],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#lines = this.#process.stdout.pipeThrough(new TextDecoderStream()).getReader();
    this.#commands = this.#process.stdin.getWriter();
  }

  /** The longest answer since it was asked last. */
  async longest(): Promise<Omit<Fared, "peakBytes">> {
    await this.#commands.write(new TextEncoder().encode("?\n"));
    const { value = "" } = await this.#lines.read();
    const [healthMsMax, ownHealthMsMax] = value.split(" ").map(Number);
    return { healthMsMax, ownHealthMsMax };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commands.close();
    await this.#lines.cancel();
    await this.#process.status;
  }
}

/** A gateway in a process of its own and a probe of its health. */
export interface Watched extends AsyncDisposable {
  readonly server: ServerProcess;
  /** Runs a heavy task and measures the gateway meanwhile. */
  during(work: () => Promise<unknown>): Promise<Fared>;
}

export async function startWatched(options: ServerOptions): Promise<Watched> {
  const folder = await Deno.makeTempDir();
  const server = await startServer(folder, options);
  const probe = new HealthProbe(server);
  await probe.longest();
  return {
    server,
    during: async (work) => {
      await probe.longest();
      await work();
      return { ...await probe.longest(), peakBytes: await peakBytesOf(server.process.pid) };
    },
    [Symbol.asyncDispose]: async () => {
      await probe[Symbol.asyncDispose]();
      await server.kill();
      await removeFolder(folder);
    },
  };
}

/** Of Linux alone. */
async function peakBytesOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

export interface Sent {
  readonly path?: string;
  readonly key?: string;
  readonly body: BodyInit;
}

/** Posts a body and reads the answer. */
export async function post(
  { server }: { readonly server: { readonly base: string } },
  { path = "/v1/chat/completions", key = testKey, body }: Sent,
): Promise<{ status: number; code?: string; text: string }> {
  const response = await fetch(server.base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  return { status: response.status, code: /"code":"(\w+)"/.exec(text)?.[1], text };
}

const mebibyte = 1024 * 1024;
const healthMs = 250;

const roundsMax = 3;

/**
 * Runs a heavy task, during which `/healthz` must answer in time. Repeats it after a failure, since
 * the machine may be busy: a stall of the gateway itself occurs each time.
 */
export async function assertHealthy(
  watched: Watched,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const own: number[] = [];
  while (own.length < roundsMax && !own.some((ms) => ms <= healthMs)) {
    const { healthMsMax, ownHealthMsMax, peakBytes } = await watched.during(work);
    own.push(ownHealthMsMax);
    console.log(
      `${name}: /healthz within ${healthMsMax} ms, ${ownHealthMsMax} of its own; peak ${
        Math.round(peakBytes / mebibyte)
      } MiB`,
    );
  }
  assert(Math.min(...own) <= healthMs, `/healthz took ${own.join(", ")} ms`);
}
