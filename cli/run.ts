import { Command, CommanderError } from "commander";
import { createClient } from "./client.ts";
import { addDoctor } from "./doctor.ts";
import { CommandError, exitCodes } from "./error.ts";
import { addLogin } from "./login.ts";
import { type CliOperation, describedOperations, pathParts, pathWith } from "./operation.ts";
import { addRequestOptions, exampleOf, readRequest } from "./options.ts";
import { listedRows, printAnswer } from "./output.ts";
import { accessOf, type GlobalOptions } from "./settings.ts";
import { addTail } from "./tail.ts";
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

const examples = `
Examples:
  tessera login --gateway https://llm.example.com
  tessera keys create --name ci --budget 5/day
  tessera keys list --json
  tessera usage --by model
  tessera calls tail
  tessera upstreams test vendor
  tessera models

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 gateway unreachable, 4 token refused.
TESSERA_URL and TESSERA_TOKEN set the gateway and the token.`;

/** Creates the program: a command for each operation of the management API, and a few more. */
function createProgram(terminal: Terminal): Command {
  const program = new Command("tessera")
    .description("Manage a Tessera gateway over its management API")
    .option("--gateway <url>", "the gateway's address")
    .option("--token <token>", "an API token; TESSERA_TOKEN keeps it out of the list of processes")
    .option("--json", "print JSON")
    .addHelpText("after", examples)
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.complain(text.trimEnd()),
    })
    .showHelpAfterError("Run with --help for the options")
    .exitOverride();
  for (const operation of describedOperations) addOperation(program, operation, terminal);
  addTail(parentOf(program, ["calls"]), terminal);
  addLogin(program, terminal);
  addDoctor(program);
  return program;
}

function addOperation(program: Command, operation: CliOperation, terminal: Terminal): void {
  const { words, summary, scope } = operation;
  const name = words.at(-1) ?? "";
  const parts = pathParts(operation);
  const isDefault = parts.length === 0 && (name === "list" || name === "get");
  const command = parentOf(program, words.slice(0, -1)).command(name, { isDefault })
    .description(scope ? `${summary} (scope ${scope})` : summary)
    .addHelpText("after", `\nExample:\n  ${exampleOf(operation)}`);
  for (const part of parts) command.argument(`<${part}>`);
  addRequestOptions(command, operation);
  command.action(() => perform(command, operation, terminal));
}

/** Descriptions of command groups that do more or less than manage their resource. */
const descriptions: Readonly<Record<string, string>> = {
  alerts: "List alerts, and send a test",
  audit: "Read the audit log",
  calls: "Search the log of calls",
  codes: "Manage redemption codes",
  models: "Manage models and their prices",
  organization: "Read and change the organization's limits",
  settings: "Read and change settings",
  tags: "Manage the limits of tags",
  tokens: "Manage API tokens",
  usage: "Show spending",
  wallets: "Read balances, and give or take funds",
};

/** The command of a resource, created at its first use. */
function parentOf(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) =>
    parent.commands.find((one) => one.name() === word) ??
      parent.command(word).description(descriptions[word] ?? `Manage ${word}`), program);
}

async function perform(
  command: Command,
  operation: CliOperation,
  terminal: Terminal,
): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions & Record<string, unknown>>();
  const names = pathParts(operation);
  const parts = Object.fromEntries(names.map((name, at) => [name, command.args[at]]));
  const { query, body, headers } = await readRequest(operation, command.opts());
  const client = createClient(await accessOf(options, terminal), terminal);
  const { method } = operation;
  const request = { method, path: pathWith(operation, parts), query, body, headers };
  const answer = await client(request);
  if (!options.all || !operation.isList) {
    return printAnswer(answer, operation, { terminal, json: options.json ?? false });
  }
  const rows = [...listedRows(answer)];
  for (let page = answer; typeof page?.next_cursor === "string";) {
    page = await client({ ...request, query: { ...query, cursor: page.next_cursor } });
    rows.push(...listedRows(page));
  }
  printAnswer({ data: rows, next_cursor: null }, operation, {
    terminal,
    json: options.json ?? false,
  });
}
