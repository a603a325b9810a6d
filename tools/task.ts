import { ArchiveError } from "../lib/archive/mod.ts";
import { type Config, ConfigError } from "../lib/config.ts";
import { openStore, type Store, storeAdvice, StoreLocked } from "../lib/store/mod.ts";

/** The arguments that a task takes. */
interface TaskForm {
  /** One line, such as `deno task backup FILE [--force]`. */
  readonly usage: string;
  readonly flags?: readonly string[];
  /** The least and the greatest number of other arguments; none by default. */
  readonly count?: readonly [least: number, greatest: number];
}

/** A task's arguments without its flags, and the flags that were given. */
interface TaskArguments {
  readonly words: readonly string[];
  readonly given: ReadonlySet<string>;
}

/**
 * Reads a task's arguments, before it opens anything. Ends the task with the usage: with 0 after
 * `--help`, with 1 after an unknown flag or another number of arguments.
 */
export function readTaskArguments(
  { usage, flags = [], count: [least, greatest] = [0, 0] }: TaskForm,
): TaskArguments {
  if (Deno.args.includes("--help")) {
    console.log(`Usage: ${usage}`);
    Deno.exit(0);
  }
  const given = new Set(Deno.args.filter((argument) => argument.startsWith("--")));
  const words = Deno.args.filter((argument) => !given.has(argument));
  const unknown = [...given].find((flag) => !flags.includes(flag));
  if (unknown !== undefined) stop(`Unknown option ${unknown}. Usage: ${usage}`);
  if (words.length < least || words.length > greatest) stop(`Usage: ${usage}`);
  return { words, given };
}

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

/** Work that is shorter shows no progress. */
const silentMs = 1_000;
const everyMs = 200;

/** Receives a count or a share from 0 to 1. */
export type Progress = (done: number) => void;

/**
 * Returns a function that shows the progress on one line of the terminal, from a second after its
 * creation. Standard error that is no terminal gets nothing. Dispose of it at the end.
 */
export function progressLine(
  what: string,
  textOf: (done: number) => string = percent,
): Progress & Disposable {
  let nextAt = performance.now() + silentMs;
  let isShown = false;
  const show = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(text));
  const report = (done: number) => {
    const now = performance.now();
    if (now < nextAt || !Deno.stderr.isTerminal()) return;
    nextAt = now + everyMs;
    isShown = true;
    show(`\r${what}: ${textOf(done)}`);
  };
  return Object.assign(report, {
    [Symbol.dispose]: () => void (isShown && show("\r\x1b[K")),
  });
}

function percent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}

/** A hundred values of 64 KiB, which one request may fetch, at one megabit a second. */
const slowMs = 60_000;

/** Runs work on the configured store. It waits longer than the gateway does: no caller waits for it. */
export async function withStore<Result>(
  { store: location, limits, logRetentionMs }: Config,
  options: Pick<Parameters<typeof openStore>[0], "secret" | "isAudited" | "isImport">,
  run: (store: Store) => Promise<Result>,
): Promise<Result> {
  const waitMs = Math.max(limits.storeWaitMs, slowMs);
  const store = await openStore({ location, logRetentionMs, waitMs, ...options });
  try {
    return await run(store);
  } finally {
    store.close();
  }
}

/** The result of reading a file or its facts; undefined if it does not exist. */
export function unlessMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** `1 call`, `1,200 calls` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
