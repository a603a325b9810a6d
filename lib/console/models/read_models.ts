import { may } from "../../accounts/mod.ts";
import {
  isOffered,
  isOutdated,
  modelRows,
  priceRows,
  upstreamsByModel,
} from "../../admin/models/model_rows.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { type FilteredPage, filterRows, listPage } from "../page/define_list.ts";
import { type PeriodName, spanOf } from "../page/period.ts";
import { tryLoad } from "../page/reading.ts";
import type { ConsoleState } from "../session/state.ts";
import {
  type MeasuredModel,
  modelList,
  type ModelPart,
  modelParts,
  type ModelQuery,
  type ServedBy,
} from "./model_list.ts";
import { modelSpeed, modelUses } from "./model_measures.ts";

export interface ModelListPage extends FilteredPage<MeasuredModel> {
  /** The vendors of all models, in order. */
  readonly vendors: readonly string[];
  /** All of the reader's groups. */
  readonly groups: readonly Group[];
  /** The number of models in each part. */
  readonly parts: Readonly<Record<ModelPart, number>>;
  readonly period: PeriodName;
}

/**
 * A page of the models of some groups. Models without a price are listed only if a group allows
 * calling them. Models that no upstream serves are listed in their own part, for administrators.
 */
export async function readModelList(
  state: ConsoleState,
  groups: readonly Group[],
  query: ModelQuery,
): Promise<ModelListPage> {
  const { group, show, period = "14d" } = query.fields;
  const known = administers(state) ? servedModels(state) : undefined;
  const served = await withCalls(state, rowsOf(state, groups, known), period);
  const chosen = groups.filter(({ id }) => group === undefined || id === group);
  const inGroup = chosen.length === groups.length
    ? served
    : await withCalls(state, rowsOf(state, chosen, known), period);
  const unserved = known ? unservedRows(served, known) : [];
  const details = (some: readonly MeasuredModel[]) => withSpeeds(state, some, period);
  const rows = show === "unserved" ? unserved : inGroup;
  return {
    ...await listPage(modelList, rows, { query, services: state.services, details }),
    total: served.length,
    vendors: [...new Set(served.flatMap(({ vendor }) => vendor ?? []))].sort(),
    groups,
    parts: countParts([...served, ...unserved]),
    period,
  };
}

/** The names of the models that the reader's list has, in order. */
export function modelNames(state: ConsoleState, groups: readonly Group[]): readonly string[] {
  const known = administers(state) ? servedModels(state) : undefined;
  const rows = rowsOf(state, groups, known).map(({ id }) => id);
  return [...new Set([...rows, ...known?.keys() ?? []])];
}

export function administers({ account }: Pick<ConsoleState, "account">): boolean {
  return account !== undefined && may(account.user, "models:read");
}

/** Counts the models of each part. */
function countParts(rows: readonly MeasuredModel[]): Record<ModelPart, number> {
  const counts = modelParts.map((show) =>
    [show, filterRows(modelList, rows, { fields: { show } }).length] as const
  );
  return Object.fromEntries(counts) as Record<ModelPart, number>; // each part
}

/** Facts for administrators of the models that are served or have a price, by name. */
type KnownModels = ReadonlyMap<
  string,
  Pick<MeasuredModel, "price"> & { readonly served: ServedBy }
>;

function servedModels({ services: { directory }, nowMs }: ConsoleState): KnownModels {
  const upstreams = upstreamsByModel(directory);
  return new Map(
    priceRows(directory, nowMs).map((row) => {
      const { id, source, price } = row;
      const serving = (upstreams.get(id) ?? []).filter(({ enabled }) => enabled);
      const served = {
        upstreams: serving.map(({ id }) => id),
        source,
        isOutdated: isOutdated(row),
      };
      return [id, { ...(price && { price }), served }];
    }),
  );
}

function rowsOf(
  { services: { directory }, nowMs }: ConsoleState,
  groups: readonly Group[],
  known: KnownModels | undefined,
): readonly MeasuredModel[] {
  const rows = modelRows(groups, directory, nowMs);
  if (known === undefined) return rows.filter((row) => isOffered(row, groups));
  return rows.map((row) => ({ ...row, ...served(known.get(row.id)) }));
}

function served(model: { readonly served: ServedBy } | undefined): Pick<MeasuredModel, "served"> {
  return model ? { served: model.served } : {};
}

/** The models with a price that no upstream serves to any group. */
function unservedRows(
  rows: readonly MeasuredModel[],
  known: KnownModels,
): readonly MeasuredModel[] {
  const ids = new Set(rows.map(({ id }) => id));
  const nothing = { groups: [], aliases: [], formats: [], capabilities: [] };
  return [...known].filter(([id]) => !ids.has(id))
    .map(([id, model]) => ({ ...nothing, ...model, id }));
}

/** Adds the calls of all accounts, and the spend that the reader may see. */
async function withCalls(
  state: ConsoleState,
  rows: readonly MeasuredModel[],
  period: PeriodName,
): Promise<readonly MeasuredModel[]> {
  const { services: { store }, account } = state;
  if (account === undefined) return rows;
  const ids = new Set(rows.map(({ id }) => id));
  const span = spanOf(period, state);
  const usesOf = (scope: string) => tryLoad(modelUses(store, { ids, scope, span }));
  const uses = await usesOf("");
  const spends = administers(state) ? uses : await usesOf(account.user.id);
  return rows.map((row) => {
    const [use, spend] = [uses?.get(row.id), spends?.get(row.id)];
    return {
      ...row,
      ...(use && { use }),
      ...(spend && { spentNanoUsd: spend.counts.costNanoUsd }),
    };
  });
}

/** Adds the speed of the models that were called. */
async function withSpeeds(
  state: ConsoleState,
  rows: readonly MeasuredModel[],
  period: PeriodName,
): Promise<readonly MeasuredModel[]> {
  const { services: { store } } = state;
  const span = spanOf(period, state);
  return await Promise.all(rows.map(async (row) => {
    if (!row.use) return row;
    const { counts } = row.use;
    const speed = await tryLoad(modelSpeed(store, row.id, { counts, span }));
    return { ...row, ...(speed && { speed }) };
  }));
}
