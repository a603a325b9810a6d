import type { Command } from "commander";
import { CommandError } from "./error.ts";
import type { GlobalOptions } from "./settings.ts";

/** Adds `doctor`, which checks the gateway of this machine and needs no token. */
export function addDoctor(program: Command): void {
  const command = program.command("doctor")
    .description("Check the gateway of this folder: configuration, store, upstreams, base URLs")
    .argument("[base-url]", "the address that clients use")
    .addHelpText("after", "\nExample:\n  tessera doctor http://localhost:8787");
  command.action(async () => {
    const { json } = command.optsWithGlobals<GlobalOptions>();
    const { runDoctor } = await loadDoctor();
    const isWell = await runDoctor(command.args[0], { json: json ?? false });
    if (!isWell) throw new CommandError("failed", "Some checks failed");
  });
}

/**
 * The gateway's checks, which load much of `lib`. They need its packages, which an installed command
 * line does not have. The path is no literal, so that no other command loads them.
 */
async function loadDoctor(): Promise<typeof import("../tools/doctor/run.ts")> {
  const path = "../tools/doctor/run.ts";
  try {
    return await import(path);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(
      "usage",
      "doctor checks the gateway of a folder: run deno task doctor in that folder",
    );
  }
}
