import { HttpError } from "fresh";
import {
  isModelName,
  type ModelRow,
  modelRows,
  type ModelUpstream,
  otherNames,
  type PriceRow,
  priceRow,
  upstreamsByModel,
} from "../../admin/models/model_rows.ts";
import { scheduleOf } from "../../admin/models/price_changes.ts";
import { type PriceFaults, type PriceValues, priceValues } from "../../admin/models/price_form.ts";
import type { Rerating } from "../../admin/models/rerate.ts";
import {
  healthOf,
  healthOfUpstream,
  type UpstreamState,
} from "../../admin/upstreams/upstream_state.ts";
import { type FormatName, formatNames } from "../../canonical/mod.ts";
import { catalogModel, type Retirement, retirementOf } from "../../catalog/mod.ts";
import type { RouteVerdict } from "../../routing/mod.ts";
import { listApiKeys } from "../../store/api_keys/mod.ts";
import { type AuditEntry, listAuditEntries } from "../../store/audit/mod.ts";
import {
  type DatedModelPrice,
  type Group,
  type ModelPrice,
  priceInForce,
} from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { groupsOf } from "../groups/account_groups.ts";
import type { Flash } from "../page/flash.ts";
import { type PeriodSpan, readPeriod } from "../page/period.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { type UpstreamFigures, upstreamFigures } from "../upstreams/upstream_figures.ts";
import { canAnswer, verdictsFor } from "../upstreams/upstream_page.ts";
import { type ModelPerformance, readPerformance } from "./model_performance.ts";
import {
  currentPrice,
  type Estimate,
  estimatedCost,
  type GroupPrice,
  groupPrice,
  type PastPrice,
  type PricedGroup,
  priceTimes,
  readEstimate,
} from "./model_prices.ts";
import { administers } from "./read_models.ts";

/** The price of a model in one of the reader's groups. */
export interface PricedModel {
  readonly price: GroupPrice;
  readonly estimate: Estimate;
  /** The cost of one call of the estimate. */
  readonly callNanoUsd: bigint;
}

/** The state of a model: `out` if no upstream can answer now. */
export type Availability = "available" | "out" | "unserved";

/** The data of a model's page. */
export interface ModelPageData {
  /** The price that was set before this page. */
  readonly flash?: Flash;
  /** True if the price was not undone, because it has changed since. */
  readonly isOvertaken?: boolean;
  /** Without groups for a model that no upstream serves, which administrators may open. */
  readonly row: ModelRow;
  readonly group?: Group;
  readonly availability: Availability;
  /** The format of the code examples. */
  readonly format: FormatName;
  readonly span: PeriodSpan;
  /** Undefined if reading failed. */
  readonly performance: ModelPerformance | undefined;
  readonly priced?: PricedModel;
  readonly times: readonly PastPrice[];
  /** The announced end of the model. */
  readonly retirement?: Retirement;
  /** For administrators. */
  readonly managed?: ManagedModel;
}

/** The part of the page for administrators. */
export interface ManagedModel extends ModelPriceData {
  readonly route: readonly RouteLine[];
}

/**
 * The model `?name=`. `?group=` chooses the group of its price, `?format=` that of its code
 * examples. Throws `HttpError` with 404 if the reader may not call the model.
 */
export async function readModelPage(
  { searchParams }: URL,
  state: AccountState,
): Promise<ModelPageData> {
  const { services: { store, directory }, account: { user }, nowMs } = state;
  const groups = groupsOf(user, await listApiKeys(store, { accountId: user.id }), directory);
  const row = rowAt(searchParams.get("name") ?? "", groups, state);
  const group = groupAt(searchParams.get("group"), row, groups);
  const isManager = administers(state);
  const pricing = group ?? (isManager ? listPrices : undefined);
  const span = readPeriod(searchParams, "14d", state);
  const asked = { spender: isManager ? "" : user.id, span } as const;
  return {
    row,
    ...(group && { group }),
    availability: availabilityOf(row, group, state),
    format: row.formats.find((name) => name === searchParams.get("format")) ?? row.formats[0] ??
      formatNames[0],
    span,
    performance: await tryLoad(readPerformance(store, row.id, asked)),
    ...(pricing && pricedIn(pricing, row, { state, estimate: readEstimate(searchParams) })),
    ...retiring(row.id, directory),
    times: pricing ? priceTimes(row.id, pricing, { directory, nowMs }) : [],
    ...(isManager && { managed: await managed(row, group, state) }),
  };
}

/** The end of the model, by its public name or by an upstream's. */
function retiring(
  id: string,
  directory: Pick<Directory, "upstreams" | "models" | "priceFeed">,
): Pick<ModelPageData, "retirement"> {
  const names = [id, ...otherNames(directory).get(id) ?? []];
  const retirement = names.map((name) => retirementOf(name, directory.priceFeed()))
    .find((one) => one !== undefined);
  return retirement ? { retirement } : {};
}

/** Prices without any group's ratio, for models that no group can call. */
const listPrices: PricedGroup = { id: "", priceRatio: 1 };

