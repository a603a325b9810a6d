import { CommanderError } from "commander";
import { CommandError, exitCodes } from "./error.ts";
import { createProgram } from "./program.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Runs a command. Returns its exit code: 0, or one of `exitCodes`. Answers go to the standard
 * output, everything else to the standard error.
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (!(error instanceof CommandError)) throw error;
    terminal.complain(error.message);
    return exitCodes[error.kind];
  }
}
