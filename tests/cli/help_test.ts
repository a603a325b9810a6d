import { assertEquals, assertMatch } from "@std/assert";
import { describedOperations } from "../../cli/operation.ts";
import { runCli } from "./console_terminal.ts";
import { seedEvents, startSeeded } from "./seeded_gateway.ts";

const others = ["login", "logout", "completion", "doctor", "calls tail", "keys child"];
const groups = [...new Set(describedOperations.map(({ words: [group] }) => group))];
const commands = [...describedOperations.map(({ words }) => words.join(" ")), ...groups, ...others];

/** Asks for something outside of the gateway, or starts what goes on. */
const elsewhere = /^tessera (login|logout|doctor|completion|calls tail|keys child|prices)|^eval/;
/**
 * The refusals of a gateway without a payment service, a webhook for alerts, recorded calls and the
 * internet.
 */
const notSetUp: Readonly<Record<string, RegExp>> = {
  "tessera settings test-payments": /payment|STRIPE/i,
  "tessera alerts test": /webhook/i,
  "tessera calls content latest": /No content/,
  "tessera settings email test": /mail server|address/i,
  "tessera upstreams create --id openai --preset openai --credentials sk-example": /DNS/,
};

/** The words of a line as a shell reads them. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c);
}

async function helpOf(command: string): Promise<string> {
  const { code, out, err } = await runCli([...command.split(" "), "--help"]);
  assertEquals(code, 0, `${command}: ${err}`);
  return out;
}

function examplesIn(help: string): string[] {
  const [, block = ""] = /\nExamples?:\n((?: {2}.*(?:\n|$))+)/.exec(help) ?? [];
  return block.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

Deno.test("cli: the help of every command lists its options, and has an example", async () => {
  for (const command of commands) {
    const help = await helpOf(command);
    const isGroup = groups.includes(command);
    assertMatch(help, /^Options:/m, command);
    if (!isGroup) assertMatch(help, /\nExamples?:\n {2}\S/, command);
  }
  assertMatch(await helpOf("usage"), /--tag-key/);
  assertMatch(await helpOf("keys"), /--user-id/);
});

/** Deletions come last, those of parts before those of the whole. */
const lastOnes = [
  / (archive|disable|sign-out)/,
  / delete-price /,
  / (delete|remove)-/,
  /(?<!users) delete/,
  /users delete/,
];

function rank(example: string): number {
  return lastOnes.findIndex((pattern) => pattern.test(example));
}

Deno.test("cli: every example of the help works when it is pasted", async () => {
  await using gateway = await startSeeded();
  await seedEvents(gateway);
  const found = await Promise.all(commands.map(async (one) => examplesIn(await helpOf(one))));
  const examples = [...new Set(found.flat())].filter((example) => !elsewhere.test(example))
    .sort((a, b) => rank(a) - rank(b));
  const failed: string[] = [];
  for (const example of examples) {
    const { code, err } = await gateway.cli(...shellWords(example).slice(1));
    const isFine = code === 0 || (notSetUp[example]?.test(err) ?? false);
    if (!isFine) failed.push(`${example}: ${err}`);
  }
  assertEquals(failed, []);
  assertEquals(examples.length > 100, true);
});

/** The commands of the page without variables; `tests/docs` runs the others with the shell. */
async function commandsOfPage(): Promise<string[]> {
  const page = new URL("../../docs/how-to/use-the-command-line.md", import.meta.url);
  const lines = (await Deno.readTextFile(page)).split("\n");
  return lines.map((line) => /^deno task cli (.*)$/.exec(line)?.[1] ?? "")
    .filter((command) => command !== "" && !/[$]|--help/.test(command));
}

Deno.test("cli: every command of the how-to works when it is pasted", async () => {
  await using gateway = await startSeeded();
  const found = await commandsOfPage();
  for (const command of found) {
    const { code, err } = await gateway.cli(...shellWords(command));
    assertEquals(code, 0, `${command}: ${err}`);
  }
  assertEquals(found.length >= 8, true);
});
