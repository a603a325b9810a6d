import { type ServedModel, servedModels } from "../../admin/upstreams/served_models.ts";
import { type UpstreamState, worstState } from "../../admin/upstreams/upstream_state.ts";
import { offeredNames } from "../../catalog/mod.ts";
import type { HealthRow } from "../../routing/mod.ts";
import { hasListed, type UpstreamRecord } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { verdictOf } from "../../verdict/mod.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import {
  firstByteByHour,
  type UpstreamFigures,
  upstreamFigures,
  type UpstreamSpend,
  upstreamSpend,
} from "./upstream_figures.ts";
import { type ModelCalls, type NewestCalls, newestCalls } from "./model_calls.ts";
import { refusedCredentials, type UpstreamRow, upstreamRow } from "./upstream_list.ts";

/** The figures that the chart of an upstream can show. */
export const upstreamMeasures = ["calls", "firstByte", "cost"] as const;
type UpstreamMeasure = typeof upstreamMeasures[number];

/** An upstream with its state, its figures and what can be done about it. */
export interface UpstreamDetail {
  readonly row: UpstreamRow;
  readonly models: readonly UpstreamModelRow[];
  /** The calls by model; absent if they could not be read. */
  readonly newest?: NewestCalls;
  readonly advice: readonly Advice[];
  readonly measure: UpstreamMeasure;
  /** The following are absent if they could not be read. */
  readonly figures?: UpstreamFigures;
  readonly spend?: UpstreamSpend;
  /** Only for the chart of first bytes. */
  readonly firstBytes?: Awaited<ReturnType<typeof firstByteByHour>>;
  readonly lastFailure?: LastFailure;
}

export async function readUpstreamDetail(
  upstream: UpstreamRecord,
  state: AccountState,
  fields = new URLSearchParams(),
): Promise<UpstreamDetail> {
  const { services: { store, directory }, nowMs } = state;
  const { id } = upstream;
  const measure = upstreamMeasures.find((one) => one === fields.get("by")) ?? "calls";
  const row = upstreamRow(upstream, state);
  const newest = await tryLoad(newestCalls(store, id, nowMs)); // compacts before the others read
  const models = upstreamModels(upstream, row.health, { directory, nowMs, newest });
  const [figures, spend, firstBytes, lastFailure] = await Promise.all([
    tryLoad(upstreamFigures(store, id, nowMs)),
    tryLoad(upstreamSpend(store, id, nowMs)),
    measure === "firstByte" ? tryLoad(firstByteByHour(store, id, nowMs)) : undefined,
    tryLoad(latestFailure(store, id, row.health)),
  ]);
  return {
    row,
    models,
    newest,
    advice: adviceFor(row, models, { directory, failing: failingModel(lastFailure, nowMs) }),
    measure,
    figures,
    spend,
    firstBytes,
    lastFailure,
  };
}

const recentMs = 3_600_000;

/** The model of a recent failure that is the upstream's own: another one might have answered. */
function failingModel(last: LastFailure | undefined, nowMs: number): string | undefined {
  const isItsOwn = last && /^(upstream_|rate_limit_exceeded$)/.test(last.code);
  return isItsOwn && nowMs - last.atMs < recentMs ? last.model : undefined;
}

/** The latest call that failed at an upstream. */
interface LastFailure {
  readonly code: string;
  readonly atMs: number;
  /** The requested model, if the log has the call. */
  readonly model?: string;
  /** The upstream's own words, if the log has them. */
  readonly message?: string;
  /**
   * The call's id; absent if another upstream answered the call, or if the call is not in the log
   * yet.
   */
  readonly callId?: string;
}

/** The latest failure: an attempt in this process, or a call in the log. */
async function latestFailure(
  store: Store,
  upstreamId: string,
  health: readonly HealthRow[],
): Promise<LastFailure | undefined> {
  const logged = await lastLogged(store, upstreamId);
  const seen: LastFailure[] = health.flatMap(({ lastError }) => lastError ? [lastError] : []);
  const [last] = seen.toSorted((a, b) => b.atMs - a.atMs);
  const isSameCall = last && logged && last.code === logged.code;
  return !last || isSameCall || (logged && logged.atMs > last.atMs) ? logged : last;
}

