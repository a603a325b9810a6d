import type { UpstreamRecord } from "../../store/catalog/mod.ts";
import { tryLoad } from "../page/try_load.ts";
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
import { type LastFailure, latestFailure } from "./upstream_usage.ts";

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
