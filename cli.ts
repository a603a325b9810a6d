/**
 * `tessera`: manages a gateway over its management API. `deno task cli --help` lists the commands.
 */
import { runCommand } from "./cli/run.ts";
import { systemTerminal } from "./cli/terminal.ts";

if (import.meta.main) Deno.exit(await runCommand(Deno.args, systemTerminal()));
