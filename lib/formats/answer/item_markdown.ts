/** Writes items of hosted tools in Markdown, for readers of the formats that have no such item. */

/** Characters of one item at most: a tool may print hundreds of kilobytes. */
export const itemCharsMax = 20_000;

/** A paragraph, or where `language` is there, a fenced block in it. */
export interface Piece {
  readonly text: string;
  readonly language?: string;
}

/** A link of a list; the title may be missing. */
export interface Link {
  readonly url: string;
  readonly title?: string;
}

/** The pieces as one text, to be spread into a native part; empty if they say nothing. */
export function markdownText(pieces: readonly Piece[]): { text?: string } {
  const blocks: string[] = [];
  let left = itemCharsMax;
  let cut = 0;
  for (const { text, language } of pieces) {
    const shown = text.slice(0, left).toWellFormed();
    left -= shown.length;
    cut += text.length - shown.length;
    if (shown !== "") blocks.push(language === undefined ? shown : fenced(shown, language));
  }
  if (cut > 0) blocks.push(`[… ${cut} more characters]`);
  return blocks.length > 0 ? { text: blocks.join("\n\n") } : {};
}

/** A paragraph of Markdown. */
export function line(text: string): Piece[] {
  return text === "" ? [] : [{ text }];
}

/** A text word for word under its label, such as a file's name; nothing where it is empty. */
export function block(label: string, text: string, language = ""): Piece[] {
  return text.trim() === "" ? [] : [{ text: `${plain(label)}:` }, { text, language }];
}

/** A label and short texts as code on one line, such as the queries of a search; nothing without any. */
export function listing(label: string, texts: readonly string[]): Piece[] {
  const said = texts.filter((text) => text.trim() !== "");
  return said.length === 0 ? [] : [{ text: `${label}: ${said.map(inlineCode).join(", ")}` }];
}

/** A list of links; addresses that no reader can open are left out. */
export function links(entries: readonly Link[]): Piece[] {
  const shown = entries.filter(({ url }) => /^https?:\/\//i.test(url));
  return line(shown.map((entry) => `- ${link(entry)}`).join("\n"));
}

export function link({ url, title }: Link): string {
  const address = url.replace(/[\s<>]/g, (char) => encodeURIComponent(char));
  if (title === undefined || title.trim() === "") return `<${address}>`;
  return `[${plain(title)}](<${address}>)`;
}

function inlineCode(text: string): string {
  const fence = fenceFor(text, 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return fence + pad + oneLine(text) + pad + fence;
}

function fenced(text: string, language: string): string {
  const fence = fenceFor(text, 3);
  const name = language.replace(/[^\w+#.-]/g, "").slice(0, 20).toLowerCase();
  return `${fence}${name}\n${withoutLastLines(text)}\n${fence}`;
}

/** Without empty lines at the end; a pattern would begin anew at every other one. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

/** Longer than any run of backticks in the text. */
function fenceFor(text: string, charsMin: number): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  return "`".repeat(Math.max(charsMin, longest + 1));
}

/** Words of an upstream that must begin no link, code or block of their own. */
function plain(text: string): string {
  return oneLine(text).replace(/[[\]\\`<]/g, "\\$&");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
