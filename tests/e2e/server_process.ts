import { buildWhenStale } from "../../tools/build.ts";
import { permissionFlags, runtimeFlags } from "../../tools/start_arguments.ts";
import { testKey } from "./gateway.ts";

const root = new URL("../..", import.meta.url).pathname;

/** A gateway in a process of its own, which can be killed. */
export interface ServerProcess {
  readonly base: string;
  readonly process: Deno.ChildProcess;
  /** Its standard error so far. */
  said(): string;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for its exit code. */
  stop(): Promise<number>;
}

export interface ServerOptions {
  /** The configuration file; a test key is added if it declares none. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** `deno serve --parallel`: so many isolates in the process. */
  readonly isolates?: number;
  /** Flags after those of `deno task start`, such as `--deny-write`, or all permissions. */
  readonly permissions?: readonly string[] | "all";
  /** The entry file; default: `main.ts`. */
  readonly entry?: string;
  /** The limit of open files of the process; default: the test's own. */
  readonly openFilesMax?: number;
  /** Default: a free one. */
  readonly port?: number;
  /** Tells servers on one store apart. */
  readonly name?: string;
  /** `piped` if the test reads the standard output of the process. */
  readonly stdout?: "piped";
}

/**
 * Starts a gateway on a store in `folder`, with the permissions of `deno task start`, and waits
 * until it answers.
 */
export async function startServer(
  folder: string,
  options: ServerOptions = {},
): Promise<ServerProcess> {
  const { config = {}, env = {}, isolates, permissions = [], entry = "main.ts" } = options;
  const { name = "config", stdout = "null", openFilesMax } = options;
  const keys = [{ name: "test", group: "default", value: testKey }];
  const configPath = `${folder}/${name}.jsonc`;
  await Deno.writeTextFile(configPath, JSON.stringify({ keys, ...config }));
  const { port = freePort() } = options;
  const ours = {
    PORT: `${port}`,
    TESSERA_KV: `${folder}/tessera.db`,
    TESSERA_CONFIG: configPath,
    ...(isolates !== undefined && { DENO_JOBS: `${isolates}` }),
    ...env,
  };
  const permitted = permissions === "all" ? ["-A"] : [...permissionFlags(ours), ...permissions];
  const flags = [...permitted, ...runtimeFlags];
  const args = isolates === undefined
    ? ["run", ...flags, entry]
    : ["serve", ...flags, "--parallel", "--host", "127.0.0.1", "--port", "0", "serve.ts"];
  await buildWhenStale(); // the gateway may not
  const limited = ["-c", `ulimit -n ${openFilesMax} && exec "$@"`, "sh", Deno.execPath(), ...args];
  const process = new Deno.Command(openFilesMax === undefined ? Deno.execPath() : "sh", {
    args: openFilesMax === undefined ? args : limited,
    cwd: root,
    env: ours,
    stdin: "null",
    stdout,
    stderr: "piped",
  }).spawn();
  const said = collect(process.stderr);
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base, process, said);
  return { base, process, said: () => said.text, ...endings(process, said.done) };
}

function endings(process: Deno.ChildProcess, done: Promise<void>) {
  const end = async (signal: Deno.Signal) => {
    process.kill(signal);
    const { code } = await process.status;
    await done;
    return code;
  };
  return { kill: async () => void await end("SIGKILL"), stop: () => end("SIGTERM") };
}

interface Said {
  text: string;
  readonly done: Promise<void>;
}

function collect(stream: ReadableStream<Uint8Array>): Said {
  const decoder = new TextDecoder();
  const said = { text: "", done: Promise.resolve() };
  said.done = (async () => {
    for await (const chunk of stream) said.text += decoder.decode(chunk, { stream: true });
  })();
  return said;
}

const readyAttemptsMax = 1_500;

async function untilReady(base: string, process: Deno.ChildProcess, said: Said): Promise<void> {
  let ended = false;
  process.status.then(() => ended = true);
  for (let attempt = 0; attempt < readyAttemptsMax && !ended; attempt++) {
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The gateway did not start: ${said.text}`);
}

/** Free a moment ago, on the loopback. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
