import { ArchiveError } from "../lib/archive/mod.ts";
import { ConfigError } from "../lib/config.ts";
import { storeAdvice, StoreLocked } from "../lib/store/mod.ts";

/** Ends a task with a line on standard error and exit code 1. */
export function stop(line: string): never {
  console.error(line);
  Deno.exit(1);
}

/** The remedy where a running gateway keeps the store from a task that only reads it. */
export function onBackup(task: string): string {
  return `Run it on a backup: deno task backup FILE && TESSERA_KV=FILE deno task ${task}`;
}

/**
 * Ends a task for an error that its operator can remedy. Throws any other error, which is a bug.
 * `whenLocked` is the remedy where a running gateway has the store open.
 */
export function stopFor(error: unknown, whenLocked = "Stop the gateway first"): never {
  if (error instanceof StoreLocked) stop(`${error.fault}. ${whenLocked}`);
  if (error instanceof ConfigError || error instanceof ArchiveError) stop(error.message);
  const isOfSystem = error instanceof Error && /\(os error \d+\)/.test(error.message);
  const advice = storeAdvice(error) ?? (isOfSystem ? error.message : undefined);
  if (advice === undefined) throw error;
  stop(advice);
}
