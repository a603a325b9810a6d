import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { type PublicCase, publicCases } from "./public_cases.ts";
import { startJudged } from "./server.ts";

/** Runs the public cases over every upstream format, and writes their table into the document. */

const file = new URL("../../../docs/reference/open-responses.md", import.meta.url);

type Outcome = "passed" | "failed" | "not served";

async function outcomeOf(
  format: FormatName,
  { id, needs = [], run }: PublicCase,
): Promise<Outcome> {
  await using judged = await startJudged(format);
  for (const need of needs) if (!await judged.serves(need)) return "not served";
  try {
    await run(judged);
    return "passed";
  } catch (error) {
    console.error(`${format}: ${id}: ${error instanceof Error ? error.message : error}`);
    return "failed";
  }
}

const rows: (readonly [string, readonly Outcome[]])[] = [];
for (const one of publicCases) {
  const outcomes: Outcome[] = [];
  for (const format of formatNames) outcomes.push(await outcomeOf(format, one));
  rows.push([one.id, outcomes]);
  console.log(`${one.id.padEnd(44)} ${outcomes.join(", ")}`);
}
const head = ["case", ...formatNames];
const lines = [
  head,
  head.map(() => "---"),
  ...rows.map(([id, outcomes]) => [`\`${id}\``, ...outcomes]),
].map((cells) => `| ${cells.join(" | ")} |`);
const text = await Deno.readTextFile(file);
const [before] = text.split("| case");
const after = text.slice(before.length).split("\n\n").slice(1).join("\n\n");
await Deno.writeTextFile(file, `${before}${lines.join("\n")}\n\n${after}`);
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", file.pathname] }).output();
const failed = rows.flatMap(([, outcomes]) => outcomes).filter((one) => one === "failed").length;
const unserved = rows.flatMap(([, outcomes]) => outcomes).filter((one) => one === "not served");
console.log(`${failed} failed, ${unserved.length} not served`);
Deno.exit(failed > 0 ? 1 : 0);
