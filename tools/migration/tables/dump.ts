import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import {
  columnNames,
  columnsOf,
  createdTable,
  type Dialect,
  insertedRows,
  insertedTable,
  rowOf,
  type RowSink,
} from "./insert_rows.ts";
import { StatementSplitter } from "./statements.ts";

/** `COPY public."Table" ("a", b) FROM stdin` */
const copy = /^\s*COPY\s+(?:"?\w+"?\.)?"?(\w+)"?\s*\(([^)]*)\)\s+FROM\s+stdin\s*$/i;

/** The table and the columns of a `COPY` statement of pg_dump; undefined for another one. */
function copiedTable(
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
function copyValues(line: string): (string | null)[] {
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

/**
 * Reads the wanted tables of a plain SQL dump. Throws `ImportRefusal` if it is not one, or if it
 * ends in the middle.
 */
export async function readDump(path: string, sink: RowSink): Promise<void> {
  const reader = new DumpReader(path, sink);
  for await (const text of textsOf(path)) reader.push(text);
  reader.end();
}

/** Reads a dump piece by piece, so that tables which nobody wants take no memory. */
class DumpReader {
  #splitter: StatementSplitter | undefined;
  #dialect: Dialect = "standard";
  readonly #columns = new Map<string, readonly string[]>();
  #copying: { readonly table: string; readonly columns: readonly string[] } | undefined;
  #tail = "";
  #head = "";
  #statements = 0;

  constructor(readonly path: string, readonly sink: RowSink) {}

  push(text: string): void {
    this.#splitter ??= this.#start(text);
    this.#tail = (this.#tail + text).slice(-400);
    for (const piece of this.#splitter.push(text)) {
      if (piece.type === "statement") this.#statement(piece.text);
      else this.#row(piece.line);
    }
  }

  end(): void {
    const isEnded = this.#splitter?.end() === true;
    if (this.#statements === 0) throw new ImportRefusal(`${this.path} ${notADump}`);
    if (!isEnded || this.#lacksEnd()) throw new ImportRefusal(`${this.path} ${cut}`);
  }

  #start(text: string): StatementSplitter {
    this.#head = text.slice(0, 4_000);
    this.#dialect = dialectOf(text);
    return new StatementSplitter({
      hasEscapes: this.#dialect === "mysql",
      keeps: (start) => this.#isWanted(start),
    });
  }

  /** The list of columns of a `COPY` may be longer than the start, and names its table only whole. */
  #isWanted(start: string): boolean {
    if (/^\s*COPY\s/i.test(start)) return true;
    const table = insertedTable(start) ?? createdTable(start);
    return table !== undefined && this.sink.wanted.has(table);
  }

  #statement(text: string): void {
    this.#statements++;
    const copied = copiedTable(text);
    if (copied) this.#copying = copied;
    const created = createdTable(text);
    if (created !== undefined && this.sink.wanted.has(created)) {
      this.#columns.set(created, columnsOf(text));
    }
    const inserted = insertedTable(text);
    if (inserted === undefined || !this.sink.wanted.has(inserted)) return;
    const columns = this.#columns.get(inserted);
    for (const row of insertedRows(text, { dialect: this.#dialect, columns })) {
      this.sink.add(inserted, row);
    }
  }

  #row(line: string): void {
    const { table, columns } = this.#copying ?? {};
    if (table === undefined || !columns || !this.sink.wanted.has(table)) return;
    this.sink.add(table, rowOf(columns, copyValues(line)));
  }

  /** The programs that write such a head end with a line that says so. */
  #lacksEnd(): boolean {
    if (/^-- (MySQL|MariaDB) dump/m.test(this.#head)) return !/-- Dump completed/.test(this.#tail);
    return /^-- PostgreSQL database dump$/m.test(this.#head) &&
      !/-- PostgreSQL database dump complete/.test(this.#tail);
  }
}

/** GORM writes backticks in SQLite too, whose dumps begin with a pragma. */
function dialectOf(start: string): Dialect {
  if (/^(PRAGMA |-- PostgreSQL)/m.test(start)) return "standard";
  return /MySQL|MariaDB|^(INSERT|REPLACE|CREATE|DROP|LOCK)[^;"']*`/im.test(start)
    ? "mysql"
    : "standard";
}

const notADump = "is neither a SQLite database nor a plain SQL dump";
const cut = "ends in the middle: the dump was cut. Dump or copy it again";

/** The dump's text, from UTF-8 or from the UTF-16 that PowerShell writes; unpacked from gzip. */
async function* textsOf(path: string): AsyncGenerator<string> {
  const file = await Deno.open(path);
  const isPacked = path.endsWith(".gz");
  const bytes = isPacked
    ? file.readable.pipeThrough(new DecompressionStream("gzip"))
    : file.readable;
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of bytes) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder?.decode() ?? "";
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ImportRefusal(`${path} is not in UTF-8${isPacked ? ", or is damaged" : ""}`, error);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  return first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
}
