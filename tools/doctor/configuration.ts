import { type Config, ConfigError, loadConfig } from "../../lib/config.ts";
import { type Check, failed, ok } from "./check.ts";

const name = "configuration";

/** Reads the configuration; undefined if it is invalid, in which case no gateway can start. */
export function checkConfiguration(
  env: Readonly<Record<string, string>>,
): { readonly checks: readonly Check[]; readonly config?: Config } {
  const source = env.TESSERA_CONFIG ?? "the environment";
  try {
    return { checks: [ok(name, `${source} is valid`)], config: loadConfig(env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = `Correct it in ${source}; docs/reference/configuration.md has every field`;
    return { checks: error.faults.map((fault) => failed(name, fault, remedy)) };
  }
}
