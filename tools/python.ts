import { cacheFolder } from "./agents.ts";

/** Packages of Python at pinned versions, in an environment of their own. */
interface PythonEnvironment {
  /** For messages. */
  readonly name: string;
  readonly folder: string;
  /** The path of the list of requirements. */
  readonly requirements: string;
}

const programs = new URL("../tests/e2e/sdk/programs/", import.meta.url).pathname;
const installed = `${programs}installed.py`;
const checkMsMax = 30_000;
const createMsMax = 60_000;
const installMsMax = 4 * 60_000;

/** The vendors' SDKs of Python, which `tests/e2e/sdk` runs as programs of their own. */
const sdks: PythonEnvironment = {
  name: "the Python SDKs",
  folder: folderOf(Deno.env.get("TESSERA_PYTHON_SDKS") ?? "python"),
  requirements: `${programs}requirements.txt`,
};

/** Schemathesis, which tests the management API against its description. */
const schemathesisOnly: PythonEnvironment = {
  name: "Schemathesis",
  folder: folderOf(Deno.env.get("TESSERA_SCHEMATHESIS") ?? "schemathesis"),
  requirements: new URL("../tests/e2e/management/requirements.txt", import.meta.url).pathname,
};

/** A folder of the cache, unless the path is whole. */
function folderOf(path: string): string {
  return path.startsWith("/") ? path : `${cacheFolder}/${path}`;
}

/** The interpreter that knows the SDKs. */
export const python = interpreterOf(sdks);

/** The program. */
export const schemathesis = `${schemathesisOnly.folder}/bin/schemathesis`;

/** The command for a program: only installed packages, and no compiled files next to it. */
export function pythonCommand(file: string, variant: string) {
  return { command: python, args: ["-B", programs + file, variant] };
}

/** Returns true if Python starts and every SDK is installed at its pinned version. */
export function isPythonInstalled(): Promise<boolean> {
  return isComplete(sdks);
}

/** Returns true if it is installed at its pinned version. */
export function isSchemathesisInstalled(): Promise<boolean> {
  return isComplete(schemathesisOnly);
}

/** The pinned versions of these packages, as text. */
export function pythonSdkVersions(packages: readonly string[]): string {
  const pinned = Deno.readTextFileSync(sdks.requirements).split("\n");
  return packages.map((name) => pinned.find((one) => one.startsWith(`${name}==`)) ?? name)
    .join(" ");
}

function interpreterOf({ folder }: PythonEnvironment): string {
  return `${folder}/bin/python`;
}

function isComplete(environment: PythonEnvironment): Promise<boolean> {
  const args = ["-B", installed, environment.requirements];
  return succeeds(interpreterOf(environment), args, checkMsMax);
}

/**
 * Installs an environment. A complete one is reused; an incomplete one is created again. Returns the
 * reason for a failure, or undefined.
 */
async function install(environment: PythonEnvironment): Promise<string | undefined> {
  if (await isComplete(environment)) return undefined;
  const { folder, requirements } = environment;
  await Deno.mkdir(folder, { recursive: true });
  if (!await succeeds("python3", ["-m", "venv", "--clear", folder], createMsMax)) {
    return "python3 with venv is missing";
  }
  const options = ["--no-input", "--only-binary", ":all:", "--requirement", requirements];
  const pip = ["-m", "pip", "install", ...options];
  if (!await succeeds(interpreterOf(environment), pip, installMsMax)) {
    return "pip could not install them";
  }
  return await isComplete(environment) ? undefined : "they are not at their pinned versions";
}

/** Returns true if a command succeeds in time; false also if it does not exist. */
async function succeeds(command: string, args: string[], msMax: number): Promise<boolean> {
  const signal = AbortSignal.timeout(msMax);
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  try {
    return (await new Deno.Command(command, { args, signal, ...quiet }).output()).success;
  } catch {
    return false;
  }
}

/**
 * Installs what tests run in Python, at pinned versions, into the cache folder. `deno task
 * sdks:python` installs the vendors' SDKs (`TESSERA_PYTHON_SDKS` names another folder) and prints
 * them, `deno task schemathesis` Schemathesis (`TESSERA_SCHEMATHESIS`).
 */
if (import.meta.main) {
  const environment = Deno.args[0] === "schemathesis" ? schemathesisOnly : sdks;
  const fault = await install(environment);
  if (fault !== undefined) {
    console.error(`Could not install ${environment.name}: ${fault}`);
    Deno.exit(1);
  }
  const names = ["openai", "anthropic", "google-genai"]; // the others are their dependencies
  if (environment === sdks) console.log(names.map((name) => pythonSdkVersions([name])).join("\n"));
}
