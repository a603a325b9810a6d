/** Columns of the list of keys beside the name and the status, in display order. */
export const listColumns = [
  "group",
  "spend",
  "calls",
  "limit",
  "created",
  "used",
  "expires",
] as const;
export type ListColumn = typeof listColumns[number];

const usual: readonly ListColumn[] = ["group", "spend", "limit", "used"];

/** The user's columns that still exist; the defaults if the user chose none. */
export function chosenColumns(chosen: readonly string[] | undefined): readonly ListColumn[] {
  return chosen === undefined ? usual : listColumns.filter((column) => chosen.includes(column));
}
