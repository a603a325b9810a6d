import { columnNames } from "./create_table.ts";

/** `COPY public."Table" ("a", b) FROM stdin` */
const copy = /^\s*COPY\s+(?:"?\w+"?\.)?"?(\w+)"?\s*\(([^)]*)\)\s+FROM\s+stdin\s*$/i;

/** The table and the columns of a `COPY` statement of pg_dump; undefined for another one. */
export function copiedTable(
  statement: string,
): { readonly table: string; readonly columns: readonly string[] } | undefined {
  const [, table, columns] = copy.exec(statement) ?? [];
  return table === undefined ? undefined : { table, columns: columnNames(columns) };
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The values of a line of `COPY` in text format; null for `\N`. */
export function copyValues(line: string): (string | null)[] {
  return line.split("\t").map((field) => field === "\\N" ? null : unescaped(field));
}

function unescaped(field: string): string {
  if (!field.includes("\\")) return field;
  return field.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))/gs,
    (_, hex, octal, char) =>
      hex ? fromCode(hex, 16) : octal ? fromCode(octal, 8) : escapes[char] ?? char,
  );
}

function fromCode(digits: string, radix: number): string {
  return String.fromCharCode(parseInt(digits, radix));
}