async function lastLogged(store: Store, upstreamId: string): Promise<LastFailure | undefined> {
  const { rows: [row] } = await listRequestLogs(store, { upstreamId, status: "failed", limit: 1 });
  const message = row && verdictOf(row)?.message;
  return row && {
    code: row.errorCode ?? row.outcome,
    atMs: row.atMs,
    callId: row.id,
    model: row.model,
    ...(message !== undefined && { message }),
  };
}

type ModelDirectory = Pick<Directory, "models" | "upstreams" | "upstreamLists">;

/** A model of an upstream: its state in this process, its newest calls, and who else serves it. */
export interface UpstreamModelRow extends ServedModel {
  readonly state: UpstreamState;
  /** The end of that state, in epoch milliseconds. */
  readonly untilMs?: number;
  /** Its calls among the newest; absent without any. */
  readonly used?: ModelCalls;
  /** Other enabled upstreams that serve the model. */
  readonly fallbacks: readonly string[];
}

/** The models of an upstream: those out of service first, then those with the most calls. */
function upstreamModels(
  upstream: UpstreamRecord,
  health: readonly HealthRow[],
  { directory, nowMs, newest }: {
    readonly directory: ModelDirectory;
    readonly nowMs: number;
    readonly newest: NewestCalls | undefined;
  },
): readonly UpstreamModelRow[] {
  const others = directory.upstreams().filter((other) => canReplace(other, upstream))
    .map((other) => ({ id: other.id, names: new Set(offeredNames(other, directory)) }));
  const healthOf = Map.groupBy(health, ({ model }) => model);
  return servedModels(upstream, directory, nowMs).map((model): UpstreamModelRow => {
    const rows = healthOf.get(model.upstreamModel ?? model.id) ?? [];
    return {
      ...model,
      ...worstState(rows),
      ...(newest?.byModel.has(model.id) && { used: newest.byModel.get(model.id) }),
      fallbacks: others.filter(({ names }) => names.has(model.id)).map(({ id }) => id),
    };
  }).sort((a, b) => rankOf(b) - rankOf(a) || (b.used?.calls ?? 0) - (a.used?.calls ?? 0));
}

/** Another enabled upstream for at least one of the same groups. */
function canReplace(other: UpstreamRecord, { id, groups }: UpstreamRecord): boolean {
  if (!other.enabled || other.id === id) return false;
  return groups.includes("*") || other.groups.includes("*") ||
    other.groups.some((group) => groups.includes(group));
}

function rankOf({ state }: UpstreamModelRow): number {
  return state === "well" ? 0 : state === "degraded" ? 1 : 2;
}

/** A step that an administrator can take about an upstream. */
export type Advice =
  | { readonly type: "decrypt" | "enable" }
  | { readonly type: "credential"; readonly credentialId: string }
  /** A model is out of service or fails here, and no other upstream serves it; `other` lists it. */
  | { readonly type: "fallback"; readonly model: string; readonly other?: string };

const adviceMax = 4;

function adviceFor(
  row: UpstreamRow,
  models: readonly UpstreamModelRow[],
  { directory, failing }: {
    readonly directory: Pick<Directory, "upstreams" | "upstreamLists">;
    /** The model of a recent failure of the upstream. */
    readonly failing?: string;
  },
): readonly Advice[] {
  const { state } = row.status;
  if (state === "sealed") return [{ type: "decrypt" }];
  if (state === "disabled") return [{ type: "enable" }];
  const isOut = ({ id, state: one }: UpstreamModelRow) =>
    id === failing || (one !== "well" && one !== "degraded");
  const alone = models.filter((model) => model.fallbacks.length === 0 && isOut(model));
  return [
    ...refusedCredentials(row).map((credentialId): Advice => ({
      type: "credential",
      credentialId,
    })),
    ...alone.map(({ id }): Advice => ({
      type: "fallback",
      model: id,
      other: listerOf(id, row.upstream.id, directory),
    })),
  ].slice(0, adviceMax);
}

/** An enabled upstream whose vendor lists the model, although it does not serve it here. */
function listerOf(
  model: string,
  upstreamId: string,
  directory: Pick<Directory, "upstreams" | "upstreamLists">,
): string | undefined {
  const lists = directory.upstreamLists();
  return directory.upstreams().find(({ id, enabled, origin }) => {
    const list = lists.get(id);
    return id !== upstreamId && enabled && origin === "console" && list && hasListed(list, model);
  })?.id;
}
