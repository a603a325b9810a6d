import { z } from "zod";
import { environmentSchema, misspelled, pickEnvironment } from "./config/environment.ts";
import { ConfigError, faultsIn } from "./config/fault.ts";
import { readConfigFile } from "./config/file.ts";
import { type Config, resolveConfig } from "./config/resolve.ts";
import { fileSchema } from "./config/schema.ts";

export { type AlertSettings, type WebhookSettings, webhookUrlFault } from "./config/alerts.ts";
export type { Config, StripeSettings } from "./config/resolve.ts";
export { mailServer, mailServerFields } from "./config/email.ts";
export { isLoopbackHost } from "./config/fields.ts";
export { costsSchema } from "./config/price.ts";
export { ConfigError } from "./config/fault.ts";
export type { Limits } from "./config/limits.ts";
export type { BucketSettings, LogArchiveSettings } from "./config/log_archive.ts";
export type { PriceFeedSettings } from "./config/price_feed.ts";
export type { SignInProvider, SignInSettings } from "./config/sign_in.ts";

const sourcesSchema = z.object({ environment: environmentSchema, file: fileSchema });

/**
 * Reads the environment and the file named by TESSERA_CONFIG through one schema. Throws
 * `ConfigError` with a line for each invalid field; messages never contain values.
 */
export function loadConfig(
  env: Readonly<Record<string, string>>,
  readFile: (path: string) => string = Deno.readTextFileSync,
): Config {
  const environment = pickEnvironment(env);
  const path = environment.TESSERA_CONFIG;
  const file = path === undefined ? {} : readConfigFile(path, readFile, env);
  const parsed = sourcesSchema.safeParse({ environment, file });
  const faults = [...misspelled(env), ...(parsed.success ? [] : faultsIn(parsed.error))];
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return resolveConfig(parsed.data.environment, parsed.data.file);
}

/** Returns true if calls go out through a proxy, so that upstreams cannot be dialled directly. */
export function isBehindProxy(env: Readonly<Record<string, string>>): boolean {
  return ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
    .some((name) => env[name] || env[name.toLowerCase()]);
}
