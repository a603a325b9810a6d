import { Command, CommanderError } from "commander";
import project from "../deno.json" with { type: "json" };
import { addChild } from "./child.ts";
import { createClient } from "./client.ts";
import { addCompletion } from "./completion.ts";
import { examplesOf } from "./examples.ts";
import { pathPartsOf } from "./latest.ts";
import { type CliOperation, describedOperations, pathParts, pathWith } from "./operation.ts";
import { addRequestOptions, readRequest } from "./options.ts";
import { accessOf, bareUrl, forgetAccess, type GlobalOptions, saveAccess } from "./settings.ts";
import { listedRows, printAnswer } from "./table.ts";
import { addTail } from "./tail.ts";
import { CommandError, exitCodes, type Terminal } from "./terminal.ts";

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
  tessera usage --by user --from yesterday --to today
  tessera calls --status failed --from 1h
  tessera calls get latest
  tessera upstreams test vendor
  tessera models

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 gateway unreachable, 4 token refused.
TESSERA_URL and TESSERA_TOKEN set the gateway and the token.

An ID may be an e-mail address or a name; latest is the newest object of a list. Times are in UTC:
yesterday, 1h, 2026-11-28 or 2026-11-28T09:30.`;

/** Creates the program: a command for each operation of the management API, and a few more. */
function createProgram(terminal: Terminal): Command {
  const program = new Command("tessera")
    .description("Manage a Tessera gateway over its management API")
    .version(project.version)
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
  addChild(parentOf(program, ["keys"]), terminal);
  addLogin(program, terminal);
  addDoctor(program);
  addCompletion(program, terminal);
  return program;
}

function addOperation(program: Command, operation: CliOperation, terminal: Terminal): void {
  const { words, summary, scope } = operation;
  const name = words.at(-1) ?? "";
  const parts = pathParts(operation);
  const isDefault = parts.length === 0 && (name === "list" || name === "get");
  const parent = parentOf(program, words.slice(0, -1));
  const examples = examplesOf(operation);
  const title = examples.length === 1 ? "Example" : "Examples";
  const shown = `\n${title}:\n  ${examples.join("\n  ")}`;
  const command = parent.command(name, { isDefault })
    .description(scope ? `${summary} (scope ${scope})` : summary)
    .addHelpText("after", shown);
  if (isDefault) parent.addHelpText("after", () => `\n${optionsIn(command)}${shown}`);
  for (const part of parts) command.argument(`<${part}>`);
  addRequestOptions(command, operation);
  command.action(() => perform(command, operation, terminal));
}

/** The options of the command that a group runs if none is named, as that command's help has them. */
function optionsIn(command: Command): string {
  const help = command.helpInformation();
  return help.slice(help.indexOf("Options:")).replace("Options:", `Options of ${command.name()}:`);
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
  const { query, body, headers } = await readRequest(operation, command.opts());
  const client = createClient(await accessOf(options, terminal), terminal);
  const parts = await pathPartsOf(operation, command.args, client);
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
  printAnswer({ ...answer, data: rows, next_cursor: null }, operation, {
    terminal,
    json: options.json ?? false,
  });
}

/** Adds `login` and `logout`. */
function addLogin(program: Command, terminal: Terminal): void {
  const login = program.command("login")
    .description("Check a gateway and a token, and keep them in a file that only you may read")
    .addHelpText("after", "\nExample:\n  tessera login --gateway https://llm.example.com");
  login.action(async () => {
    const given = login.optsWithGlobals<GlobalOptions>();
    const url = bareUrl(
      given.gateway ?? terminal.env("TESSERA_URL") ?? asked(terminal, "Address:"),
    );
    const token = given.token ?? terminal.env("TESSERA_TOKEN") ?? asked(terminal, "API token:");
    const settings = { url, token: token.trim() };
    const client = createClient(settings, terminal);
    const current = await client({ method: "GET", path: "/tokens/current" });
    const path = await saveAccess(settings, terminal);
    terminal.print(`The token ${current?.name ?? ""} for ${url} is in ${path}`);
  });
  program.command("logout")
    .description("Delete the file that login wrote")
    .addHelpText("after", "\nExample:\n  tessera logout")
    .action(async () => {
      const isGone = await forgetAccess(terminal);
      terminal.print(isGone ? "Logged out" : "You were not logged in");
    });
}

function asked(terminal: Terminal, question: string): string {
  const answer = terminal.ask(question)?.trim();
  if (answer) return answer;
  throw new CommandError("usage", "Give --gateway and TESSERA_TOKEN, or run login in a terminal");
}

/** Adds `doctor`, which checks the gateway of this machine and needs no token. */
function addDoctor(program: Command): void {
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
async function loadDoctor(): Promise<typeof import("../tools/doctor.ts")> {
  const path = "../tools/doctor.ts";
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
