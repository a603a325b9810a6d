/**
 * Installs the vendors' SDKs of Python that `tests/e2e/sdk` runs as programs of their own, at their
 * pinned versions, and prints them: `deno task sdks:python`. They live in an environment of their
 * own in the cache folder (`TESSERA_PYTHON_SDKS` names another).
 */
import {
  installOrExit,
  interpreterOf,
  isComplete,
  pythonEnvironment,
} from "./python_environment.ts";

const programs = new URL("../tests/e2e/sdk/programs/", import.meta.url).pathname;
const requirements = `${programs}requirements.txt`;
const folder = Deno.env.get("TESSERA_PYTHON_SDKS") ?? "python";
const environment = pythonEnvironment("the Python SDKs", { folder, requirements });
/** The interpreter that knows them. */
export const python = interpreterOf(environment);

/** The SDKs under test; the other requirements are their dependencies. */
const sdks = ["openai", "anthropic", "google-genai"];

/** The command for a program: only installed packages, and no compiled files next to it. */
export function pythonCommand(file: string, variant: string) {
  return { command: python, args: ["-B", programs + file, variant] };
}

/** Returns true if Python starts and every package is installed at its pinned version. */
export function isPythonInstalled(): Promise<boolean> {
  return isComplete(environment);
}

/** The pinned versions of these packages, as text. */
export function pythonSdkVersions(packages: readonly string[]): string {
  const pinned = Deno.readTextFileSync(requirements).split("\n");
  return packages.map((name) => pinned.find((one) => one.startsWith(`${name}==`)) ?? name)
    .join(" ");
}

if (import.meta.main) {
  await installOrExit(environment);
  console.log(sdks.map((name) => pythonSdkVersions([name])).join("\n"));
}
