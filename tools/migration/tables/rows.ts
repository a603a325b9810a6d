import { ImportRefusal } from "../../../lib/store/transfer/mod.ts";
import type { SourceFields } from "../source_object.ts";

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