function pricedIn(
  group: PricedGroup,
  { id }: ModelRow,
  { state: { services: { directory }, nowMs }, estimate }: {
    readonly state: AccountState;
    readonly estimate: Estimate;
  },
): Pick<ModelPageData, "priced"> {
  const price = currentPrice(id, directory, nowMs);
  if (price === undefined) return {};
  const { nanoUsd: callNanoUsd } = estimatedCost(price, group, estimate);
  return { priced: { price: groupPrice(price, group), estimate, callNanoUsd } };
}

async function managed(
  row: ModelRow,
  group: Group | undefined,
  state: AccountState,
): Promise<ManagedModel> {
  const [prices, route] = await Promise.all([
    modelPriceData(row.id, state),
    readRoute(row, group, state),
  ]);
  return { ...prices, route };
}

function rowAt(name: string, groups: readonly Group[], state: AccountState): ModelRow {
  const { services: { directory }, nowMs } = state;
  const row = modelRows(groups, directory, nowMs).find(({ id }) => id === name);
  if (row) return row;
  if (!administers(state) || !isModelName(name)) throw new HttpError(404);
  return { id: name, aliases: [], groups: [], formats: [], capabilities: [] };
}

function groupAt(
  asked: string | null,
  row: ModelRow,
  groups: readonly Group[],
): Group | undefined {
  const serving = groups.filter(({ id }) => row.groups.includes(id));
  return serving.find(({ id }) => id === asked) ?? serving[0];
}

/** A model is out of service while no upstream may be called for it at once. */
function availabilityOf(
  { id, formats }: ModelRow,
  group: Group | undefined,
  state: AccountState,
): Availability {
  if (group === undefined) return "unserved";
  const asked = { model: id, group: group.id, format: formats[0] ?? formatNames[0] };
  return canAnswer(asked, state) ? "available" : "out";
}

/** The data of the page of one model's price. */
interface ModelPriceData {
  readonly row: PriceRow;
  readonly listed?: { readonly price: ModelPrice; readonly asOf: string };
  /** The model's own prices, in order of their start. */
  readonly schedule: readonly DatedModelPrice[];
  readonly entries: readonly AuditEntry[];
  readonly values: PriceValues;
  readonly faults?: PriceFaults;
  readonly rerating?: Rerating;
}

const entriesMax = 20;

/** The prices of a model; the form starts with the price in force. */
async function modelPriceData(id: string, state: AccountState): Promise<ModelPriceData> {
  const { services: { store, directory }, nowMs } = state;
  const row = priceRow(id, directory, nowMs);
  const facts = catalogModel(id);
  const price = facts && priceInForce(facts.price, nowMs);
  const filter = { kind: "model", text: id } as const;
  const found = await tryLoad(listAuditEntries(store, { filter, limit: entriesMax }));
  return {
    row,
    ...(price && { listed: { price, asOf: facts.asOf } }),
    schedule: scheduleOf(directory.model(id)?.price),
    entries: found?.entries.filter(({ targetId }) => targetId === id) ?? [],
    values: priceValues(row.price),
  };
}

/** An upstream of a model, in the order in which calls try them. */
interface RouteLine extends ModelUpstream {
  readonly state: UpstreamState;
  /** Absent if the console runs alone, or if the upstream does not serve the group. */
  readonly verdict?: RouteVerdict;
  /** All of its models in the last 24 hours; absent if reading failed. */
  readonly usage?: UpstreamFigures;
}

/** The upstreams of a model for a group: first those that calls try, in their order. */
async function readRoute(
  { id, formats }: ModelRow,
  group: Group | undefined,
  state: AccountState,
): Promise<readonly RouteLine[]> {
  const { services: { directory } } = state;
  const asked = { model: id, group: group?.id ?? "", format: formats[0] ?? formatNames[0] };
  const verdicts = verdictsFor(asked, state) ?? [];
  const rank = (upstream: ModelUpstream) => {
    const at = verdicts.findIndex(({ upstreamId }) => upstreamId === upstream.id);
    return at < 0 ? verdicts.length : at;
  };
  const serving = upstreamsByModel(directory).get(id) ?? [];
  return await Promise.all(
    serving.toSorted((a, b) => rank(a) - rank(b))
      .map((upstream) => lineOf(upstream, verdicts, state)),
  );
}

async function lineOf(
  upstream: ModelUpstream,
  verdicts: readonly RouteVerdict[],
  state: AccountState,
): Promise<RouteLine> {
  const { services: { store, directory }, nowMs } = state;
  const record = directory.upstreams().find(({ id }) => id === upstream.id);
  const verdict = verdicts.find(({ upstreamId }) => upstreamId === upstream.id);
  const usage = await tryLoad(upstreamFigures(store, upstream.id, nowMs));
  return {
    ...upstream,
    state: record ? healthOfUpstream(record, healthOf(upstream.id, state)).state : "disabled",
    ...(verdict && { verdict }),
    ...(usage && { usage }),
  };
}
