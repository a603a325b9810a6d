import { parse } from "csv-parse/sync";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { unlessMissing } from "../../task.ts";
import type { SourceFields } from "../source_object.ts";
import type { RowSink } from "./insert_rows.ts";

/** Rows by the name of their table. A field that is null is absent. */
export type Tables = ReadonlyMap<string, readonly SourceFields[]>;

/** Far more than the tables that we read have in any real database. */
const rowsMax = 3_000_000;

/**
 * Reads tables of a database: a SQLite file, a plain SQL dump of MySQL, PostgreSQL or SQLite (also
 * in `.gz`), a CSV file named like its table, or a folder of such files. Throws `ImportRefusal` for
 * a file that is missing, damaged, cut or of another kind.
 */
export async function readTables(path: string, names: readonly string[]): Promise<Tables> {
  const wanted = new Set(names);
  const tables = new Map<string, SourceFields[]>();
  let count = 0;
  const add = (name: string, row: SourceFields) => {
    if (++count > rowsMax) throw new ImportRefusal(`${path} has more than ${rowsMax} rows`);
    const rows = tables.get(name) ?? [];
    rows.push(row);
    tables.set(name, rows);
  };
  await readInto(path, { wanted, add });
  return tables;
}

async function readInto(path: string, sink: RowSink): Promise<void> {
  const { isDirectory } = await refusing(path, () => Deno.stat(path));
  if (isDirectory) return await readFolder(path, sink);
  if (path.endsWith(".csv")) return await readCsv(path, sink);
  const magic = await firstBytes(path);
  if (magic.startsWith("SQLite format 3\0")) {
    return readSqlite(path, sink);
  }
  if (magic.startsWith("PGDMP")) throw new ImportRefusal(`${path} ${customFormat}`);
  const { readDump } = await import("./dump.ts");
  await readDump(path, sink);
}

const customFormat = "is in pg_dump's custom format. Run pg_restore -f dump.sql FILE, and import " +
  "dump.sql";

async function readFolder(folder: string, sink: RowSink): Promise<void> {
  const names = [...sink.wanted].filter((name) =>
    unlessMissing(() => Deno.statSync(join(folder, `${name}.csv`)))?.isFile
  );
  if (names.length === 0) {
    throw new ImportRefusal(`${folder} has no CSV file that is named like a table`);
  }
  for (const name of names) await readCsv(join(folder, `${name}.csv`), sink);
}

async function readCsv(path: string, sink: RowSink): Promise<void> {
  const name = basename(path, ".csv");
  if (!sink.wanted.has(name)) {
    throw new ImportRefusal(
      `${path} is not named like a table, such as ${[...sink.wanted][0]}.csv`,
    );
  }
  await readCsvFile(path, (row) => sink.add(name, row));
}

async function firstBytes(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(16);
  const count = await file.read(bytes) ?? 0;
  return String.fromCharCode(...bytes.subarray(0, count));
}

const bytesMax = 400_000_000;

/** Reads a CSV file with a header, as PostgreSQL writes it: an empty field is null. */
async function readCsvFile(path: string, add: (row: SourceFields) => void): Promise<void> {
  const text = await readTextFile(path, bytesMax);
  try {
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    for (const row of rows) {
      add(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "")));
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new ImportRefusal(`${path} is not CSV with a header, or is cut (${error.code})`, error);
  }
}

/** Reads the wanted tables of a SQLite file, which another process may be using. */
function readSqlite(path: string, { wanted, add }: RowSink): void {
  try {
    using database = opened(path);
    const listed = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const names = listed.map(({ name }) => String(name)).filter((name) => wanted.has(name));
    for (const name of names) {
      const rows = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
      rows.setReadBigInts(true);
      for (const row of rows.iterate()) add(name, present(row));
    }
  } catch (error) {
    if (!isOfSqlite(error)) throw error;
    throw new ImportRefusal(`${path} is damaged or cut: ${error.message}`, error);
  }
}

function opened(path: string): DatabaseSync & Disposable {
  const database = new DatabaseSync(path, { readOnly: true });
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}

/** Integers that fit are numbers; blobs are texts, as GORM stores JSON in them. */
function present(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null).map(([name, value]) => [
      name,
      typeof value === "bigint" ? numberOf(value) : textOf(value),
    ]),
  );
}

function numberOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function textOf(value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
}

function isOfSqlite(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/** Reads a small text file. Throws `ImportRefusal` if it is missing, too large or not UTF-8. */
export async function readTextFile(path: string, bytesMax: number): Promise<string> {
  const bytes = await refusing(path, async () => {
    const { size, isFile } = await Deno.stat(path);
    if (!isFile) throw new ImportRefusal(`${path} is not a file`);
    if (size > bytesMax) throw new ImportRefusal(`${path} has more than ${bytesMax} bytes`);
    return await Deno.readFile(path);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ImportRefusal(`${path} is not in UTF-8`, error);
  }
}

/** Runs a reading of a file. Throws `ImportRefusal` if there is no such file. */
async function refusing<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ImportRefusal(`there is no file ${path}`, error);
  }
}
