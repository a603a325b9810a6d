import { type GroupUse, groupUses } from "../../admin/groups.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { defineList, listHref, listPage, type QueryOf, readQuery } from "../page/define_list.ts";
import { otherPage, search, textField } from "../page/list_fields.ts";
import type { AccountState } from "../session/state.ts";
import { groupMatrix, type MatrixRow } from "./group_form.ts";

export interface GroupRow {
  readonly group: Group;
  /** Absent for a group that nothing uses. */
  readonly use?: GroupUse;
}

/** All groups. The fields `model` and `models` show the matrix beside them: filtered, and by page. */
export const groupList = defineList<GroupRow>()({
  path: "/console/admin/groups",
  fields: {
    q: search(({ group }) => [group.id]),
    model: textField(),
    models: otherPage(),
  },
  sort: {
    columns: {
      name: ({ group }) => group.id,
      ratio: ({ group }) => group.priceRatio,
      keys: ({ use }) => use?.keys.length ?? 0,
    },
    usual: { column: "name", descending: false },
    descendingFirst: ["keys"],
  },
});
export type GroupQuery = QueryOf<typeof groupList>;

const matrixList = defineList<MatrixRow>()({
  path: groupList.path,
  fields: { model: search(({ model }) => [model]) },
});

/** A page of the groups, and on demand a page of all models' prices in those groups. */
export async function readGroupList({ services, nowMs }: AccountState, query: GroupQuery) {
  const { store, directory } = services;
  const uses = await groupUses(store, directory);
  const rows = directory.groups().map((group): GroupRow => ({ group, use: uses.get(group.id) }));
  const page = await listPage(groupList, rows, { query, services });
  const groups = page.rows.map(({ group }) => group);
  const { model, models } = query.fields;
  if (model === undefined && models === undefined) return { page, groups };
  const matrix = await listPage(matrixList, groupMatrix(groups, directory, nowMs), {
    query: matrixQuery(query),
    services,
  });
  return { page, groups, matrix };
}

/** The address that shows the matrix, or another page of it. */
export function matrixHref(query: GroupQuery, page = 1): string {
  return listHref(
    groupList,
    { ...query, fields: { ...query.fields, models: String(page) } },
    query,
  );
}

/** The part of a query that selects models. */
export function matrixQuery({ fields: { model = "", models = "1" } }: GroupQuery) {
  return readQuery(matrixList, new URLSearchParams({ model, page: models }));
}
