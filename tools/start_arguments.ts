import { parse } from "jsonc-parser";
import { basename, dirname, join } from "node:path";
import { machineVariables } from "../lib/config/machine.ts";
import { buildWhenStale } from "./build.ts";

/** A start that the operator has to change. */
export class StartRefusal extends Error {}

/** The gateway's code. */
export interface Code {
  readonly folder: string;
  /** The modules of `deno run` and `deno serve`. */
  readonly main: string;
  readonly serve: string;
  /** The files of the code that the gateway may write. */
  readonly written: readonly string[];
}

/** A source tree in the current folder, where the gateway may lock the build of the console. */
const sourceTree: Code = {
  ...{ folder: ".", main: "main.ts", serve: "serve.ts", written: ["_fresh/build.lock"] },
};

/** The flags and the module of `deno run` or, for a start in parallel, `deno serve`. */
export async function startArguments(
  env: Record<string, string>,
  { isParallel, code = sourceTree }: { readonly isParallel: boolean; readonly code?: Code },
): Promise<{ readonly flags: string[]; readonly module: string[] }> {
  const module = isParallel ? await serveParallel(env, code) : [code.main];
  const folder = folderWithCode(env, code);
  if (folder === undefined) {
    return { flags: [...permissionFlags(env, code), ...runtimeFlags], module };
  }
  throw new StartRefusal(
    `Cannot start: the folder ${folder} of the store or the log's archive holds the gateway's code, which it could then change. Choose another folder, such as data`,
  );
}

/** Each isolate listens on the gateway's address itself; the flags are for the runtime's own listener. */
async function serveParallel(env: Record<string, string>, { serve }: Code): Promise<string[]> {
  const { ConfigError, loadConfig } = await import("../lib/config.ts");
  try {
    const { port } = loadConfig(env); // also reports a faulty configuration once, instead of in each isolate
    if (port !== 0) return ["--parallel", "--host", "127.0.0.1", "--port", "0", serve];
  } catch (error) {
    throw error instanceof ConfigError ? new StartRefusal(error.message) : error;
  }
  throw new StartRefusal("Cannot start in parallel on PORT=0. Set PORT to a free port");
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

/** The environment variables that the gateway may read; `*` ends a prefix. */
export const readableVariables: readonly string[] = [
  ...["HOST", "PORT", "TESSERA_*"],
  ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OLLAMA_HOST"],
  ...["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE"],
  ...["CI", "DENO_DEPLOY", "DENO_TIMELINE", "DENO_KV_ACCESS_TOKEN", "OTEL_DENO"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"],
  ...machineVariables,
];

/** The places outside its own folder that the gateway uses. */
interface Places {
  /** The folder of the store and its secret; empty if the store is not a local file. */
  readonly data: readonly string[];
  readonly configFile: readonly string[];
  /** The file of the certificate that the address of a database names. */
  readonly certificate: readonly string[];
  /** The folder of the log's archive; empty if it is not a folder. */
  readonly archive: readonly string[];
  /** The folders of token files of clouds, which replace them by links. */
  readonly tokens: readonly string[];
  /** Variables that the configuration file refers to. */
  readonly variables: readonly string[];
}

/**
 * The flags of `deno run` and `deno serve` with the permissions that the gateway needs.
 * `docs/explanation/security.md` explains each.
 */
export function permissionFlags(
  env: Readonly<Record<string, string>>,
  { folder, written }: Pick<Code, "folder" | "written"> = sourceTree,
): string[] {
  const { data, archive, configFile, certificate, tokens, variables } = placesIn(env);
  const files = [...configFile, ...certificate, ...tokens];
  const writable = [...data, ...archive, ...written];
  return [
    "--no-prompt",
    "--allow-net",
    "--allow-sys=hostname",
    `--allow-env=${[...readableVariables, ...variables].join(",")}`,
    "--ignore-env",
    `--allow-read=${
      pathList([folder, ...data, ...archive, ...files, "/proc/self/ns", "/proc/self/fd"])
    }`,
    ...writable.length > 0 ? [`--allow-write=${pathList(writable)}`] : [],
  ];
}

/** The folders of the source tree and of the npm package. */
export const codeFolders: readonly string[] =
  ".ci .git .github _fresh app bench bin cli components deploy docs islands jsr lib node_modules routes static tests tools"
    .split(" ");

/** A writable folder with code of the gateway, which it could then change. */
function folderWithCode(
  env: Readonly<Record<string, string>>,
  code: Pick<Code, "folder">,
): string | undefined {
  const above = (folder: string) => join(linksResolved(folder), "/");
  const { data, archive } = placesIn(env);
  const itself = above(code.folder);
  const parts = codeFolders.map((name) => join(itself, name, "/"));
  return [...data, ...archive].find((folder) => {
    const writable = above(folder);
    return itself.startsWith(writable) || parts.some((part) => writable.startsWith(part));
  });
}

/** The first path with spaces, and the setting that it is from. */
function pathWithSpaces(
  env: Readonly<Record<string, string>>,
): { readonly path: string; readonly setting: string } | undefined {
  const { data, certificate, configFile, archive } = placesIn(env);
  const settings = {
    TESSERA_KV: [...data, ...certificate],
    TESSERA_CONFIG: configFile,
    "logArchive.folder": archive,
  };
  for (const [setting, paths] of Object.entries(settings)) {
    const path = paths.find((one) => /\s/.test(one));
    if (path !== undefined) return { path, setting };
  }
}

/** A comma separates the paths of a flag, and a doubled one is part of a path. */
function pathList(paths: readonly string[]): string {
  return paths.map((path) => path.replaceAll(",", ",,")).join(",");
}

/**
 * Finds the places in the environment, as `lib/config.ts` does but without its checks: the gateway
 * itself reports a wrong value.
 */
function placesIn(env: Readonly<Record<string, string>>): Places {
  const store = env.TESSERA_KV?.trim() || "data/tessera.db";
  const isLocal = store !== ":memory:" && !/^[a-z]{2,}:\/\//i.test(store);
  const configFile = env.TESSERA_CONFIG?.trim();
  return {
    data: isLocal ? unique([dirname(store), dirname(realPath(store))]) : [],
    configFile: fileAt(configFile),
    certificate: fileAt(certificateIn(store)),
    archive: configFile ? archiveIn(configFile, env) : [],
    tokens: tokenFolders(env, configFile),
    variables: configFile ? variablesIn(configFile) : [],
  };
}

/** The folders of the token files that variables and credential sources name. */
function tokenFolders(
  env: Readonly<Record<string, string>>,
  configFile: string | undefined,
): string[] {
  const named = machineVariables.filter((name) => name.endsWith("_FILE"))
    .flatMap((name) => env[name]?.trim() || []);
  const sources = configFile ? credentialsIn(configFile, env) : [];
  const members = /"(?:tokenFile|federatedTokenFile|file)"\s*:\s*"([^"]+)"/g;
  const found = sources.flatMap((text) => [...text.matchAll(members)].map(([, path = ""]) => path));
  return unique([...named, ...found].map(dirname).flatMap((folder) => [folder, realPath(folder)]));
}

