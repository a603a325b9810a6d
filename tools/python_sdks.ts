/**
 * Installs the vendors' SDKs of Python that `tests/e2e/sdk` runs as programs of their own, at their
 * pinned versions, and prints them: `deno task sdks:python`. They live in an environment of their
 * own in the cache folder (`TESSERA_PYTHON_SDKS` names another). A complete environment is reused;
 * an incomplete one is created again.
 */
import { cacheFolder } from "./cache_folder.ts";

const programs = new URL("../tests/e2e/sdk/programs/", import.meta.url).pathname;
const requirements = `${programs}requirements.txt`;
const folder = Deno.env.get("TESSERA_PYTHON_SDKS") ?? `${cacheFolder}/python`;
/** The interpreter that knows them. */
export const python = `${folder}/bin/python`;

/** The SDKs under test; the other requirements are their dependencies. */
const sdks = ["openai", "anthropic", "google-genai"];

const checkMsMax = 30_000;
const createMsMax = 60_000;
const installMsMax = 4 * 60_000;

/** The command for a program: only installed packages, and no compiled files next to it. */
export function pythonCommand(file: string, variant: string) {
  return { command: python, args: ["-B", programs + file, variant] };
}

/** Returns true if Python starts and every package is installed at its pinned version. */
export function isPythonInstalled(): Promise<boolean> {
  return succeeds(python, ["-B", `${programs}installed.py`, requirements], checkMsMax);
}

/** The pinned versions of these packages, as text. */
export function pythonSdkVersions(packages: readonly string[]): string {
  const pinned = Deno.readTextFileSync(requirements).split("\n");
  return packages.map((name) => pinned.find((one) => one.startsWith(`${name}==`)) ?? name)
    .join(" ");
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

/** Returns the reason for a failure, or undefined. */
async function install(): Promise<string | undefined> {
  if (await isPythonInstalled()) return undefined;
  await Deno.mkdir(folder, { recursive: true });
  if (!await succeeds("python3", ["-m", "venv", "--clear", folder], createMsMax)) {
    return "python3 with venv is missing";
  }
  const options = ["--no-input", "--only-binary", ":all:", "--requirement", requirements];
  if (!await succeeds(python, ["-m", "pip", "install", ...options], installMsMax)) {
    return "pip could not install them";
  }
  return await isPythonInstalled() ? undefined : "they are not at their pinned versions";
}

if (import.meta.main) {
  const fault = await install();
  if (fault) {
    console.error(`Could not install the Python SDKs: ${fault}`);
    Deno.exit(1);
  }
  console.log(sdks.map((name) => pythonSdkVersions([name])).join("\n"));
}
