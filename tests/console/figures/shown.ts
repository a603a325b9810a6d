import { type Page, type TestBrowser, textOf } from "../console.ts";

/** A row of a table: the text of the cell that names it, and of those with a label. Amounts are exact. */
export interface ShownRow {
  readonly name: string;
  readonly link?: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** The rows of the table with this caption; none without such a table. */
export function tableRows(html: string, caption: string): readonly ShownRow[] {
  const from = html.indexOf(`<caption class="unseen">${caption}</caption>`);
  if (from < 0) return [];
  const body = html.slice(html.indexOf("<tbody", from), html.indexOf("</tbody>", from));
  return body.split("<tr ").slice(1).map(rowIn);
}

function rowIn(html: string): ShownRow {
  const [, name] = /<th scope="row"[^>]*>(.*?)<\/th>/s.exec(html) ?? ["", ""];
  const link = /href="([^"]*)"/.exec(name)?.[1].replaceAll("&amp;", "&");
  const cells = [...html.matchAll(/<td([^>]*)>(.*?)<\/td>/gs)].flatMap(([, attributes, inner]) => {
    const label = /data-label="([^"]*)"/.exec(attributes)?.[1];
    const exact = /<span class="money" title="([^"]*)"/.exec(inner)?.[1];
    return label === undefined ? [] : [[label, exact ?? plain(inner)] as const];
  });
  return { name: plain(name), ...(link && { link }), cells: Object.fromEntries(cells) };
}

/** The rows of all pages of a list. */
export async function listedRows(
  { get }: Pick<TestBrowser, "get">,
  path: string,
  caption: string,
): Promise<readonly ShownRow[]> {
  const rows: ShownRow[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { html }: Page = await get(next);
    rows.push(...tableRows(html, caption));
    next = /href="([^"]*)"[^>]*>Next<\/a>/.exec(html)?.[1].replaceAll("&amp;", "&");
  }
  return rows;
}

/** The figures of a page's strips: their values, and the texts below them. */
export function figures(html: string): Readonly<Record<string, string>> {
  const found = html.matchAll(
    /<h2>([^<]*)<\/h2><p class="figure">(.*?)<\/p><p class="sub">(.*?)<\/p>/gs,
  );
  return Object.fromEntries(
    [...found].map(([, name, value, below]) => [plain(name), `${plain(value)} | ${plain(below)}`]),
  );
}

/** The totals above a list of calls. */
export function totals(html: string): Readonly<Record<string, string>> {
  const list = /<dl class="totals".*?<\/dl>/s.exec(html)?.[0] ?? "";
  const found = list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs);
  return Object.fromEntries([...found].map(([, name, value]) => [plain(name), plain(value)]));
}

/** The spoken text of each step of a chart, such as `Sat, Nov 21: $12.30`. */
export function chartSteps(html: string, id: string): readonly string[] {
  const from = html.indexOf(`id="${id}"`);
  if (from < 0) return [];
  const chart = html.slice(from, html.indexOf("</figure>", from));
  return [...chart.matchAll(/<a [^>]*aria-label="([^"]*)"/g)].map(([, text]) => text);
}

/** The rows of a CSV file by the names in its head. No cell of these files contains a comma. */
export function csvRows(text: string): readonly Readonly<Record<string, string>>[] {
  const [head, ...lines] = text.trimEnd().split(/\r?\n/).map(cellsOf);
  return lines.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
}

function cellsOf(line: string): string[] {
  const found = line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g);
  return [...found].map(([, cell]) =>
    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
  );
}

function plain(html: string): string {
  const whole = html.replace('<span class="cents">', "<!---->").replaceAll(/<!--.*?-->/g, "");
  return textOf(`<body>${whole.replace(/(\d)<\/span><\/span>/, "$1")}`).trim();
}

/** The warnings of a page, each with its link. */
export function alertLines(
  html: string,
): readonly { readonly text: string; readonly href: string }[] {
  const list = /<ul class="attention">(.*?)<\/ul>/s.exec(html)?.[1] ?? "";
  return list.split("<li ").slice(1).map((item) => ({
    text: plain(item.slice(item.indexOf("<p>"))),
    href: (/<a [^>]*href="([^"]*)"/.exec(item)?.[1] ?? "").replaceAll("&amp;", "&"),
  }));
}