/** The credentials of the file's upstreams, with `${NAME}` replaced. */
function credentialsIn(configFile: string, env: Readonly<Record<string, string>>): string[] {
  try {
    const { upstreams } = parse(Deno.readTextFileSync(configFile));
    return upstreams.flatMap(({ apiKeys = [] }) => apiKeys).map((one: unknown) =>
      (typeof one === "string" ? one : JSON.stringify(one))
        .replaceAll(/\$\{(\w+)\}/g, (_, name) => env[name] ?? "")
    );
  } catch {
    return []; // the gateway reports a faulty file
  }
}

/** The file in `?sslrootcert=` of a PostgreSQL database's address. */
function certificateIn(store: string): string | null | undefined {
  return URL.parse(store)?.searchParams.get("sslrootcert");
}

function fileAt(path: string | null | undefined): string[] {
  return path ? unique([path, realPath(path)]) : [];
}

/**
 * The path without symbolic links, as Deno checks permissions; the file need not exist. A path that
 * has none remains as it is written.
 */
function realPath(path: string): string {
  const real = linksResolved(path);
  return real === join(Deno.cwd(), path) ? path : real;
}

function linksResolved(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(linksResolved(above), basename(path));
  }
}

/** The names in `${NAME}`. */
function variablesIn(configFile: string): string[] {
  try {
    const text = Deno.readTextFileSync(configFile);
    return unique([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name));
  } catch {
    return []; // the gateway reports the unreadable file
  }
}

/** The folder of the log's archive, with `${NAME}` replaced. */
function archiveIn(configFile: string, env: Readonly<Record<string, string>>): string[] {
  try {
    const folder = parse(Deno.readTextFileSync(configFile))?.logArchive?.folder;
    if (typeof folder !== "string") return [];
    const path = folder.replaceAll(/\$\{(\w+)\}/g, (_, name) => env[name] ?? "").trim();
    return path === "" ? [] : unique([path, realPath(path)]);
  } catch {
    return []; // the gateway reports the unreadable file
  }
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}

/**
 * The runtime's flags of the tasks that start the gateway. `bench/RESULTS.md` says what each
 * saves.
 */
export const runtimeFlags: readonly string[] = [
  "--unstable-no-legacy-abort", // `deno.json` cannot set it (Deno 2.8.2)
  "--v8-flags=--no-memory-reducer,--min-semi-space-size=64,--max-semi-space-size=64",
  "--unstable-lazy-dynamic-imports",
];

/**
 * Prints what follows `deno run` or, with `--parallel`, `deno serve` in the tasks that start the
 * gateway. Builds the console first if it is stale, because the gateway may not. On a fault it
 * prints a program that ends the task with 1, because the task's shell ignores its own status.
 */
if (import.meta.main) {
  const env = Deno.env.toObject();
  const isParallel = Deno.args.includes("--parallel");
  const { flags, module } = await startArguments(env, { isParallel }).catch((error) => {
    if (error instanceof StartRefusal) refuse(error.message);
    throw error;
  });
  const spaced = pathWithSpaces(env);
  if (spaced !== undefined) {
    const command = shown(["deno", isParallel ? "serve" : "run", ...flags, ...module]);
    refuse(
      `Cannot start as a task: the path '${spaced.path}' of ${spaced.setting} has a space. Choose another path, or start the gateway with this command:\n${command}`,
    );
  }
  await buildConsole();
  console.log([...flags, ...module].join(" "));
}
