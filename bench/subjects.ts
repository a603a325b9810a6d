import { runtimeFlags } from "../tools/start_arguments.ts";
import { formats } from "./formats.ts";
import { type Command, freePort, processFile, type Started, startServer } from "./processes.ts";
import { keyValues, modelFor } from "./requests.ts";

/** A server under measurement. */
export interface Subject extends Started {
  readonly name: string;
  readonly port: number;
  /** Header lines that its requests need. */
  readonly headers?: readonly string[];
  /** Absent for a server of one isolate. */
  readonly isolates?: number;
}

/** A version of the gateway to measure. */
export interface GatewayOptions {
  readonly name: string;
  /** A folder of its source. */
  readonly source: string;
  /** An existing folder for its data. */
  readonly folder: string;
  readonly upstreamPort: number;
  /** A folder for a profile of the main thread, written when it stops; undefined for none. */
  readonly profile?: string;
  /** The port of the main thread's inspector; undefined for none. */
  readonly inspectPort?: number;
  /** `start:parallel` with so many isolates; undefined for `start`. */
  readonly isolates?: number;
  /** Further declared keys and models. */
  readonly keys?: readonly unknown[];
  readonly models?: readonly string[];
  /** Further variables, such as those of another store. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startBareProxy(upstreamPort: number): Promise<Subject> {
  const port = freePort();
  const args = ["run", "-A", processFile("bare_proxy.ts"), `${port}`, originOf(upstreamPort)];
  return { name: "bare", port, ...await startServer({ args, port }) };
}

/** Starts the gateway as its users do, with its data on disk. */
export async function startGateway(options: GatewayOptions): Promise<Subject> {
  const { name, source, folder, isolates } = options;
  const port = freePort();
  await run({ args: ["run", "-A", "tools/build.ts"], cwd: source }); // else built while it is measured
  const config = `${folder}/${name}.jsonc`;
  await Deno.writeTextFile(config, JSON.stringify(configOf(options)));
  const started = await startServer({
    port,
    args: startArgs(options),
    cwd: source,
    env: {
      PORT: `${port}`,
      TESSERA_KV: `${folder}/${name}/tessera.db`,
      TESSERA_CONFIG: config,
      ...isolates !== undefined && { DENO_JOBS: `${isolates}` },
      ...options.env,
    },
  });
  return { name, port, ...started, ...isolates !== undefined && { isolates } };
}

/** The start of `deno task start`, as a task or, to be looked into, by its own command. */
function startArgs({ isolates, profile, inspectPort }: GatewayOptions): string[] {
  if (isolates !== undefined) return ["task", "start:parallel"];
  if (inspectPort !== undefined) {
    return ["run", "-A", ...runtimeFlags, `--inspect=127.0.0.1:${inspectPort}`, "main.ts"];
  }
  if (profile === undefined) return ["task", "start"];
  const profiling = ["--cpu-prof", `--cpu-prof-dir=${profile}`, "--cpu-prof-interval=200"];
  return ["run", "-A", ...runtimeFlags, ...profiling, "main.ts"];
}

async function run({ args, cwd }: Command): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    ...cwd !== undefined && { cwd },
    stdout: "null",
  });
  const { success } = await command.output();
  if (!success) throw new Error(`${args.join(" ")} failed`);
}

export function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

const basePath = {
  "chat-completions": "/v1",
  messages: "",
  responses: "/v1",
  "generate-content": "/v1beta",
} as const;

const budget = { usd: 9_000_000, period: "month" };
const limits = {
  requestsPerMinute: 100_000_000,
  tokensPerMinute: 1_000_000_000_000,
  concurrency: 10_000,
};

function configOf({ upstreamPort, keys = [], models = [] }: GatewayOptions) {
  return {
    upstreams: formats.map((format) => ({
      id: format,
      endpoints: { [format]: originOf(upstreamPort) + basePath[format] },
      apiKeys: ["x"],
      models: [modelFor(format), ...format === "chat-completions" ? models : []],
    })),
    models: [...formats.map(modelFor), ...models].map((id) => ({
      id,
      price: { input: 3, output: 15 },
    })),
    keys: [
      { name: "full", value: keyValues.full, budget, limits },
      { name: "plain", value: keyValues.plain },
      ...keys,
    ],
  };
}
