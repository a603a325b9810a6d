import type { HealthRow } from "../../routing/mod.ts";
import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import type { Store } from "../../store/mod.ts";
import { verdictOf } from "../../verdict/mod.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import { type Advice, adviceFor } from "./upstream_advice.ts";
import {
  firstByteByHour,
  type UpstreamFigures,
  upstreamFigures,
  type UpstreamSpend,
  upstreamSpend,
} from "./upstream_figures.ts";
import { type UpstreamRow, upstreamRow } from "./upstream_list.ts";
import { type UpstreamModelRow, upstreamModels } from "./upstream_models.ts";

/** The figures that the chart of an upstream can show. */
export const upstreamMeasures = ["calls", "firstByte", "cost"] as const;
export type UpstreamMeasure = typeof upstreamMeasures[number];

/** An upstream with its state, its figures and what can be done about it. */
export interface UpstreamDetail {
  readonly row: UpstreamRow;
  readonly models: readonly UpstreamModelRow[];
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
  const models = upstreamModels(upstream, row.health, { directory, nowMs });
  const [figures, spend, firstBytes, lastFailure] = await Promise.all([
    tryLoad(upstreamFigures(store, id, nowMs)),
    tryLoad(upstreamSpend(store, id, nowMs)),
    measure === "firstByte" ? tryLoad(firstByteByHour(store, id, nowMs)) : undefined,
    tryLoad(latestFailure(store, id, row.health)),
  ]);
  return {
    row,
    models,
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
