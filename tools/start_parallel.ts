import { ConfigError, loadConfig } from "../lib/config.ts";
import { runtimeFlags } from "./runtime_flags.ts";

const repository = new URL("..", import.meta.url).pathname;

/**
 * `deno task start:parallel`: serves on all cores at the address that HOST and PORT name, which
 * `deno serve` takes only as flags and a task cannot give a default. Passes signals on and exits with
 * the server's code.
 */
if (import.meta.main) {
  const { host, port } = addressOf(Deno.env.toObject());
  const server = new Deno.Command(Deno.execPath(), {
    args: [
      ...["serve", "-A", ...runtimeFlags, "--parallel"],
      ...["--host", host, "--port", `${port}`, "serve.ts"],
    ],
    cwd: repository,
  }).spawn();
  Deno.addSignalListener("SIGTERM", () => server.kill("SIGTERM"));
  Deno.addSignalListener("SIGINT", () => {
    // Not from a terminal: its Ctrl+C reaches the server, too, and a second signal would end it at
    // once.
    if (!Deno.stdin.isTerminal()) server.kill("SIGINT");
  });
  Deno.exit((await server.status).code);
}

function addressOf(env: Record<string, string>): { readonly host: string; readonly port: number } {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
