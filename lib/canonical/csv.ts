/** Characters at which spreadsheets start a formula (OWASP, CSV injection), full-width forms too. */
const formula = /^[=+\-@\t\r\n'\uff1d\uff0b\uff0d\uff20]/;

/** Matches plain numbers, which are not formulas, even if negative. */
const plainNumber = /^-?\d+(\.\d+)?$/;

/** The value of a field; undefined is an empty field. */
export type CsvCell = string | number | boolean | undefined;

/**
 * Formats a line of CSV (RFC 4180). A text that a spreadsheet would take for a formula, or that
 * starts with an apostrophe, is prefixed with an apostrophe.
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
