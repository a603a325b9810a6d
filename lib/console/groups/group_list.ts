import type { Group } from "../../store/catalog/mod.ts";
import type { GroupUse } from "./group_use.ts";
import {
  listPath,
  pageField,
  readPageNumber,
  readSort,
  readText,
  type Sort,
  sortField,
} from "../page/list_query.ts";

/** By what the list of groups is ordered. */
export const groupColumns = ["name", "ratio", "keys"] as const;
export type GroupColumn = typeof groupColumns[number];

/** What the address of the groups says. */
export interface GroupQuery {
  /** Part of a group's name. */
  readonly text: string;
  /** Part of a model's name, of those that stand beside the groups. */
  readonly model: string;
  readonly sort: Sort<GroupColumn>;
  /** Of the groups, from 1 on. */
  readonly page: number;
  /** Of the models, from 1 on. */
  readonly modelPage: number;
}

const usualSort: Sort<GroupColumn> = { column: "name", descending: false };

/** Reads `?q=&model=&sort=&page=&models=`; what it does not know is as if it were not there. */
export function readGroupQuery(fields: URLSearchParams): GroupQuery {
  return {
    text: readText(fields, "q"),
    model: readText(fields, "model"),
    sort: readSort(fields, groupColumns, usualSort),
    page: readPageNumber(fields),
    modelPage: readPageNumber(fields, "models"),
  };
}

/** The address of the groups for a query, without what is so anyway. */
export function groupsPath({ text, model, sort, page, modelPage }: GroupQuery): string {
  return listPath("/console/admin/groups", {
    q: text,
    model,
    sort: sortField(sort, usualSort),
    page: pageField(page),
    models: pageField(modelPage),
  });
}

/** The groups that a query means, in its order. */
export function filterGroups(
  groups: readonly Group[],
  { text, sort: { column, descending } }: GroupQuery,
  uses: ReadonlyMap<string, GroupUse>,
): readonly Group[] {
  const part = text.toLowerCase();
  const compare = {
    name: (a, b) => a.id < b.id ? -1 : 1,
    ratio: (a, b) => a.priceRatio - b.priceRatio,
    keys: (a, b) => keysOf(a) - keysOf(b),
  } satisfies Record<GroupColumn, (a: Group, b: Group) => number>;
  const keysOf = ({ id }: Group) => uses.get(id)?.keys.length ?? 0;
  const sign = descending ? -1 : 1;
  return groups.filter(({ id }) => id.toLowerCase().includes(part))
    .toSorted((a, b) => sign * compare[column](a, b));
}
