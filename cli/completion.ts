import type { Command, Option } from "commander";
import { CommandError, type Terminal } from "./terminal.ts";

/** Each asks `tessera complete` for the words that can follow, a line each, behind a tab their meaning. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_tessera() {
  local IFS=$'\\n'
  COMPREPLY=($(tessera complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -F _tessera tessera`,
  zsh: `#compdef tessera
_tessera() {
  local -a found
  found=("\${(@f)$(tessera complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed $'s/:/\\\\\\\\:/g; s/\\t/:/')}")
  _describe tessera found
}
compdef _tessera tessera`,
  fish:
    `complete -c tessera -f -a '(tessera complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

/** Adds `completion`, which prints the script of a shell, and `complete`, which that script calls. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program.command("completion")
    .description("Print a script that completes commands and options in bash, zsh or fish")
    .argument("<shell>", "bash, zsh or fish")
    .addHelpText("after", `\nExamples:\n${setups.map((line) => `  ${line}`).join("\n")}`)
    .action((shell: string) => {
      if (!Object.hasOwn(scripts, shell)) {
        throw new CommandError("usage", "completion needs one of bash, zsh or fish");
      }
      terminal.print(scripts[shell]);
    });
  program.command("complete", { hidden: true }).argument("[words...]")
    .action((words: readonly string[]) => nextWords(program, words).forEach(terminal.print));
}

const setups = [
  'eval "$(tessera completion bash)"',
  'eval "$(tessera completion zsh)"',
  "tessera completion fish | source",
];

/** The words that can replace the last one, each with its meaning. */
function nextWords(program: Command, words: readonly string[]): string[] {
  const [before, current] = [words.slice(0, -1), words.at(-1) ?? ""];
  const { command, options } = placeOf(program, before);
  const previous = before.at(-1) ?? "";
  const asked = options.find(({ long, short }) => [long, short].includes(previous));
  const all = asked && !asked.isBoolean()
    ? choicesOf(asked).map((choice) => [choice, ""])
    : current.startsWith("-")
    ? options.map(({ long, description }) => [long ?? "", description])
    : command.createHelp().visibleCommands(command)
      .map((one) => [one.name(), one.description()]);
  return all.filter(([word]) => word.startsWith(current))
    .map(([word, meaning]) => `${word}\t${meaning.split("\n")[0]}`);
}

/** The command that some words lead to, and the options that may follow. */
function placeOf(program: Command, words: readonly string[]) {
  const path = [program];
  for (const word of words) {
    const next = path[path.length - 1].commands.find((one) => one.name() === word);
    if (next) path.push(next);
  }
  const command = path[path.length - 1];
  const usual = command.commands.find((one) => ["list", "get"].includes(one.name()));
  const all = [command, ...(usual ? [usual] : []), program];
  return { command, options: [...new Set(all)].flatMap((one) => [...one.options]) };
}

function choicesOf({ argChoices, flags }: Option): readonly string[] {
  const [, listed = ""] = /[<[]([^<>[\]]*\|[^<>[\]]*)[>\]]/.exec(flags) ?? [];
  return argChoices ?? listed.split("|").filter((choice) => choice !== "");
}
