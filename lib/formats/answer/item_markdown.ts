/** Writes items of hosted tools in Markdown, for readers of the formats that have no such item. */

/** Maximum characters of one item: a tool may print hundreds of kilobytes. */
export const itemCharsMax = 20_000;

/** A paragraph, or a fenced block if it has a `language`. */
export interface Piece {
  readonly text: string;
  readonly language?: string;
}

interface Link {
  readonly url: string;
  readonly title?: string;
}

/** Joins the pieces into one text, to be spread into a native part; empty if they contain nothing. */
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

/** A label and a verbatim text, such as a file's name and content; empty if the text is. */
export function block(label: string, text: string, language = ""): Piece[] {
  return text.trim() === "" ? [] : [{ text: `${plain(label)}:` }, { text, language }];
}

/** A label and short texts as inline code on one line, such as the queries of a search; empty without any. */
export function listing(label: string, texts: readonly string[]): Piece[] {
  const said = texts.filter((text) => text.trim() !== "");
  return said.length === 0 ? [] : [{ text: `${label}: ${said.map(inlineCode).join(", ")}` }];
}

/** A list of links; addresses other than `http(s)` are left out. */
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

/** Removes empty lines at the end. A regular expression would backtrack at every other empty line. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

/** A fence longer than any run of backticks in the text. */
function fenceFor(text: string, charsMin: number): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  return "`".repeat(Math.max(charsMin, longest + 1));
}

/** Escapes an upstream's text so that it opens no link, code or block. */
function plain(text: string): string {
  return oneLine(text).replace(/[[\]\\`<]/g, "\\$&");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
