import type { ShapeResult } from "./measure.ts";
import { barPlot, linePlot } from "./plot.ts";
import type { Growth, Results } from "./results.ts";
import { quantile, spreadOf } from "./statistics.ts";
import { markdownTable, type Row, rowsOf, spread } from "./table.ts";

/**
 * `deno task bench:report FILE`: writes the results of `deno task bench --json FILE` into
 * bench/RESULTS.md, between its markers, and draws the plots.
 */
const page = new URL("RESULTS.md", import.meta.url);
const images = new URL("images/", import.meta.url);
const markers = /(<!-- results -->\n).*(<!-- end of results -->)/s;

if (import.meta.main) {
  const results: Results = JSON.parse(await Deno.readTextFile(Deno.args[0] ?? "bench.json"));
  await Deno.mkdir(images, { recursive: true });
  for (const { name, svg } of plotsOf(results)) {
    await Deno.writeTextFile(new URL(`${name}.svg`, images), svg);
  }
  const text = await Deno.readTextFile(page);
  const written = text.replace(
    markers,
    (_, start, end) => `${start}\n${sections(results)}\n${end}`,
  );
  await Deno.writeTextFile(page, written);
  const format = { args: ["fmt", "--quiet", page.pathname, images.pathname] };
  await new Deno.Command(Deno.execPath(), format).output();
}

/** The generated part of the page. */
export function sections(results: Results): string {
  return [
    machineText(results),
    ...results.runs.flat().length > 0 ? [runsText(results)] : [],
    ...results.latency.length > 0 ? [latencyText(results)] : [],
    ...results.parallel.length > 0 ? [parallelText(results)] : [],
    ...results.growth.map(growthText),
  ].join("\n\n");
}

/** Every plot with the name of its file. */
export function plotsOf({ runs, growth }: Results): { name: string; svg: string }[] {
  return [
    ...runs.flat().length > 0 ? [{ name: "ratios", svg: ratioPlot(runs.flat()) }] : [],
    ...growth.map((one) => ({ name: one.name, svg: growthPlot(one) })),
  ];
}

function machineText({ machine, quick, warmUpCalls }: Results): string {
  const { cpu, cores, memoryGb, deno, startedAt, loadAverage, flushMs } = machine;
  return `${quick ? "**A quick run: its figures do not count.** " : ""}Measured ${
    startedAt.slice(0, 10)
  } on ${cores} cores (${cpu}) with ${memoryGb} GB, Deno ${deno}, after ${
    warmUpCalls.toLocaleString("en")
  } calls of warm-up per process. Load average at the start: ${
    loadAverage.toFixed(1)
  }. A durable write of 4 KB took ${flushMs.p50.toFixed(2)} ms (p99 ${flushMs.p99.toFixed(1)} ms).`;
}

function runsText({ runs }: Results): string {
  const head = ["calls", "subject", "CPU µs, bare", "CPU µs", ...ratioHeads(runs), "calls/s"];
  const perRun = runs.map((run) => run.flatMap(rowsOf));
  const rows = (perRun[0] ?? []).filter(isGateway).map((row) => {
    const own = perRun.map((rows) => sameIn(rows, row));
    const bare = sameIn(perRun[0] ?? [], { ...row, subject: "bare" });
    return [
      row.description,
      row.subject,
      bare ? spread(bare.cpu, 1) : "",
      `${spread(row.cpu, 1)} per ${row.unit}`,
      ...own.map((found) => found ? spread(found.ratio, 2) : ""),
      row.callsPerSecond.median.toFixed(0),
    ];
  });
  return [
    "### CPU time per call",
    "![Ratio of the bare proxy's CPU time to the gateway's](images/ratios.svg)",
    markdownTable(head, rows),
  ].join("\n\n");
}

function ratioHeads(runs: readonly unknown[]): string[] {
  return runs.length === 1 ? ["ratio"] : runs.map((_, at) => `ratio, run ${at + 1}`);
}

function isGateway({ subject }: Row): boolean {
  return subject !== "bare";
}

function sameIn(rows: readonly Row[], { shape, subject }: Row): Row | undefined {
  return rows.find((row) => row.shape === shape && row.subject === subject);
}

function latencyText({ latency }: Results): string {
  const rows = latency.flatMap(({ shape, samples }) =>
    Object.entries(samples).map(([subject, own]) => {
      const cell = (part: "firstByte" | "whole", share: "p50" | "p99") =>
        spread(spreadOf(own.map((sample) => sample[part][share])), 2);
      return [
        shape.answer,
        subject,
        ...(["p50", "p99"] as const).map((share) => cell("firstByte", share)),
        ...(["p50", "p99"] as const).map((share) => cell("whole", share)),
      ];
    })
  );
  const head = ["answer", "subject", "first byte p50", "p99", "whole p50", "p99"];
  return `### Latency at 200 calls per second, in ms\n\n${markdownTable(head, rows)}`;
}

function parallelText({ parallel }: Results): string {
  const rows = parallel.flatMap(rowsOf).map((row) => [
    row.description,
    row.subject,
    spread(row.cpu, 1),
    row.callsPerSecond.median.toFixed(0),
  ]);
  const head = ["calls", "subject", "CPU µs per call", "calls/s"];
  return `### Two isolates beside one\n\n${markdownTable(head, rows)}`;
}

function growthText({ name, axis, points }: Growth): string {
  const subjects = Object.keys(points[0]?.cpuPerCall ?? {});
  const head = [axis, ...subjects.map((s) => `CPU µs, ${s}`), ...subjects.map((s) => `MB, ${s}`)];
  const rows = points.map(({ size, cpuPerCall, residentMb }) => [
    size.toLocaleString("en"),
    ...subjects.map((subject) => (cpuPerCall[subject] ?? NaN).toFixed(0)),
    ...subjects.map((subject) => `${residentMb[subject]}`),
  ]);
  return [
    `### Growth: ${name}`,
    `![CPU time per call by ${axis}](images/${name}.svg)`,
    markdownTable(head, rows),
  ].join("\n\n");
}

function growthPlot({ axis, points }: Growth): string {
  const subjects = Object.keys(points[0]?.cpuPerCall ?? {});
  const series = subjects.map((name) => ({
    name,
    points: points.map(({ size, cpuPerCall }) => ({ x: size, y: cpuPerCall[name] ?? NaN })),
  }));
  return linePlot({ title: "CPU time of a call", xLabel: axis, yLabel: "µs", series });
}

function ratioPlot(results: readonly ShapeResult[]): string {
  const rows = Map.groupBy(
    results.flatMap(rowsOf).filter(isGateway),
    ({ shape, subject }) => `${shape}, ${subject}`,
  );
  const bars = [...rows].map(([name, own]) => {
    const medians = own.map(({ ratio }) => ratio.median).sort((a, b) => a - b);
    const least = Math.min(...own.map(({ ratio }) => ratio.least));
    const greatest = Math.max(...own.map(({ ratio }) => ratio.greatest));
    return { name, value: { median: quantile(medians, 0.5), least, greatest } };
  });
  return barPlot("CPU time of the bare proxy by the gateway's (1 = as cheap)", bars);
}
