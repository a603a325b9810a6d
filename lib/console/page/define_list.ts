import type { AdminServices } from "../../admin/services.ts";
import { type FieldRule, readPageNumber } from "./list_fields.ts";

/** The column that orders a list, and the direction. */
interface Sort<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

type SortValue = string | number | bigint;

export type FieldRules<Row> = Readonly<Record<string, FieldRule<Row>>>;

type FieldValues<Fields> = {
  readonly [Name in keyof Fields]?: Fields[Name] extends {
    read: (text: string) => infer Value;
  } ? Exclude<Value, undefined>
    : never;
};

/** The declaration of a list page. */
export interface List<Row, Fields extends FieldRules<Row>, Column extends string> {
  readonly path: string;
  readonly fields: Fields;
  readonly sort?: SortRules<Row, Column>;
  /** Reads `?before=`, for a list that the store pages. */
  readonly cursor?: (text: string) => string | undefined;
  readonly pageRows?: number;
}

interface SortRules<Row, Column extends string> {
  /** Rows without a value come last in both directions. */
  readonly columns: Readonly<Record<Column, (row: Row) => SortValue | undefined>>;
  readonly usual: Sort<NoInfer<Column>>;
  /** Columns that a first click sorts from the highest value down. */
  readonly descendingFirst?: readonly NoInfer<Column>[];
  /** True if each column has its first direction only, and the address names none. */
  readonly isFixed?: boolean;
  /** Orders rows of equal value. */
  readonly then?: (a: Row, b: Row) => number;
  /** Columns that need `details`: sorting by one reads the details of all rows. */
  readonly detailed?: readonly NoInfer<Column>[];
}

/** The query of a list's address. */
export interface ListQuery<Fields, Column extends string> {
  readonly path: string;
  readonly fields: FieldValues<Fields>;
  readonly sort: Sort<Column>;
  /** Page number, from 1. */
  readonly page: number;
  /** The row after which the page starts, for a list that the store pages. */
  readonly before?: string;
}

/** The query of a list that `defineList` returned. */
export type QueryOf<Declared> = Declared extends List<infer _, infer Fields, infer Column>
  ? ListQuery<Fields, Column>
  : never;

/** The rows of one page. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** The numbers of selected rows and of all rows; absent if the store pages. */
  readonly found?: number;
  readonly total?: number;
  readonly hasMore?: boolean;
  /** The cursor of the next page, if the store pages. */
  readonly next?: string;
  /** For a list without matches, the filter that hides most rows. */
  readonly hiding?: HidingFilter;
}

/** A page of rows that were all read. */
export interface FilteredPage<Row> extends Omit<ListPage<Row>, "next"> {
  readonly found: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** A filter, and the number of rows that match without it. */
interface HidingFilter {
  readonly name: string;
  readonly found: number;
}

/** Declares a list page: `defineList<Row>()({ … })`. */
export function defineList<Row>() {
  return <const Fields extends FieldRules<Row>, Column extends string = never>(
    list: List<Row, Fields, Column>,
  ): List<Row, Fields, Column> => list;
}

/** Reads the query from an address. Unknown fields and values count as absent. */
export function readQuery<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  address: URLSearchParams = new URLSearchParams(),
  path: string = list.path,
): ListQuery<Fields, Column> {
  const values = Object.entries(list.fields).flatMap(([name, { read }]) => {
    const text = (address.get(name) ?? "").trim().slice(0, 100);
    const value = text === "" ? undefined : read(text);
    return value === undefined ? [] : [[name, value]];
  });
  const before = list.cursor?.(address.get("before") ?? "");
  return {
    path,
    fields: Object.fromEntries(values) as FieldValues<Fields>, // each read by its own rule
    sort: readSort(list, address.get("sort") ?? ""),
    page: Number(readPageNumber(address.get("page") ?? "") ?? 1),
    ...(before && { before }),
  };
}

/** Returns the address of the query's first page, or of another one. */
export function listHref<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  { path, fields, sort }: Pick<ListQuery<Fields, Column>, "path" | "fields" | "sort">,
  { page = 1, before }: { readonly page?: number; readonly before?: string } = {},
): string {
  const text = sortText(list, sort);
  return pathWith(path, {
    ...Object.fromEntries(presentFields({ fields })),
    sort: text === sortText(list, usualSort(list)) ? undefined : text,
    page: page > 1 ? String(page) : undefined,
    before,
  });
}

/** Returns the page of the rows that a query selects, in its order. */
export async function listPage<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  rows: readonly Row[],
  { query, services, all = rows, details = (some) => Promise.resolve(some) }: {
    readonly query: ListQuery<Fields, Column>;
    readonly services: Pick<AdminServices, "config">;
    /** All rows of the list, if `rows` are those that were selected from them already. */
    readonly all?: readonly Row[];
    /** Reads the details of the rows on the page, or of all rows if the list is sorted by one. */
    readonly details?: (rows: readonly Row[]) => Promise<readonly Row[]>;
  },
): Promise<FilteredPage<Row>> {
  const found = filterRows(list, rows, query);
  const pageRows = pageRowsOf(services, list.pageRows);
  const [from, to] = [(query.page - 1) * pageRows, query.page * pageRows];
  const byDetail = sortsByDetail(list, query);
  const shown = sortRows(list, byDetail ? await details(found) : found, query.sort).slice(from, to);
  return {
    rows: byDetail ? shown : await details(shown),
    found: found.length,
    total: all.length,
    hasMore: found.length > to,
    ...(found.length === 0 && { hiding: hidingFilter(list, all, query) }),
  };
}

