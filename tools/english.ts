import { join, relative } from "node:path";
import { breachesIn } from "./english/plain.ts";
import { listFiles } from "./sources.ts";

/**
 * Refuses sentences that begin with a clause, and archaic words, in comments, texts, names of tests
 * and Markdown. `tools/english.ts PATH…` lists the breaches of these paths; without a path it fails
 * where a folder has more of them than `english/baseline.json` allows. `--lower` lowers the baseline.
 */
const root = new URL("..", import.meta.url).pathname;
const baselineFile = join(root, "tools/english/baseline.json");
const excluded = /^(?:jsr|CHANGELOG\.md|tests\/e2e\/sdk\/programs)/;

interface Found {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

function filesIn(paths: readonly string[]): string[] {
  return listFiles(paths).filter((file) => /\.(?:tsx?|md)$/.test(file) && !excluded.test(file));
}

/** Blocks of code, links to questions, link targets and comments keep their length, so that lines stay those of the file. */
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

/** The folder that a file is counted in: two levels deep at most. */
function folderOf(file: string): string {
  return file.split("/").slice(0, -1).slice(0, 2).join("/") || "top level";
}

function countByFolder(found: readonly Found[]): Record<string, number> {
  const counts = Map.groupBy(found, ({ file }) => folderOf(file));
  return Object.fromEntries([...counts].map(([at, all]) => [at, all.length]).sort());
}

function lowered(baseline: Record<string, number>, counts: Record<string, number>) {
  const rows = Object.entries(baseline).map(([at, n]) =>
    [at, Math.min(n, counts[at] ?? 0)] as const
  );
  return Object.fromEntries(rows.filter(([, n]) => n > 0));
}

function print(found: readonly Found[]): void {
  for (const { file, line, message } of found) console.log(`${file}:${line}: ${message}`);
}

async function gate(lower: boolean): Promise<void> {
  const baseline: Record<string, number> = JSON.parse(Deno.readTextFileSync(baselineFile));
  const found = await breachesOf(["."]);
  const counts = countByFolder(found);
  const over = Object.keys(counts).filter((at) => counts[at] > (baseline[at] ?? 0));
  print(found.filter(({ file }) => over.includes(folderOf(file))));
  for (const at of over) {
    console.error(`${at}: ${counts[at]} breaches, ${baseline[at] ?? 0} allowed`);
  }
  if (lower) {
    const text = JSON.stringify(lowered(baseline, counts), null, 2);
    Deno.writeTextFileSync(baselineFile, `${text}\n`);
  }
  console.log(`english: ${found.length} breaches`);
  if (over.length > 0) Deno.exit(1);
}

if (import.meta.main) {
  const paths = Deno.args.filter((arg) => !arg.startsWith("--"));
  if (paths.length > 0) {
    const found = await breachesOf(paths);
    print(found);
    console.log(`english: ${found.length} breaches`);
  } else await gate(Deno.args.includes("--lower"));
}
