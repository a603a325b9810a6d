import { dirname } from "node:path";

/** Files and folders of an installation. `.dockerignore` admits the same. */
export const installedFiles = [
  ...["LICENSE", "README.md", "config.schema.json", "deno.json", "deno.lock"],
  ...["app.ts", "main.ts", "serve.ts"],
  ...["components", "docs", "islands", "jsr", "lib", "routes", "static"],
  ...["tools/audit.ts", "tools/build.ts", "tools/compact.ts", "tools/funds.ts", "tools/install.ts"],
  ...[
    "tools/log.ts",
    "tools/password.ts",
    "tools/permissions.ts",
    "tools/ready.ts",
    "tools/runtime_flags.ts",
  ],
  ...["tools/start_arguments.ts", "tools/task_end.ts"],
] as const;

/** Packages of `deno.json` that tests and other tools use, and the gateway does not. */
export const developmentPackages: ReadonlySet<string> = new Set([
  ...["@anthropic-ai/sdk", "@google/genai", "@prometheus-io/lezer-promql", "openai"],
  ...["@seriousme/openapi-schema-validator", "@std/assert", "ajv", "ajv-formats", "fast-check"],
  ...["axe-core", "puppeteer-core", "s3rver"],
]);

/** Tasks that need only installed files. */
const installedTasks: readonly string[] = [
  ...["start", "start:parallel", "build"],
  ...["audit", "compact", "log", "grant", "password", "codes"],
];

/** Packages' files that only compilers, debuggers and readers open. */
const unused = /\.(map|md|markdown|[cm]?ts|tsx|flow|scss|less)$/;

/**
 * Installs the gateway into a folder: its files, the packages that it runs with, and the built
 * console. The `Dockerfile` does it in an image, and an operator on a server:
 *
 *     deno run -A --no-config tools/install.ts /opt/tessera
 */
async function install(folder: string): Promise<void> {
  const source = dirname(import.meta.dirname ?? ".");
  for (const path of installedFiles) await copy(`${source}/${path}`, `${folder}/${path}`);
  const config = productionConfig(JSON.parse(await Deno.readTextFile(`${source}/deno.json`)));
  await writeJson(`${folder}/deno.json`, config);
  await run(folder, ["install", "--quiet"]);
  // Otherwise each start would try to lock the folder of packages, for a minute if it is read-only.
  await writeJson(`${folder}/deno.json`, { ...config, nodeModulesDir: "manual" });
  await run(folder, ["run", "-A", "tools/build.ts"]);
  // Compiles the sources ahead into Deno's cache.
  await run(folder, ["cache", "--quiet", "main.ts", "serve.ts", "_fresh/server.js"]);
  await removeUnused(`${folder}/node_modules`);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

interface DenoConfig {
  readonly imports: Readonly<Record<string, string>>;
  readonly tasks: Readonly<Record<string, string>>;
  readonly links: readonly string[];
}

/** The configuration without what only development needs; the lock file follows it. */
export function productionConfig<Config extends DenoConfig>(config: Config): Config {
  const { imports, tasks } = config;
  return {
    ...config,
    imports: filtered(imports, (name) => !developmentPackages.has(name)),
    tasks: filtered(tasks, (name) => installedTasks.includes(name)),
  };
}

function filtered(
  table: Readonly<Record<string, string>>,
  keeps: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => keeps(name)));
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  if ((await Deno.stat(from)).isFile) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copy(`${from}/${name}`, `${to}/${name}`);
}

async function removeUnused(folder: string): Promise<void> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) await removeUnused(path);
    else if (isFile && unused.test(name) && !/licen[cs]e/i.test(name)) await Deno.remove(path);
  }
}

async function run(cwd: string, args: string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd }).spawn().status;
  if (!success) throw new Error(`deno ${args.join(" ")} failed`);
}

if (import.meta.main) {
  const [folder] = Deno.args;
  if (folder === undefined) {
    console.error("Name the folder: deno run -A --no-config tools/install.ts /opt/tessera");
    Deno.exit(1);
  }
  await install(folder);
  console.log(`Installed in ${folder}`);
}
