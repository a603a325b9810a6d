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
export function chosenColumns(
  chosen: readonly string[] | undefined,
  { hasGroups }: { readonly hasGroups: boolean },
): readonly ListColumn[] {
  if (chosen !== undefined) return listColumns.filter((column) => chosen.includes(column));
  return usual.filter((column) => column !== "group" || hasGroups);
}
