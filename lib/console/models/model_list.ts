import { type FormatName, formatNames } from "../../canonical/mod.ts";
import { capabilities, type Capability } from "../../catalog/mod.ts";
import {
  listPath,
  pageField,
  readPageNumber,
  readSort,
  readText,
  type Sort,
  sortField,
} from "../page/list_query.ts";
import type { ModelMeasure } from "./model_measures.ts";
import type { ModelRow } from "./model_rows.ts";

/** By what the list of models is ordered. */
const modelColumns = ["name", "input", "output", "context", "speed"] as const;
export type ModelColumn = typeof modelColumns[number];

/** What the address of the list of models says. */
export interface ModelQuery {
  /** Where the list is: that of an account, or that of everybody. */
  readonly path: string;
  /** Part of a name. */
  readonly text: string;
  readonly vendor?: string;
  readonly format?: FormatName;
  readonly capability?: Capability;
  /** In which group it is called; in any where it is absent. */
  readonly groupId?: string;
  /** Whether the prices of all groups stand beside each other. */
  readonly compares: boolean;
  readonly sort: Sort<ModelColumn>;
  /** From 1 on. */
  readonly page: number;
}

const usualSort: Sort<ModelColumn> = { column: "name", descending: false };

/** Reads `?q=&vendor=&format=&can=&group=&compare=&sort=&page=`; what it does not know is as if it were not there. */
export function readModelQuery({ pathname, searchParams: fields }: URL): ModelQuery {
  const [vendor, groupId] = [readText(fields, "vendor"), readText(fields, "group")];
  const format = formatNames.find((one) => one === fields.get("format"));
  const capability = capabilities.find((one) => one === fields.get("can"));
  return {
    path: pathname,
    text: readText(fields, "q"),
    ...(vendor && { vendor }),
    ...(format && { format }),
    ...(capability && { capability }),
    ...(groupId && { groupId }),
    compares: fields.get("compare") === "groups",
    sort: readSort(fields, modelColumns, usualSort),
    page: readPageNumber(fields),
  };
}

/** The address of the list for a query, without what is so anyway. */
export function modelsPath(query: ModelQuery): string {
  const { path, text, vendor, format, capability, groupId, compares, sort, page } = query;
  return listPath(path, {
    q: text,
    vendor,
    format,
    can: capability,
    group: groupId,
    compare: compares ? "groups" : undefined,
    sort: sortField(sort, usualSort),
    page: pageField(page),
  });
}

/** The rows that a query means; its group is looked for before rows are made. */
export function matchingModels(rows: readonly ModelRow[], query: ModelQuery): ModelRow[] {
  const { text, vendor, format, capability } = query;
  const part = text.toLowerCase();
  return rows.filter((row) =>
    `${row.id}\n${row.displayName ?? ""}`.toLowerCase().includes(part) &&
    (vendor === undefined || row.vendor === vendor) &&
    (format === undefined || row.formats.includes(format)) &&
    (capability === undefined || row.capabilities.includes(capability))
  );
}

/** The rows in a query's order; those of which nothing is known stand last in either direction. */
export function sortedModels(
  rows: readonly ModelRow[],
  { column, descending }: Sort<ModelColumn>,
  measures: ReadonlyMap<string, ModelMeasure>,
): readonly ModelRow[] {
  if (column === "name") return descending ? rows.toReversed() : rows;
  const valueOf = {
    input: ({ price }) => price?.input,
    output: ({ price }) => price?.output,
    context: ({ contextWindow }) => contextWindow,
    speed: ({ id }) => measures.get(id)?.firstByteMs,
  } satisfies Record<Exclude<ModelColumn, "name">, (row: ModelRow) => number | undefined>;
  const none = descending ? -Infinity : Infinity;
  const keyOf = (row: ModelRow) => valueOf[column](row) ?? none;
  return rows.toSorted((a, b) => compare(keyOf(a), keyOf(b)) * (descending ? -1 : 1));
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The vendors of models, each once, in order. */
export function vendorsOf(rows: readonly ModelRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ vendor }) => vendor ?? []))].sort();
}
