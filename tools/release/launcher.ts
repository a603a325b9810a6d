import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * The command of the npm package, which Node.js runs: starts the gateway or an operator's task with
 * Deno, from the package's code, in the current folder.
 */
const home = dirname(dirname(fileURLToPath(import.meta.url)));
const { name, version, tasks }: Manifest = JSON.parse(
  readFileSync(join(home, "package.json"), "utf8"),
);

/** The manifest's members in use. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  /** The arguments of Deno by command; the script is below the package's folder. */
  readonly tasks: Readonly<Record<string, readonly string[]>>;
}

/** The package has no configuration file, and needs no other packages. */
const common = ["--no-config", "--no-lock", "--no-remote", "--no-npm", "--unstable-kv"];
const { OTEL_RESOURCE_ATTRIBUTES: attributes } = process.env;
const env = {
  ...process.env,
  DENO_NO_PACKAGE_JSON: "1",
  DENO_NO_UPDATE_CHECK: "1",
  OTEL_RESOURCE_ATTRIBUTES: `service.version=${version}${attributes ? `,${attributes}` : ""}`,
};

const usage =
  `${name} ${version}: a model gateway. It keeps its data in data/, or where TESSERA_KV says.

Usage:
  npx ${name} [start]          start the gateway
  npx ${name} start:parallel   start it with an isolate for each core
  npx ${name} COMMAND --help   show how a command is used

Commands: ${Object.keys(tasks).join(", ")}`;

function main([command = "start", ...args]: readonly string[]): void {
  if (command === "--help" || command === "-h") console.log(usage);
  else if (command === "--version" || command === "-V") console.log(version);
  else if (command === "start" || command === "start:parallel") start(command, args);
  else if (Object.hasOwn(tasks, command)) runTask(tasks[command], args);
  else fail(`Unknown command ${command}\n\n${usage}`, 2);
}

function fail(line: string, code: number): never {
  console.error(line);
  process.exit(code);
}

function runTask(words: readonly string[], args: readonly string[]): void {
  const at = words.findIndex((word) => word.endsWith(".js"));
  const inPlace = words.with(at, join(home, words[at]));
  run(["run", ...common, ...inPlace, ...args], { inOwnGroup: false });
}

/** The first Deno computes the permissions of the second. */
function start(command: string, args: readonly string[]): void {
  if (args.length > 0) fail(`${command} takes no options\n\n${usage}`, 2);
  const isParallel = command === "start:parallel";
  const flags = ["--no-prompt", "--allow-env", "--allow-read", "--unstable-lazy-dynamic-imports"];
  const script = [join(home, "app/start.js"), home, ...isParallel ? ["--parallel"] : []];
  const { status, stdout } = spawnSync(denoPath(), ["run", ...common, ...flags, ...script], {
    ...{ env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  });
  if (status !== 0) process.exit(status ?? 1);
  const subcommand = isParallel ? "serve" : "run";
  run([subcommand, ...common, ...JSON.parse(stdout)], { inOwnGroup: true });
}

/**
 * Runs Deno until it ends, with its exit code. A terminal sends Ctrl-C to all processes of a group,
 * and a second signal ends the gateway at once: it has a group of its own, and gets each signal once.
 */
function run(args: readonly string[], { inOwnGroup }: { readonly inOwnGroup: boolean }): void {
  const child = spawn(denoPath(), args, { env, stdio: "inherit", detached: inOwnGroup });
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  if (process.env.npm_command !== undefined) {
    afterParent(() => child.killed || child.kill("SIGTERM"));
  }
  child.on("error", (error) => fail(`Cannot run Deno: ${error.message}`, 1));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** `npx` passes a signal only to its shell, which ends without this process. */
function afterParent(stop: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 200);
  timer.unref();
}

/** npm may leave out the script that puts Deno into its package. */
function denoPath(): string {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve("deno/package.json"));
  const path = join(folder, process.platform === "win32" ? "deno.exe" : "deno");
  return existsSync(path) ? path : require(join(folder, "install_api.cjs")).runInstall();
}

main(process.argv.slice(2));
