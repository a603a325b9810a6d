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
    const { runDoctor } = await import("../tools/doctor/run.ts"); // reads the store and much of lib
    const isWell = await runDoctor(command.args[0], { json: json ?? false });
    if (!isWell) throw new CommandError("failed", "Some checks failed");
  });
}
