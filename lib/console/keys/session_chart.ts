import type { SessionUsage } from "../../ledger/mod.ts";
import { stepMs } from "../../store/log/mod.ts";
import type { ChartSeries, ChartStep } from "../charts/chart.ts";
import { daySteps, hourSteps } from "../charts/steps.ts";
import type { AccountView } from "../page/view.ts";

/** The cost of a session over time, by main agent and sub-agents. */
interface SessionChart {
  readonly steps: readonly ChartStep[];
  readonly series: readonly ChartSeries[];
  /** The last step with calls. */
  readonly chosen: number;
}

/** Longer sessions are drawn by day. */
const hoursMax = 48;
/** Fewer steps would be wide bars. */
const stepsMin = 12;

/** The chart of a session with calls; `href` is the address of the calls of a step. */
export function sessionChart(
  { hours }: Pick<SessionUsage, "hours">,
  { catalog, formats, locale }: AccountView,
  href: (fromMs: number, toMs: number) => string,
): SessionChart {
  const { rest, subAgents } = catalog.keyPage.sessions;
  const { starts, widthMs } = stepsOf(hours);
  const steps = widthMs === stepMs.hour ? hourSteps : daySteps;
  const amounts = (costOf: (hour: SessionUsage["hours"][number]) => bigint) =>
    starts.map((fromMs) =>
      Number(
        hours.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + widthMs)
          .reduce((sum, hour) => sum + costOf(hour), 0n),
      )
    );
  const main = amounts(({ main }) => main.costNanoUsd);
  const others = amounts(({ sum, main }) => sum.costNanoUsd - main.costNanoUsd);
  return {
    steps: steps(starts, { formats, locale, href }),
    series: [
      { name: rest, color: 1, amounts: main },
      ...(others.some((cost) => cost > 0)
        ? [{ name: subAgents, color: 2, amounts: others } as const]
        : []),
    ],
    chosen: starts.length - 1,
  };
}

/** The hours or UTC days from the first call to the last one, and some before if there are few. */
function stepsOf(hours: SessionUsage["hours"]) {
  const [firstMs, lastMs] = [hours[0].atMs, hours[hours.length - 1].atMs];
  const widthMs = lastMs - firstMs < hoursMax * stepMs.hour ? stepMs.hour : stepMs.day;
  const startOf = (atMs: number) => Math.floor(atMs / widthMs) * widthMs;
  const count = Math.max(stepsMin, (startOf(lastMs) - startOf(firstMs)) / widthMs + 1);
  const starts = Array.from(
    { length: count },
    (_, at) => startOf(lastMs) - (count - 1 - at) * widthMs,
  );
  return { starts, widthMs };
}