/** The filter that by itself hides most rows; undefined if none does. */
function hidingFilter<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  rows: readonly Row[],
  query: ListQuery<Fields, Column>,
): HidingFilter | undefined {
  const names = presentFields(query).map(([name]) => name).filter((name) =>
    list.fields[name].matches
  );
  const counted = names.map((name) => {
    const { fields } = withoutField(query, name);
    return { name, found: filterRows(list, rows, { fields }).length };
  });
  const [most] = counted.sort((a, b) => b.found - a.found);
  return most?.found ? most : undefined;
}

/** The query without one field. */
export function withoutField<Fields, Query extends { readonly fields: Fields }>(
  query: Query,
  name: string,
): Query {
  return { ...query, fields: { ...query.fields, [name]: undefined } };
}

export function filterRows<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  rows: readonly Row[],
  { fields }: Pick<ListQuery<Fields, Column>, "fields">,
): readonly Row[] {
  const present = presentFields({ fields });
  return rows.filter((row) =>
    present.every(([name, value]) => list.fields[name].matches?.(row, value) ?? true)
  );
}

/** True if the query sorts by a column that needs `details`. */
export function sortsByDetail<Row, Fields extends FieldRules<Row>, Column extends string>(
  { sort: rules }: List<Row, Fields, Column>,
  { sort }: ListQuery<Fields, Column>,
): boolean {
  return rules?.detailed?.includes(sort.column) ?? false;
}

/** The number of fields that narrow the list. */
export function filterCount<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  query: ListQuery<Fields, Column>,
): number {
  return presentFields(query).filter(([name]) => list.fields[name].kind === undefined).length;
}

/** The options in the query, which a filter form submits again. */
export function optionFields<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  query: ListQuery<Fields, Column>,
): readonly (readonly [string, string])[] {
  return presentFields(query).filter(([name]) => list.fields[name].kind === "option");
}

/** The names and the values of the fields that an address has. */
export function presentFields(
  { fields }: { readonly fields: object },
): readonly (readonly [string, string])[] {
  return Object.entries<unknown>({ ...fields })
    .filter((field): field is [string, string] => typeof field[1] === "string");
}

/** Returns the order after a click on a column's head. */
export function nextSort<Row, Fields extends FieldRules<Row>, Column extends string>(
  { sort: rules }: List<Row, Fields, Column>,
  column: Column,
  { sort }: ListQuery<Fields, Column>,
): Sort<Column> {
  const first = { column, descending: rules?.descendingFirst?.includes(column) ?? false };
  return sort.column !== column || rules?.isFixed
    ? first
    : { column, descending: !sort.descending };
}

/** The value of the address field `sort`: a column's name, preceded by `-` for descending order. */
export function sortText<Row, Fields extends FieldRules<Row>, Column extends string>(
  { sort: rules }: List<Row, Fields, Column>,
  { column, descending }: Sort<Column>,
): string {
  return descending && !rules?.isFixed ? `-${column}` : column;
}

function readSort<Row, Fields extends FieldRules<Row>, Column extends string>(
  list: List<Row, Fields, Column>,
  text: string,
): Sort<Column> {
  const { columns = {}, isFixed, descendingFirst } = list.sort ?? {};
  const name = text.replace(/^-/, "");
  if (!Object.hasOwn(columns, name)) return usualSort(list);
  const column = name as Column; // a key of the columns
  if (isFixed) return { column, descending: descendingFirst?.includes(column) ?? false };
  return { column, descending: text.startsWith("-") };
}

function usualSort<Row, Fields extends FieldRules<Row>, Column extends string>(
  { sort }: List<Row, Fields, Column>,
): Sort<Column> {
  return sort?.usual ?? { column: "" as Column, descending: false }; // a list without an order
}

function sortRows<Row, Fields extends FieldRules<Row>, Column extends string>(
  { sort }: List<Row, Fields, Column>,
  rows: readonly Row[],
  { column, descending }: Sort<Column>,
): readonly Row[] {
  if (sort === undefined) return rows;
  const { [column]: valueOf } = sort.columns;
  return rows.toSorted((a, b) =>
    compare(valueOf(a), valueOf(b), descending) || (sort.then?.(a, b) ?? 0)
  );
}

function compare(a: SortValue | undefined, b: SortValue | undefined, descending: boolean): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b === descending ? 1 : -1;
}

/** A path with those of the fields that have a value. */
function pathWith(
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
): string {
  const present = Object.entries(fields)
    .flatMap(([name, value]): [string, string][] => value ? [[name, value]] : []);
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`;
}

/** The number of rows of a page: 50 unless the list sets another, and at most the configured maximum. */
export function pageRowsOf(
  { config: { limits } }: Pick<AdminServices, "config">,
  asked = 50,
): number {
  return Math.min(asked, limits.pageRowsMax);
}
