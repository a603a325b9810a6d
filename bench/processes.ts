import { linesOf } from "./processes/lines.ts";

/** A process that the harness has started. */
export interface Started {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface Command {
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** True if its errors are not shown. */
  readonly isSilent?: boolean;
}

interface ServerCommand extends Command {
  readonly port: number;
}

const folder = new URL("./processes/", import.meta.url).pathname;

/** Starts a server and waits until it accepts connections. */
export async function startServer(command: ServerCommand): Promise<Started> {
  const { lines, ended, ...started } = spawn(command);
  void drain(lines);
  const outcome = await Promise.race([accepts(command.port), ended]);
  if (outcome === true) return started;
  if (outcome === false) await started.stop();
  throw new Error(`${command.args.join(" ")} does not accept connections`);
}

const [startMsMax, pollMs] = [120_000, 100];

async function accepts(port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < startMsMax; waitedMs += pollMs) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
    if (connection) {
      connection.close();
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return false;
}

/** A process of the harness that takes orders. */
export class Worker<Order, Answer> {
  readonly pid: number;
  readonly stop: () => Promise<void>;
  readonly #lines: AsyncGenerator<string>;
  readonly #orders: WritableStreamDefaultWriter<Uint8Array>;

  private constructor({ pid, stop, lines, orders }: ReturnType<typeof spawn>) {
    this.pid = pid;
    this.stop = stop;
    this.#lines = lines;
    this.#orders = orders;
  }

  static async start<Order, Answer>(
    file: string,
    ...args: string[]
  ): Promise<Worker<Order, Answer>> {
    const worker = new Worker<Order, Answer>(
      spawn({ args: ["run", "-A", folder + file, ...args] }),
    );
    await worker.#lines.next();
    return worker;
  }

  async ask(order: Order): Promise<Answer> {
    await this.#orders.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`));
    const { value, done } = await this.#lines.next();
    if (done) throw new Error("A process of the bench ended");
    return JSON.parse(value);
  }
}

/** Only these variables reach a process: credentials of vendors would add upstreams. */
const inherited = ["PATH", "HOME", "DENO_DIR", "NPM_CONFIG_REGISTRY", "LANG"] as const;

function spawn({ command = Deno.execPath(), args, cwd, env, isSilent }: Command) {
  const own = inherited.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const process = new Deno.Command(command, {
    args: [...args],
    ...cwd !== undefined && { cwd },
    env: { ...Object.fromEntries(own), DENO_NO_UPDATE_CHECK: "1", ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: isSilent ? "null" : "inherit",
  }).spawn();
  const lines = linesOf(process.stdout);
  const stop = async () => {
    process.kill("SIGTERM");
    void drain(lines);
    await process.status;
  };
  const { pid, status: ended } = process;
  return { pid, ended, stop, lines, orders: process.stdin.getWriter() };
}

async function drain(lines: AsyncGenerator<string>): Promise<void> {
  for await (const _ of lines); // a full pipe would block the process
}

export function processFile(name: string): string {
  return folder + name;
}

export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
