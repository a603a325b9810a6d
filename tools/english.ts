import { join, relative } from "node:path";
import { listFiles } from "./sources.ts";

/** A breach of the rules for plain English: where it begins in the text, its sentence and the rule. */
interface Breach {
  readonly index: number;
  readonly sentence: string;
  readonly rule: string;
}

/** Right uses of refused words. Each is removed from the text before the rules read it. */
const allowed: readonly { readonly use: RegExp; readonly reason: string }[] = [
  { use: /\b(?:tell|tells|told)(?: [\w']+){1,6} (?:apart|from)\b/gi, reason: "to distinguish" },
];

const archaic: readonly { readonly word: RegExp; readonly instead: string }[] = [
  { word: /\bbesides\b/gi, instead: "also, or except" },
  { word: /\bmend(?:s|ed|ing)?\b/gi, instead: "fix" },
  { word: /\blately\b/gi, instead: "recently" },
  { word: /\bfor good\b/gi, instead: "permanently" },
  { word: /\b(?:tell|tells|told)\b/gi, instead: "report, notify, return or show" },
  { word: /\bbegun\b/gi, instead: "started" },
  { word: /\basked for\b/gi, instead: "requested" },
  { word: /\bstands?\b(?!-)/gi, instead: "is, or is listed" },
  { word: /\b(?:bears?|bearing|borne)\b/gi, instead: "has, or carries" },
  { word: /\blies?\b/gi, instead: "is, or is stored" },
  {
    word: /\b(?:whom|whereof|wherein|whence|thence|thereof|hitherto|anew|naught|amiss)\b/gi,
    instead: "a plain word",
  },
  { word: /\b(?:hung|hangs?) up\b/gi, instead: "disconnected" },
  {
    word:
      /\b(?:is|are|was|were|be|goes|go|went|all) well\b(?=[.,;:)]|$| (?:and|or|again|comes|before))/gi,
    instead: "healthy, or succeeded",
  },
  { word: /\bone's own\b/gi, instead: "your own" },
  { word: /\bfares?\b/gi, instead: "performs, or the health of" },
];

/** A clause in the place of the subject. Adverbial "When …, …" and "Where …, …" have a comma. */
const clauses: readonly RegExp[] = [
  /^(?:what|who|whoever|whose|whom|whether|whatever|whichever|which|that which)\s+\S/i,
  /^how\s+(?!to\b)\S/i,
  /^why\s+(?!not\b)\S/i,
  /^(?:when|where)\s+(?!to\b)[^,]+$/i,
];

/** Breaches in prose: comments without their marks, a literal's text, or Markdown without code. */
export function breachesIn(prose: string): Breach[] {
  const text = withoutQuotes(prose);
  return [...clauseBreaches(text), ...wordBreaches(text)].sort((a, b) => a.index - b.index);
}

function clauseBreaches(text: string): Breach[] {
  return sentencesOf(text)
    .filter(({ sentence }) => !sentence.endsWith("?") && clauses.some((c) => c.test(sentence)))
    .map((found) => ({ ...found, rule: "clause as subject" }));
}

function wordBreaches(text: string): Breach[] {
  return archaic.flatMap(({ word, instead }) =>
    [...text.matchAll(word)].map((match) => ({
      index: match.index,
      sentence: text.slice(Math.max(0, match.index - 30), match.index + 40).replace(/\s+/g, " ")
        .trim(),
      rule: `"${match[0]}": write ${instead}`,
    }))
  );
}

/** Sentences, list items, headings and cells of a table, each from its first letter on. */
function sentencesOf(text: string): { index: number; sentence: string }[] {
  const boundary = /(?<=[.!?]["”)*_]{0,3})\s+|\n\s*\n|\n(?=\s*(?:[-*#]+|\d+\.)\s)|\|/g;
  const ends = [...text.matchAll(boundary)].map((match) => match.index + match[0].length);
  return [0, ...ends].flatMap((start, at) => {
    const piece = text.slice(start, ends[at]);
    const lead = /^[^A-Za-z]*/.exec(piece)?.[0] ?? "";
    if (/#\s/.test(lead) && /^(?:how|why|when|where)\b/i.test(piece.slice(lead.length))) return [];
    const sentence = piece.slice(lead.length).replace(/\|$/, "").replace(/\s+/g, " ").trim();
    return sentence ? [{ index: start + lead.length, sentence }] : [];
  });
}

/** Code and quotations keep their length, so that indexes stay those of the source. */
function withoutQuotes(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, "_");
  const unquoted = text.replace(/`[^`]*`|"[^"\n]{0,120}"|“[^”\n]{0,120}”|https?:\S+/g, blank);
  return allowed.reduce((left, { use }) => left.replace(use, blank), unquoted);
}

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
