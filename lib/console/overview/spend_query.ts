import { stepMs } from "../../store/log/mod.ts";
import type { RollupDimension, RollupStep } from "../../store/usage/mod.ts";
import { readWho, type Who } from "../page/who.ts";
import type { AccountState } from "../session/state.ts";

/** The figures that the chart can show. */
export const spendMeasures = ["cost", "requests", "tokens"] as const;
export type SpendMeasure = typeof spendMeasures[number];

/** The periods of the overview: whole UTC hours or days, the current one included. */
const spendPeriods = {
  "24h": { steps: 24, step: "hour" },
  "7d": { steps: 7, step: "day" },
  "14d": { steps: 14, step: "day" },
  "30d": { steps: 30, step: "day" },
} as const satisfies Record<string, { readonly steps: number; readonly step: RollupStep }>;
type SpendPeriod = keyof typeof spendPeriods;
export const spendPeriodNames = Object.keys(spendPeriods) as readonly SpendPeriod[]; // its own keys

/** The dimensions of the breakdown, as named in the address. */
export const spendDimensions = [
  "user",
  "group",
  "project",
  "key",
  "upstream",
  "model",
  "tag",
] as const;
export type SpendDimension = typeof spendDimensions[number];

/** The dimensions of one account's spend. */
export const ownDimensions = ["model", "key"] as const satisfies readonly SpendDimension[];

export const rollupOf = {
  user: "account",
  group: "group",
  project: "project",
  key: "key",
  upstream: "upstream",
  model: "model",
  tag: "tag",
} as const satisfies Record<SpendDimension, RollupDimension>;

/** The parameters of the overview's address. */
export interface SpendQuery {
  readonly who: Who;
  readonly period: SpendPeriod;
  readonly measure: SpendMeasure;
  readonly dimension: SpendDimension;
}

/** Reads `?who=&period=&measure=&by=`; ignores unknown values. */
export function readSpendQuery(
  fields: URLSearchParams,
  state: Pick<AccountState, "account" | "hasOthers">,
): SpendQuery {
  const who = readWho(fields, state);
  const dimensions: readonly SpendDimension[] = who === "mine" ? ownDimensions : spendDimensions;
  return {
    who,
    period: spendPeriodNames.find((period) => period === fields.get("period")) ?? "14d",
    measure: spendMeasures.find((measure) => measure === fields.get("measure")) ?? "cost",
    dimension: dimensions.find((one) => one === fields.get("by")) ?? dimensions[0],
  };
}

/** The address of the page at `path` with other choices. */
export function spendPath(path: string, chosen: Readonly<Record<string, string>>): string {
  const url = new URL(path, "http://localhost");
  for (const [name, value] of Object.entries(chosen)) url.searchParams.set(name, value);
  return url.pathname + url.search;
}

/** The steps of a period up to now, and the time before it that is as long. */
export interface SpendSpan {
  readonly step: RollupStep;
  readonly beforeMs: number;
  readonly fromMs: number;
  /** The start of the current hour or day. */
  readonly lastMs: number;
  readonly toMs: number;
}

export function spanOf(period: SpendPeriod, nowMs: number): SpendSpan {
  const { steps, step } = spendPeriods[period];
  const lastMs = Math.floor(nowMs / stepMs[step]) * stepMs[step];
  const toMs = lastMs + stepMs[step];
  const lengthMs = steps * stepMs[step];
  return { step, beforeMs: toMs - 2 * lengthMs, fromMs: toMs - lengthMs, lastMs, toMs };
}
