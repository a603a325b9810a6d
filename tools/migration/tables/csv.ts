import { parse } from "csv-parse/sync";
import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import { readTextFile } from "../source_file.ts";
import type { SourceFields } from "../source_object.ts";

const bytesMax = 400_000_000;

/** Reads a CSV file with a header, as PostgreSQL writes it: an empty field is null. */
export async function readCsvFile(path: string, add: (row: SourceFields) => void): Promise<void> {
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
