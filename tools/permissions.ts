import { parse } from "jsonc-parser";
import { basename, dirname, join } from "node:path";

/** The environment variables that the gateway may read; `*` ends a prefix. */
export const readableVariables: readonly string[] = [
  ...["HOST", "PORT", "TESSERA_*"],
  ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OLLAMA_HOST"],
  ...["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE"],
  ...["CI", "DENO_DEPLOY", "DENO_TIMELINE", "DENO_KV_ACCESS_TOKEN", "OTEL_DENO"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"],
];

/** The places outside its own folder that the gateway uses. */
interface Places {
  /** The folder of the store and its secret; empty if the store is not a local file. */
  readonly data: readonly string[];
  readonly configFile: readonly string[];
  /** The folder of the log's archive; empty if it is not a folder. */
  readonly archive: readonly string[];
  /** Variables that the configuration file refers to. */
  readonly variables: readonly string[];
}

/**
 * The flags of `deno run` and `deno serve` with the permissions that the gateway needs.
 * `docs/explanation/security.md` explains each.
 */
export function permissionFlags(env: Readonly<Record<string, string>>): string[] {
  const { data, archive, configFile, variables } = placesIn(env);
  return [
    "--no-prompt",
    "--allow-net",
    "--allow-sys=hostname",
    `--allow-env=${[...readableVariables, ...variables].join(",")}`,
    "--ignore-env",
    `--allow-read=${
      pathList([".", ...data, ...archive, ...configFile, "/proc/self/ns", "/proc/self/fd"])
    }`,
    `--allow-write=${pathList([...data, ...archive, "_fresh/build.lock"])}`,
  ];
}

/** A writable folder that the gateway's own code is in, which it could then change. */
export function folderWithCode(env: Readonly<Record<string, string>>): string | undefined {
  const above = (folder: string) => join(linksResolved(folder), "/");
  const { data, archive } = placesIn(env);
  return [...data, ...archive].find((folder) => `${Deno.cwd()}/`.startsWith(above(folder)));
}

/** The first path with spaces, and the setting that it is from. */
export function pathWithSpaces(
  env: Readonly<Record<string, string>>,
): { readonly path: string; readonly setting: string } | undefined {
  const { data, configFile, archive } = placesIn(env);
  const settings = { TESSERA_KV: data, TESSERA_CONFIG: configFile, "logArchive.folder": archive };
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
    configFile: configFile ? unique([configFile, realPath(configFile)]) : [],
    archive: configFile ? archiveIn(configFile, env) : [],
    variables: configFile ? variablesIn(configFile) : [],
  };
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
