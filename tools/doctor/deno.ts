import { noticesDisconnects, testedDeno } from "../../lib/telemetry/disconnect_check.ts";
import { type Check, failed, ok, warning } from "./check.ts";

const name = "deno";
const remedy = `Start the gateway with \`npx -y deno@${testedDeno} task start\``;

/** Compares the running Deno with the tested one, and checks that it notices disconnected clients. */
export async function checkDeno(
  version: string = Deno.version.deno,
  probe: () => Promise<boolean> = () => noticesDisconnects({ bodyBytes: 20_000, waitMs: 1_000 }),
): Promise<Check> {
  if (!await probe()) {
    return failed(name, `Deno ${version} does not notice clients that disconnect`, remedy);
  }
  if (version === testedDeno) return ok(name, version);
  return warning(name, `${version} runs, and ${testedDeno} is the tested version`, remedy);
}
