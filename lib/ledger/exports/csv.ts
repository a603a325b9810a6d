/** What spreadsheets read as the beginning of a formula (OWASP, CSV injection), wide forms too. */
const formula = /^[=+\-@\t\r\n'\uff1d\uff0b\uff0d\uff20]/;

/** A number in plain digits, which no spreadsheet evaluates: an exact amount stays one, also below zero. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** What stands in a field; undefined is an empty one. */
export type CsvCell = string | number | boolean | undefined;

/**
 * A line of CSV after RFC 4180. A text that a spreadsheet would take for a formula, or that begins
 * with an apostrophe, is written behind an apostrophe.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${
    cells.map((cell) => typeof cell === "string" ? csvText(cell) : cell ?? "").join(",")
  }\r\n`;
}

function csvText(text: string): string {
  const harmless = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
