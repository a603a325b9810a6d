import { stepMs } from "../../store/log/mod.ts";
import type { RollupStep } from "../../store/usage/mod.ts";
import { withQuery } from "./address.ts";

/** The periods of usage: whole UTC hours or days, the current one included. */
const periods = {
  "24h": { steps: 24, step: "hour" },
  "7d": { steps: 7, step: "day" },
  "14d": { steps: 14, step: "day" },
  "30d": { steps: 30, step: "day" },
} as const satisfies Record<string, { readonly steps: number; readonly step: RollupStep }>;
export type PeriodName = keyof typeof periods;
export const periodNames = Object.keys(periods) as readonly PeriodName[]; // its own keys

/** The longest period. */
export const longestPeriod = "30d" satisfies PeriodName;

/** Reads `?period=`; ignores unknown values. */
export function readPeriod(fields: URLSearchParams, usual: PeriodName): PeriodName {
  return periodNames.find((period) => period === fields.get("period")) ?? usual;
}

/** The steps of a period up to now, and the time before it that is as long. */
export interface PeriodSpan {
  readonly step: RollupStep;
  readonly beforeMs: number;
  readonly fromMs: number;
  /** The start of the current hour or day. */
  readonly lastMs: number;
  readonly toMs: number;
}

export function spanOf(period: PeriodName, nowMs: number): PeriodSpan {
  const { steps, step } = periods[period];
  const lastMs = Math.floor(nowMs / stepMs[step]) * stepMs[step];
  const toMs = lastMs + stepMs[step];
  const lengthMs = steps * stepMs[step];
  return { step, beforeMs: toMs - 2 * lengthMs, fromMs: toMs - lengthMs, lastMs, toMs };
}

/** The address of the page at `path` with another period, without the result of the last action. */
export function periodHref(path: string, period: PeriodName): string {
  return withQuery(path, { done: undefined, period });
}

/** A day of a time zone. */
interface Day {
  /** Such as `2026-11-21`. */
  readonly text: string;
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

/** Parses a day such as `2026-11-21`; undefined if the text is not one. */
export function readDay(text: string | null | undefined, timeZone: string): Day | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const day = Temporal.PlainDate.from(text);
    const startOf = (one: Temporal.PlainDate) => one.toZonedDateTime(timeZone).epochMilliseconds;
    return { text, startMs: startOf(day), endMs: startOf(day.add({ days: 1 })) };
  } catch {
    return undefined;
  }
}
