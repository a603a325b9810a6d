import { buildWhenStale } from "./build.ts";
import { folderWithCode, pathWithSpaces, permissionFlags } from "./permissions.ts";
import { runtimeFlags } from "./runtime_flags.ts";

/**
 * Prints what follows `deno run` or, with `--parallel`, `deno serve` in the tasks that start the
 * gateway. Builds the console first if it is stale, because the gateway may not. On a fault it
 * prints a program that ends the task with 1, because the task's shell ignores its own status.
 */
if (import.meta.main) {
  const env = Deno.env.toObject();
  const module = Deno.args.includes("--parallel") ? await serveParallel(env) : ["main.ts"];
  const flags = [...permissionFlags(env), ...runtimeFlags];
  const spaced = pathWithSpaces(env);
  if (spaced !== undefined) {
    const command = shown(["deno", module.length > 1 ? "serve" : "run", ...flags, ...module]);
    refuse(
      `Cannot start as a task: the path '${spaced.path}' of ${spaced.setting} has a space. Choose another path, or start the gateway with this command:\n${command}`,
    );
  }
  const folder = folderWithCode(env);
  if (folder !== undefined) {
    refuse(
      `Cannot start as a task: the folder ${folder} of the store or the log's archive holds the gateway's code, which it could then change. Choose another folder, such as data`,
    );
  }
  await buildConsole();
  console.log([...flags, ...module].join(" "));
}

/** Each isolate listens on the gateway's address itself; the flags are for the runtime's own listener. */
async function serveParallel(env: Record<string, string>): Promise<string[]> {
  const { ConfigError, loadConfig } = await import("../lib/config.ts");
  try {
    const { port } = loadConfig(env); // also reports a faulty configuration once, instead of in each isolate
    if (port === 0) refuse("Cannot start in parallel on PORT=0. Set PORT to a free port");
    return ["--parallel", "--host", "127.0.0.1", "--port", "0", "serve.ts"];
  } catch (error) {
    if (error instanceof ConfigError) refuse(error.message);
    throw error;
  }
}

/** The API works without the console, so the start continues; the gateway logs a missing build. */
async function buildConsole(): Promise<void> {
  try {
    await buildWhenStale();
  } catch (error) {
    console.error(`Cannot build the console: ${error instanceof Error ? error.message : error}`);
  }
}

function shown(words: readonly string[]): string {
  return words.map((word) => /[\s*]/.test(word) ? `'${word}'` : word).join(" ");
}

function refuse(fault: string): never {
  console.error(fault);
  console.log("data:text/javascript,Deno.exit(1)");
  Deno.exit(0);
}
