import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import type { SourceFields } from "../source_object.ts";

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\x1a",
};

/** A text of SQL, and the place behind its closing quote; -1 if it has none. */
interface ReadText {
  readonly text: string;
  readonly end: number;
}

/**
 * Reads the text that begins behind an opening `'` at `at`. `''` is one quote. With `hasEscapes`,
 * `\` escapes the next character.
 */
function readText(
  source: string,
  { at, hasEscapes }: { readonly at: number; readonly hasEscapes: boolean },
): ReadText {
  const special = hasEscapes ? /['\\]/g : /'/g;
  let text = "";
  for (let from = at;;) {
    special.lastIndex = from;
    const found = special.exec(source);
    if (!found) return { text, end: -1 };
    const { index } = found;
    text += source.slice(from, index);
    const next = source[index + 1];
    if (found[0] === "'" && next !== "'") return { text, end: index + 1 };
    text += found[0] === "'" ? "'" : escapes[next] ?? next ?? "";
    from = index + 2;
  }
}

const insert =
  /^\s*(?:INSERT(?:\s+IGNORE)?|REPLACE)\s+INTO\s+(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)[`"]?\s*(?:\(([^()]*)\)\s*)?(?:OVERRIDING\s+\w+\s+VALUE\s+)?VALUES\s*/i;

/** The table of an `INSERT`; undefined for another statement. */
export function insertedTable(statement: string): string | undefined {
  return insertStart.exec(statement)?.[1];
}

const insertStart =
  /^\s*(?:INSERT(?:\s+IGNORE)?|REPLACE)\s+INTO\s+(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)[`"]?[\s(]/i;

/** The rows of an `INSERT`. `columns` are the table's, for a statement that does not name them. */
export function insertedRows(
  statement: string,
  { dialect, columns: known }: {
    readonly dialect: Dialect;
    readonly columns: readonly string[] | undefined;
  },
): SourceFields[] {
  const [head, table, list] = insert.exec(statement) ?? [];
  const columns = list === undefined ? known : columnNames(list);
  if (head === undefined || !columns) {
    throw new ImportRefusal(`the dump inserts into ${table ?? "a table"} without its columns`);
  }
  const reader = new ValueReader(statement, { at: head.length, dialect });
  const rows: SourceFields[] = [];
  do rows.push(rowOf(columns, reader.tuple())); while (reader.skip(","));
  return rows;
}

/** A number, a keyword, or bytes in hexadecimal. */
const word = /[-+\w.]+/y;
const cast = /::[\w ".]+(\[\])?/y;
const keywords: Readonly<Record<string, unknown>> = { NULL: null, TRUE: true, FALSE: false };

/** Reads the values of an `INSERT` from left to right. */
class ValueReader {
  #at: number;
  readonly #dialect: Dialect;

  constructor(readonly text: string, { at, dialect }: { at: number; dialect: Dialect }) {
    this.#at = at;
    this.#dialect = dialect;
  }

  /** The values between `(` and `)`. */
  tuple(): unknown[] {
    if (!this.skip("(")) this.#refuse();
    const values = this.#list(")");
    return values;
  }

  /** True if `char` is next; it is read. */
  skip(char: string): boolean {
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at++;
    if (this.text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #list(end: string): unknown[] {
    if (this.skip(end)) return [];
    const values: unknown[] = [];
    do values.push(this.#value()); while (this.skip(","));
    if (!this.skip(end)) this.#refuse();
    return values;
  }

  #value(): unknown {
    if (this.skip("'")) return this.#cast(this.#text(this.#dialect === "mysql"));
    word.lastIndex = this.#at;
    const found = word.exec(this.text)?.[0] ?? this.#refuse();
    this.#at += found.length;
    const upper = found.toUpperCase();
    if (Object.hasOwn(keywords, upper)) return this.#cast(keywords[upper]);
    if (upper === "ARRAY" && this.skip("[")) return this.#cast(this.#list("]"));
    if (upper === "UNISTR" && this.skip("(")) return unicode(this.#list(")"));
    if (upper === "_BINARY" || upper === "N") return this.#value();
    if (/^[EXB]$/.test(upper) && this.skip("'")) return this.#cast(this.#text(upper === "E"));
    return /^[-+]?[\d.]/.test(found) ? this.#cast(numberIn(found)) : this.#refuse();
  }

  #text(hasEscapes: boolean): string {
    const { text, end } = readText(this.text, { at: this.#at, hasEscapes });
    if (end < 0) this.#refuse();
    this.#at = end;
    return text;
  }

  #cast<Value>(value: Value): Value {
    cast.lastIndex = this.#at;
    this.#at += cast.exec(this.text)?.[0].length ?? 0;
    return value;
  }

  #refuse(): never {
    const place = this.#at.toLocaleString("en");
    throw new ImportRefusal(`an INSERT of the dump cannot be read at its character ${place}`);
  }
}

/** Integers beyond 2^53 stay texts. */
function numberIn(text: string): number | string {
  const number = Number(text);
  return Number.isNaN(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))
    ? text
    : number;
}

/** SQLite's `.dump` writes control characters as `\u000a`. */
function unicode([text]: readonly unknown[]): string {
  return String(text).replace(
    /\\(?:u([0-9a-fA-F]{4})|(\\))/g,
    (_, hex) => hex ? String.fromCharCode(parseInt(hex, 16)) : "\\",
  );
}

const create =
  /^\s*CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)[`"]?\s*\(/i;

/** The table of a `CREATE TABLE` statement; undefined for another one. */
export function createdTable(statement: string): string | undefined {
  return create.exec(statement)?.[1];
}

/** Words that begin a rule of the table in place of a column. */
const rule = /^(PRIMARY|KEY|UNIQUE|CONSTRAINT|INDEX|FOREIGN|CHECK|FULLTEXT|SPATIAL|EXCLUDE)\b/i;

/** The columns of a `CREATE TABLE` statement, in the order in which `INSERT` has their values. */
export function columnsOf(statement: string): readonly string[] {
  const [head = ""] = create.exec(statement) ?? [];
  return definitionsIn(statement.slice(head.length))
    .filter((definition) => !rule.test(definition))
    .map((definition) => /^[`"]?(\w+)[`"]?/.exec(definition)?.[1] ?? "");
}

/** The parts between the commas, without those in brackets and in texts. */
function definitionsIn(body: string): string[] {
  const found: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: token, index } of body.matchAll(/'(?:[^'\\]|\\.|'')*'|"[^"]*"|`[^`]*`|[(),]/gs)) {
    if (token === "(") depth++;
    else if (token === ")" && depth-- === 0) return [...found, body.slice(from, index).trim()];
    else if (token === "," && depth === 0) {
      found.push(body.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...found, body.slice(from).trim()];
}

/** The names in a list of columns such as `` `id`, "user_id", token ``. */
export function columnNames(list: string): readonly string[] {
  return list.split(",").map((name) => name.trim().replace(/^[`"]|[`"]$/g, ""));
}

/** The kind of server that wrote a dump: MySQL escapes with `\` in every text. */
export type Dialect = "mysql" | "standard";

/** The tables to read, and the receiver of their rows. */
export interface RowSink {
  readonly wanted: ReadonlySet<string>;
  add(table: string, row: SourceFields): void;
}

/** The fields of a row by column; those that are null are absent. */
export function rowOf(columns: readonly string[], values: readonly unknown[]): SourceFields {
  if (values.length !== columns.length) {
    throw new ImportRefusal(`a row has ${values.length} values for ${columns.length} columns`);
  }
  const pairs = columns.map((column, at) => [column, values[at]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== null));
}
