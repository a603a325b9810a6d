import { ArchiveError } from "../lib/archive/mod.ts";
import { ConfigError } from "../lib/config.ts";
import { storeAdvice } from "../lib/store/mod.ts";

/** Ends a task with a line on standard error and exit code 1. */
export function stop(line: string): never {
  console.error(line);
  Deno.exit(1);
}

/** Ends a task for an error that its operator can remedy. Throws any other error, which is a bug. */
export function stopFor(error: unknown): never {
  if (error instanceof ConfigError || error instanceof ArchiveError) stop(error.message);
  const isOfSystem = error instanceof Error && /\(os error \d+\)/.test(error.message);
  const advice = storeAdvice(error) ?? (isOfSystem ? error.message : undefined);
  if (advice === undefined) throw error;
  stop(advice);
}
