import { cookiesOf } from "../page/preferences.ts";

/** Columns of the log beside the time, the status and the model, in display order. */
export const logColumns = [
  "key",
  "account",
  "input",
  "output",
  "firstByte",
  "duration",
  "cost",
] as const;
export type LogColumn = typeof logColumns[number];

export const densities = ["comfortable", "compact"] as const;

/** The reader's choice of row height and columns. */
export interface LogLook {
  readonly density: typeof densities[number];
  readonly columns: readonly LogColumn[];
}

/** All columns in rows of the usual height. */
export const usualLook: LogLook = { density: "comfortable", columns: logColumns };

/** Reads the look from its cookie, which is untrusted input. */
export function readLogLook(headers: Headers): LogLook {
  const [density, ...columns] = cookiesOf(headers).tessera_log?.split(".") ?? [];
  return lookOf(density, columns) ?? usualLook;
}

/** The cookie's text for a form with `density` and `column`; undefined for any other form. */
export function logLookText(form: URLSearchParams): string | undefined {
  const look = lookOf(form.get("density"), form.getAll("column"));
  return look && [look.density, ...look.columns].join(".");
}

function lookOf(density: string | null, chosen: readonly string[]): LogLook | undefined {
  const known = densities.find((one) => one === density);
  const columns = logColumns.filter((column) => chosen.includes(column));
  return known && { density: known, columns };
}
