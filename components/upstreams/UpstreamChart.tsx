import {
  type ChartScale,
  type ChartSeries,
  countScale,
  durationScale,
  highestSum,
  moneyScale,
  outcomeSeries,
} from "../../lib/console/charts/chart.ts";
import { hourSteps, logHref } from "../../lib/console/charts/steps.ts";
import type { AccountView } from "../../lib/console/page/view.ts";
import {
  type UpstreamDetail,
  upstreamMeasures,
} from "../../lib/console/upstreams/upstream_detail.ts";
import { ChoiceLinks } from "../ChoiceLinks.tsx";
import { Panel } from "../Panel.tsx";
import { Failed } from "../States.tsx";
import { Chart, NoData } from "../chart/Chart.tsx";

/** The calls of the last day by hour: their number, their first byte or their cost. */
export function UpstreamChart({ view, detail }: { view: AccountView; detail: UpstreamDetail }) {
  const { catalog: { upstreamPage: texts }, formats, locale } = view;
  const { row: { upstream: { id } }, figures, measure } = detail;
  const drawn = drawnOf(view, detail);
  const starts = figures?.hours.map(({ atMs }) => atMs) ?? [];
  return (
    <Panel
      id="by-hour"
      title={texts.perHour[measure]}
      beside={
        <ChoiceLinks
          label={texts.measure}
          choices={upstreamMeasures}
          chosen={measure}
          hrefOf={(by) => `/console/admin/upstreams/${id}?by=${by}`}
          texts={texts.measures}
        />
      }
    >
      {drawn === undefined
        ? <Failed view={view} title={texts.unread} />
        : highestSum(drawn.series) === 0
        ? <NoData text={texts.nothing[measure]} />
        : (
          <Chart
            view={view}
            id="by-hour-chart"
            label={texts.perHour[measure]}
            steps={hourSteps(starts, {
              formats,
              locale,
              href: logHref({ upstream: id, who: "everyone" }),
            })}
            {...drawn}
          />
        )}
    </Panel>
  );
}

interface DrawnChart {
  readonly kind?: "lines";
  readonly series: readonly ChartSeries[];
  readonly scale: ChartScale;
}

/** Undefined if its figures could not be read. */
function drawnOf(view: AccountView, detail: UpstreamDetail): DrawnChart | undefined {
  const { catalog, formats } = view;
  const { upstreamPage: texts } = catalog;
  const { figures, firstBytes, measure } = detail;
  if (measure === "firstByte") {
    return firstBytes && {
      kind: "lines",
      scale: durationScale(formats),
      series: [
        { name: texts.median, color: 1, amounts: firstBytes.map((one) => one?.p50) },
        {
          name: texts.percentile,
          color: 3,
          dashed: true,
          amounts: firstBytes.map((one) => one?.p95),
        },
      ],
    };
  }
  const counts = figures?.hours.map((hour) => hour.counts);
  if (measure === "cost") {
    const amounts = counts?.map(({ costNanoUsd }) => Number(costNanoUsd));
    const series = amounts && [{ name: texts.cost, color: 1, amounts }] as const;
    return series && { scale: moneyScale(formats), series };
  }
  return counts && {
    scale: countScale(formats),
    series: outcomeSeries(counts, catalog),
  };
}
