import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { renderToString } from "preact-render-to-string";
import { Fold } from "../../../components/Panel.tsx";
import { Chart, SmallCharts, Swatch } from "../../../components/chart/Chart.tsx";
import { HealthStrip, Sparkline } from "../../../components/chart/TinyCharts.tsx";
import {
  axisBelow,
  barsOf,
  type ChartSeries,
  countScale,
  durationScale,
  pathOf,
  percentScale,
} from "../../../lib/console/charts/chart.ts";
import { daySteps, hourSteps, logHref } from "../../../lib/console/charts/steps.ts";
import { catalogs } from "../../../lib/console/i18n/mod.ts";
import { formatsFor } from "../../../lib/console/page/format.ts";

const startMs = Date.UTC(2026, 10, 19);
const [hourMs, dayMs] = [3_600_000, 86_400_000];
const formats = formatsFor({ locale: "en", timeZone: "Asia/Shanghai", nowMs: startMs });
const view = { catalog: catalogs.en };
const days = daySteps([0, 1, 2].map((day) => startMs + day * dayMs), {
  locale: "en",
  formats,
  href: logHref({ key: "key_1" }),
});
const calls: readonly ChartSeries[] = [
  { name: "Failed", color: "bad", amounts: [0, 1, 0] },
  { name: "Succeeded", color: 1, amounts: [10, 9_999, 40] },
];

Deno.test("Chart: the server draws the last whole day, every bar has its link and its text", () => {
  const html = renderToString(
    <Chart
      view={view}
      id="c"
      label="Calls"
      steps={days}
      series={calls}
      scale={countScale(formats)}
    />,
  );
  assertStringIncludes(textOf(html), "Fri, Nov 20 Failed 1 Succeeded 9,999 Total 10,000");
  assertStringIncludes(html, 'aria-valuetext="Fri, Nov 20: 10,000"');
  assertStringIncludes(html, 'aria-label="Sat, Nov 21: 40"');
  assertMatch(html, /href="\/console\/log\?key=key_1&amp;from=2026-11-19T00%3A00/);
  assert(!html.includes("style="), "the policy forbids inline styles");
});

Deno.test("barsOf: failures are at the bottom and never too low to be seen", () => {
  const axis = { bottom: 0, top: 10_000, ticks: [0, 10_000] };
  const [failed, succeeded] = barsOf(calls, axis, 190).filter(({ step }) => step === 1);
  assertEquals(failed.color, "bad");
  assert(failed.height >= 1.5 && failed.y + failed.height > succeeded.y + succeeded.height);
});

Deno.test("barsOf: a step without amounts has no bar", () => {
  const axis = { bottom: 0, top: 10, ticks: [0, 10] };
  const series = [{ name: "a", color: 1, amounts: [undefined, 0, 5] }] as const;
  assertEquals(barsOf(series, axis, 100).map(({ step }) => step), [2]);
});

Deno.test("pathOf: a missing amount is a gap, and a lone one is a point", () => {
  const axis = { bottom: 0, top: 10, ticks: [0, 10] };
  const amounts = [5, undefined, 10, 0];
  assertEquals(
    pathOf({ name: "a", color: 1, amounts }, axis, 108),
    "M12.5,58h0M62.5,8h0L87.5,108",
  );
});

Deno.test("SmallCharts: share their steps, and lines have a point at the chosen one", () => {
  const html = renderToString(
    <SmallCharts
      id="s"
      steps={days}
      charts={[
        {
          title: "First byte",
          kind: "lines",
          scale: durationScale(formats),
          series: [
            { name: "p50", color: 1, amounts: [600, 640, undefined] },
            { name: "p95", color: 3, dashed: true, amounts: [2_100, 1_900, undefined] },
          ],
        },
        {
          title: "Success",
          hint: "from 96%",
          kind: "lines",
          scale: percentScale(formats),
          axis: axisBelow(100, 96.5, { heightPx: 110 }),
          series: [{ name: "Success", color: 1, amounts: [99.97, 96.5, undefined] }],
        },
      ]}
    />,
  );
  assertStringIncludes(textOf(html), "Success from 96%");
  assertStringIncludes(html, ">3 s</text>");
  assertStringIncludes(html, ">96%</text>");
  assertStringIncludes(html, "Fri, Nov 20: p50 640 ms, p95 1.90 s");
  assertEquals(html.match(/<circle/g)?.length, 3);
  assertStringIncludes(html, "Thu, Nov 19: 99.9%", "100% only if nothing failed");
});

Deno.test("HealthStrip: says the hours with errors, and draws them higher", () => {
  const marks = [
    { requests: 0, failures: 0 },
    { requests: 10, failures: 0 },
    { requests: 100, failures: 1 },
    { requests: 10, failures: 2 },
  ];
  const html = renderToString(<HealthStrip view={view} marks={marks} />);
  assertStringIncludes(html, 'aria-label="2 of 4 hours with errors"');
  const heights = [...html.matchAll(/class="mark-(\w+)".*?height="(\d+)"/g)];
  assertEquals(heights.map(([, level, height]) => `${level} ${height}`), [
    "none 3",
    "ok 9",
    "warn 14",
    "bad 18",
  ]);
});

Deno.test("Sparkline: nothing to draw without amounts", () => {
  assertEquals(renderToString(<Sparkline amounts={[0, 0]} />), "");
  assertStringIncludes(renderToString(<Sparkline amounts={[0, 2, 1]} />), "<polyline");
});

Deno.test("Fold: its first line says the value, and it is closed", () => {
  const html = renderToString(<Fold id="f" title="Routing" value="priority 0">Form</Fold>);
  assertMatch(
    html,
    /^<details[^>]*><summary>.*Routing.*priority 0.*<\/summary><span [^>]*id="f"[^>]*><\/span>Form<\/details>$/,
  );
  assert(!/^<details[^>]* open/.test(html));
});

Deno.test("Swatch: has the color of its series", () => {
  assertStringIncludes(renderToString(<Swatch color={2} />), 'class="data-2"');
});

Deno.test("hourSteps: are in the reader's zone", () => {
  const [first, second] = hourSteps([startMs, startMs + hourMs], { locale: "en", formats });
  assertEquals([first.name, first.mark, second.mark], ["Nov 19, 08:00", "08", ""]);
});

Deno.test("daySteps: the first mark and the one of a new month name it", () => {
  const from = Date.UTC(2026, 10, 28);
  const marks = daySteps([0, 1, 2, 3, 4].map((day) => from + day * dayMs), {
    locale: "en",
    formats,
  })
    .map(({ mark }) => mark);
  assertEquals(marks, ["Nov 28", "29", "30", "Dec 1", "2"]);
});

/** The text that a reader sees. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}
