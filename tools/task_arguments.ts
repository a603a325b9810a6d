import { stop } from "./task_end.ts";

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
