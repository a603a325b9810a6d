import { assertEquals, assertStringIncludes } from "@std/assert";
import { findProgram } from "../programs.ts";
import { runCli } from "./console_terminal.ts";

const root = new URL("../..", import.meta.url).pathname;

/** The words that can follow others. */
async function after(...words: string[]): Promise<string[]> {
  const { out } = await runCli(["complete", "--", ...words]);
  return out.split("\n").map((line) => line.split("\t")[0]);
}

Deno.test("cli: commands, options and choices are completed", async () => {
  assertEquals(await after("ke"), ["keys"]);
  assertEquals(await after("keys", "cr"), ["create"]);
  assertEquals(await after("usage", "--s"), ["--sort", "--step"]);
  assertEquals(await after("usage", "--step", ""), ["hour", "day"]);
  assertEquals(await after("usage", "--by", "u"), ["user", "upstream"]);
  assertEquals(await after("keys", "get", "ci", "--j"), ["--json"]);
  assertEquals((await runCli(["completion", "tcsh"])).code, 2);
});

/** The work of each shell after `tessera keys cr` and the tab key. */
const shells: Readonly<Record<string, string>> = {
  bash: `COMP_WORDS=(tessera keys cr); COMP_CWORD=2; _tessera; echo "$COMPREPLY"`,
  zsh: `words=(tessera keys cr); CURRENT=3; _describe() { print -l "\${(@P)2}"; }; _tessera`,
  fish: `complete -C 'tessera keys cr'`,
};

for (const [shell, press] of Object.entries(shells)) {
  Deno.test({
    name: `cli: ${shell} completes a command`,
    ignore: findProgram(shell) === undefined,
    fn: async () => {
      const { out } = await runCli(["completion", shell]);
      const call =
        `${Deno.execPath()} run -A --no-check --config ${root}tests/deno.json ${root}cli.ts`;
      const tessera = shell === "fish"
        ? `function tessera; ${call} $argv; end`
        : `tessera() { ${call} "$@"; }`;
      const setUp = shell === "zsh" ? "compdef() { :; }\n" : "";
      const { stdout, stderr } = await new Deno.Command(shell, {
        args: ["-c", `${setUp}${tessera}\n${out}\n${press}`],
      }).output();
      const text = new TextDecoder();
      assertStringIncludes(text.decode(stdout), "create", text.decode(stderr));
    },
  });
}
