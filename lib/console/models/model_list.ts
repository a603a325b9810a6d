import { may } from "../../accounts/mod.ts";
import { formatNames } from "../../canonical/mod.ts";
import { capabilities } from "../../catalog/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import {
  choice,
  defineList,
  type ListPage,
  listPage,
  option,
  type QueryOf,
  search,
  textField,
} from "../page/define_list.ts";
import { tryLoad } from "../page/try_load.ts";
import type { ConsoleState } from "../session/state.ts";
import { type ModelMeasure, modelMeasures } from "./model_measures.ts";
import { isOffered, type ModelRow, modelRows } from "./model_rows.ts";

/** A model with its measures; without them for anonymous readers, or if they could not be read. */
export interface MeasuredModel extends ModelRow {
  readonly measure?: ModelMeasure;
}

/** The models that a reader may call. `group` chooses the group whose models and prices are shown. */
export const modelList = defineList<MeasuredModel>()({
  path: "/console/pricing",
  fields: {
    q: search(({ id, displayName = "" }) => [id, displayName]),
    vendor: textField((row, vendor) => row.vendor === vendor),
    format: choice(formatNames, (row, format) => row.formats.includes(format)),
    can: choice(capabilities, (row, capability) => row.capabilities.includes(capability)),
    group: textField(),
    compare: option(["groups"]),
  },
  sort: {
    columns: {
      name: ({ id }) => id,
      input: ({ price }) => price?.input,
      output: ({ price }) => price?.output,
      context: ({ contextWindow }) => contextWindow,
      speed: ({ measure }) => measure?.firstByteMs,
    },
    usual: { column: "name", descending: false },
    descendingFirst: ["context"],
    detailed: ["speed"],
  },
});
export type ModelQuery = QueryOf<typeof modelList>;

export interface ModelListPage extends Required<Omit<ListPage<MeasuredModel>, "next">> {
  /** The vendors of all models, in order. */
  readonly vendors: readonly string[];
  /** All of the reader's groups. */
  readonly groups: readonly Group[];
}

/** A page of the models of some groups. Models without a price are listed only if a group allows calling them. */
export async function readModelList(
  state: ConsoleState,
  groups: readonly Group[],
  query: ModelQuery,
): Promise<ModelListPage> {
  const { services, account, nowMs } = state;
  const seesAll = account !== undefined && may(account.user, "manage-upstreams");
  const rowsOf = (some: readonly Group[]) => {
    const rows = modelRows(some, services.directory, nowMs);
    return seesAll ? rows : rows.filter((row) => isOffered(row, groups));
  };
  const all = rowsOf(groups);
  const { group } = query.fields;
  const rows = group === undefined ? all : rowsOf(groups.filter(({ id }) => id === group));
  const details = (some: readonly MeasuredModel[]) => withMeasures(state, some);
  return {
    ...await listPage(modelList, rows, { query, services, details }),
    total: all.length,
    vendors: [...new Set(all.flatMap(({ vendor }) => vendor ?? []))].sort(),
    groups,
  };
}

async function withMeasures(
  { services: { store }, account, nowMs }: ConsoleState,
  rows: readonly MeasuredModel[],
): Promise<readonly MeasuredModel[]> {
  if (account === undefined) return rows;
  const ids = new Set(rows.map(({ id }) => id));
  const measures = await tryLoad(modelMeasures(store, ids, { accountId: account.user.id, nowMs }));
  return measures ? rows.map((row) => ({ ...row, measure: measures.get(row.id) ?? {} })) : rows;
}
