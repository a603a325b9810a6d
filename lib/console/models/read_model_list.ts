import { may } from "../../accounts/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { pageOf } from "../page/list_query.ts";
import { tryLoad } from "../page/try_load.ts";
import { matchingModels, type ModelQuery, sortedModels, vendorsOf } from "./model_list.ts";
import { type ModelMeasure, modelMeasures } from "./model_measures.ts";
import { isOffered, type ModelRow, modelRows } from "./model_rows.ts";
import { pageRowsOf } from "../page/page_rows.ts";
import type { ConsoleState } from "../session/state.ts";

/** A page of the models that a reader may call. */
export interface ModelList {
  readonly rows: readonly ModelRow[];
  /** How many the filter means, and how many there are. */
  readonly found: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly vendors: readonly string[];
  /** All of the reader's groups. */
  readonly groups: readonly Group[];
  /** By model; absent for who is not signed in. */
  readonly measures?: ReadonlyMap<string, ModelMeasure>;
}

/** The models of some groups that a query means; one without a price only where calls of it go through. */
export async function readModelList(
  state: ConsoleState,
  groups: readonly Group[],
  query: ModelQuery,
): Promise<ModelList> {
  const { services: { directory }, account, nowMs } = state;
  const all = modelRows(groups, directory, nowMs);
  const chosen = groups.filter(({ id }) => id === query.groupId);
  const inGroup = query.groupId === undefined ? all : modelRows(chosen, directory, nowMs);
  const seesAll = account !== undefined && may(account.user, "manage-upstreams");
  const shown = (rows: readonly ModelRow[]) =>
    seesAll ? rows : rows.filter((row) => isOffered(row, groups));
  const matching = matchingModels(shown(inGroup), query);
  const measuresFirst = query.sort.column === "speed" ? await measured(state, matching) : undefined;
  const sorted = sortedModels(matching, query.sort, measuresFirst ?? new Map());
  const { rows, hasMore } = pageOf(sorted, query.page, pageRowsOf(state.services));
  return {
    rows,
    found: matching.length,
    total: shown(all).length,
    hasMore,
    vendors: vendorsOf(shown(all)),
    groups,
    measures: measuresFirst ?? await measured(state, rows),
  };
}

/** Undefined for who is not signed in, and where measures could not be read. */
async function measured(
  { services: { store }, account, nowMs }: ConsoleState,
  rows: readonly ModelRow[],
): Promise<ReadonlyMap<string, ModelMeasure> | undefined> {
  if (account === undefined) return undefined;
  const ids = new Set(rows.map(({ id }) => id));
  return await tryLoad(modelMeasures(store, ids, { accountId: account.user.id, nowMs }));
}
