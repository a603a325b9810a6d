import { assert } from "@std/assert";
import { packNpm } from "../../tools/release.ts";
import { packageName } from "../../tools/release/npm_package.ts";
import { freePort } from "../e2e/server_process.ts";
import { until } from "../waiting.ts";

/** The npm package, installed into an empty folder for a user whose home is empty. */
export interface Installed extends AsyncDisposable {
  readonly folder: string;
  readonly installMs: number;
  readonly port: number;
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ran>;
  /** Starts the gateway, and waits until it answers. */
  start(): Promise<Running>;
}

/** The output and the exit code of a command. */
interface Ran {
  readonly code: number;
  readonly out: string;
  readonly said: string;
}

/** A started gateway. */
export interface Running {
  /** From the command to the first answer. */
  readonly readyMs: number;
  /** Its output at the start. */
  readonly printed: string;
  stop(signal: Deno.Signal): Promise<Deno.CommandStatus>;
}

/** The machine decides how npm reaches its registry. */
function environment(home: string): Record<string, string> {
  const kept = /^(PATH|npm_config_(?!cache|prefix).*|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;
  const env = Object.entries(Deno.env.toObject()).filter(([name]) => kept.test(name));
  return { ...Object.fromEntries(env), HOME: home, NO_COLOR: "1" };
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

export async function install(): Promise<Installed> {
  const scratch = await Deno.realPath(await Deno.makeTempDir());
  const [folder, home] = [`${scratch}/empty`, `${scratch}/home`];
  await Deno.mkdir(folder);
  await Deno.mkdir(home);
  const tarball = await packNpm(scratch);
  const port = freePort();
  const env = { ...environment(home), PORT: `${port}`, HOST: "127.0.0.1" };
  const options = { cwd: folder, env, clearEnv: true, stdin: "null" } as const;
  const ran = async (command: string, args: string[]) => {
    const output = await new Deno.Command(command, { ...options, args }).output();
    return { code: output.code, out: text(output.stdout), said: text(output.stderr) };
  };
  const began = performance.now();
  const installed = await ran("npm", ["install", "--no-audit", "--no-fund", tarball]);
  assert(installed.code === 0, installed.said);
  const installMs = performance.now() - began;
  const command = `${folder}/node_modules/.bin/${packageName}`;
  return {
    ...{ folder, installMs, port },
    run: (...args) => ran(command, args),
    start: () => started(new Deno.Command(command, { ...options, stdout: "piped" }), port),
    [Symbol.asyncDispose]: () => Deno.remove(scratch, { recursive: true }),
  };
}

async function started(command: Deno.Command, port: number): Promise<Running> {
  const began = performance.now();
  const process = command.spawn();
  const reader = process.stdout.getReader();
  await until(() => isReady(port), "the gateway does not answer", 60_000);
  const readyMs = performance.now() - began;
  const { value = new Uint8Array() } = await reader.read(); // everything is printed at once
  return {
    ...{ readyMs, printed: text(value) },
    stop: async (signal) => {
      process.kill(signal);
      const status = await process.status;
      await reader.cancel();
      return status;
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}
