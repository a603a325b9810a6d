import { basename, join } from "node:path";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { refusing } from "../source_file.ts";
import type { SourceFields } from "../source_object.ts";
import type { RowSink } from "./rows.ts";

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
    const { readSqlite } = await import("./sqlite.ts");
    return readSqlite(path, sink);
  }
  if (magic.startsWith("PGDMP")) throw new ImportRefusal(`${path} ${customFormat}`);
  const { readDump } = await import("./dump.ts");
  await readDump(path, sink);
}

const customFormat = "is in pg_dump's custom format. Run pg_restore -f dump.sql FILE, and import " +
  "dump.sql";

async function readFolder(folder: string, sink: RowSink): Promise<void> {
  const names = [...sink.wanted].filter((name) => hasFile(join(folder, `${name}.csv`)));
  if (names.length === 0) {
    throw new ImportRefusal(`${folder} has no CSV file that is named like a table`);
  }
  for (const name of names) await readCsv(join(folder, `${name}.csv`), sink);
}

async function readCsv(path: string, sink: RowSink): Promise<void> {
  const { readCsvFile } = await import("./csv.ts");
  const name = basename(path, ".csv");
  if (!sink.wanted.has(name)) {
    throw new ImportRefusal(
      `${path} is not named like a table, such as ${[...sink.wanted][0]}.csv`,
    );
  }
  await readCsvFile(path, (row) => sink.add(name, row));
}

function hasFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function firstBytes(path: string): Promise<string> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(16);
  const count = await file.read(bytes) ?? 0;
  return String.fromCharCode(...bytes.subarray(0, count));
}
