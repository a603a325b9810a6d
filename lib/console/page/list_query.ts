/** By what a list is ordered, and in which direction. */
export interface Sort<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

/** Reads `?sort=`: a column's name, `-` before it for descending; the usual order where it names none. */
export function readSort<Column extends string>(
  fields: URLSearchParams,
  columns: readonly Column[],
  usual: Sort<Column>,
): Sort<Column> {
  const text = fields.get("sort") ?? "";
  const column = columns.find((one) => one === text.replace(/^-/, ""));
  return column === undefined ? usual : { column, descending: text.startsWith("-") };
}

/** As `readSort` reads it. */
export function sortText({ column, descending }: Sort<string>): string {
  return `${descending ? "-" : ""}${column}`;
}

/** As `readSort` reads it; absent where it is the usual one. */
export function sortField(sort: Sort<string>, usual: Sort<string>): string | undefined {
  return sortText(sort) === sortText(usual) ? undefined : sortText(sort);
}

/** Reads `?page=`, or another field that counts pages, from 1 on. */
export function readPageNumber(fields: URLSearchParams, name = "page"): number {
  return Number(/^[1-9]\d{0,5}$/.exec(fields.get(name) ?? "")?.[0] ?? 1);
}

/** The rows of a page, and whether more follow. */
export function pageOf<Row>(
  rows: readonly Row[],
  page: number,
  pageRows: number,
): { readonly rows: readonly Row[]; readonly hasMore: boolean } {
  const [from, to] = [(page - 1) * pageRows, page * pageRows];
  return { rows: rows.slice(from, to), hasMore: rows.length > to };
}

/** As `readPageNumber` reads it; absent on the first. */
export function pageField(page: number): string | undefined {
  return page > 1 ? String(page) : undefined;
}

/** Reads a text that is looked for. */
export function readText(fields: URLSearchParams, name: string): string {
  return (fields.get(name) ?? "").trim().slice(0, 100);
}

/** The address of a list whose fields are those that say something. */
export function listPath(
  path: string,
  fields: Readonly<Record<string, string | undefined | false>>,
): string {
  const said = Object.entries(fields)
    .flatMap(([name, value]): [string, string][] => value ? [[name, value]] : []);
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said)}`;
}
