import type { Command } from "commander";
import { createClient } from "./client.ts";
import { CommandError } from "./error.ts";
import { bareUrl, forgetAccess, type GlobalOptions, saveAccess } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Adds `login` and `logout`. */
export function addLogin(program: Command, terminal: Terminal): void {
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
