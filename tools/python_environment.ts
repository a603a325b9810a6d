import { cacheFolder } from "./cache_folder.ts";

/** Packages of Python at pinned versions, in an environment of their own. */
export interface PythonEnvironment {
  /** Such as `the Python SDKs`, for messages. */
  readonly name: string;
  readonly folder: string;
  /** The path of the list of requirements. */
  readonly requirements: string;
}

const installed = new URL("../tests/e2e/sdk/programs/installed.py", import.meta.url).pathname;
const checkMsMax = 30_000;
const createMsMax = 60_000;
const installMsMax = 4 * 60_000;

/** The environment with these requirements, in a folder of the cache unless a variable names another. */
export function pythonEnvironment(
  name: string,
  { folder, requirements }: Pick<PythonEnvironment, "folder" | "requirements">,
): PythonEnvironment {
  return {
    name,
    folder: folder.startsWith("/") ? folder : `${cacheFolder}/${folder}`,
    requirements,
  };
}

/** The interpreter of an environment. */
export function interpreterOf({ folder }: PythonEnvironment): string {
  return `${folder}/bin/python`;
}

/** Returns true if Python starts and every package is installed at its pinned version. */
export function isComplete(environment: PythonEnvironment): Promise<boolean> {
  const args = ["-B", installed, environment.requirements];
  return succeeds(interpreterOf(environment), args, checkMsMax);
}

/**
 * Installs an environment, and exits with 1 if that fails. A complete one is reused; an incomplete
 * one is created again.
 */
export async function installOrExit(environment: PythonEnvironment): Promise<void> {
  const fault = await install(environment);
  if (fault === undefined) return;
  console.error(`Could not install ${environment.name}: ${fault}`);
  Deno.exit(1);
}

/** Returns the reason for a failure, or undefined. */
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
