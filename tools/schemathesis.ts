/**
 * Installs Schemathesis, which tests the management API against its description, at its pinned
 * version: `deno task schemathesis`. It lives in an environment of its own in the cache folder
 * (`TESSERA_SCHEMATHESIS` names another).
 */
import { installOrExit, isComplete, pythonEnvironment } from "./python_environment.ts";

const requirements = new URL("../tests/e2e/management/requirements.txt", import.meta.url).pathname;
const folder = Deno.env.get("TESSERA_SCHEMATHESIS") ?? "schemathesis";
const environment = pythonEnvironment("Schemathesis", { folder, requirements });

/** The program. */
export const schemathesis = `${environment.folder}/bin/schemathesis`;

/** Returns true if it is installed at its pinned version. */
export function isSchemathesisInstalled(): Promise<boolean> {
  return isComplete(environment);
}

if (import.meta.main) await installOrExit(environment);
