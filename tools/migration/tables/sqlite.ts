import { DatabaseSync } from "node:sqlite";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import type { RowSink } from "./rows.ts";

/** Reads the wanted tables of a SQLite file, which another process may be using. */
export function readSqlite(path: string, { wanted, add }: RowSink): void {
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
