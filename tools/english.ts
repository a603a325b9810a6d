import { join, relative } from "node:path";
import { breachesIn } from "./english/plain.ts";
import { listFiles } from "./sources.ts";

/**
 * Refuses sentences that begin with a clause, and archaic words, in comments, texts, names of tests
 * and Markdown: in the paths given, else everywhere.
 */
const root = new URL("..", import.meta.url).pathname;

interface Found {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

function filesIn(paths: readonly string[]): string[] {
  return listFiles(paths).filter((file) => /\.(?:tsx?|md)$/.test(file));
}

/**
 * Blocks of code, links to questions, link targets and comments keep their length, so that lines
 * stay those of the file.
 */
function proseOfMarkdown(text: string): string {
  return text.replace(
    /^ *```[\s\S]*?^ *```|<!--[\s\S]*?-->|\[(?:How|Why|What|When|Where)\b[^\]]*\]\([^)]*\)|\]\([^)]*\)/gm,
    (found) => found.replace(/[^\n]/g, "_"),
  );
}

function breachesOfMarkdown(file: string): Found[] {
  const text = Deno.readTextFileSync(join(root, file));
  return breachesIn(proseOfMarkdown(text)).map(({ index, rule, sentence }) => ({
    file,
    line: text.slice(0, index).split("\n").length,
    message: `${rule}: ${sentence}`,
  }));
}

/** Source files are read by the lint plugin, which sees comments and literals as the parser does. */
async function breachesOfSource(files: readonly string[]): Promise<Found[]> {
  if (files.length === 0) return [];
  const config = await Deno.makeTempFile({ suffix: ".json" });
  const plugin = join(root, "tools/english/lint_plugin.ts");
  const rules = { tags: [], include: ["english/plain"] };
  await Deno.writeTextFile(config, JSON.stringify({ lint: { plugins: [plugin], rules } }));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["lint", "--json", "--config", config, ...files],
    cwd: root,
    stderr: "null",
  }).output();
  await Deno.remove(config);
  const { diagnostics, errors } = JSON.parse(new TextDecoder().decode(stdout)) as {
    diagnostics: { filename: string; range: { start: { line: number } }; message: string }[];
    errors: unknown[];
  };
  if (errors.length > 0) {
    throw new Error(`deno lint cannot read a file: ${JSON.stringify(errors[0])}`);
  }
  return diagnostics.map(({ filename, range, message }) => ({
    file: relative(root, filename.replace(/^file:\/\//, "")),
    line: range.start.line,
    message,
  }));
}

async function breachesOf(paths: readonly string[]): Promise<Found[]> {
  const files = filesIn(paths);
  const documents = files.filter((file) => file.endsWith(".md"));
  const source = await breachesOfSource(files.filter((file) => !file.endsWith(".md")));
  return [...source, ...documents.flatMap(breachesOfMarkdown)];
}

function print(found: readonly Found[]): void {
  for (const { file, line, message } of found) console.log(`${file}:${line}: ${message}`);
}

if (import.meta.main) {
  const found = await breachesOf(Deno.args.length > 0 ? Deno.args : ["."]);
  print(found);
  console.log(`english: ${found.length} breaches`);
  if (found.length > 0) Deno.exit(1);
}
