import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { plotsOf, sections } from "../../bench/report.ts";
import type { Results } from "../../bench/results.ts";
import { standardShapes } from "../../bench/shapes.ts";

const times = { p50: 1, p99: 2 };
const sample = {
  ...{ cpuPerUnit: 50, callsPerSecond: 10, calls: 1, errors: 0, durationMs: 1, cpuMicros: 1 },
  ...{ loadCpuMicros: 1, firstByte: times, whole: times },
};
const result = {
  shape: standardShapes[0],
  loadAverage: 0.5,
  samples: { bare: [sample], tessera: [{ ...sample, cpuPerUnit: 100 }] },
};
const point = { cpuPerCall: { bare: 1, tessera: 2 }, residentMb: { bare: 3, tessera: 4 } };
const results: Results = {
  machine: {
    ...{ cpu: "a <fast> one", cores: 4, memoryGb: 8, deno: "2.8.2", loadAverage: 0.1 },
    ...{ startedAt: "2026-11-23T00:00:00.000Z", flushMs: times },
  },
  ...{ quick: false, warmUpCalls: 50_000, runs: [[result], [result]] },
  ...{ latency: [result], parallel: [result] },
  growth: [{ name: "keys", axis: "keys", points: [1, 10].map((size) => ({ ...point, size })) }],
};

Deno.test("report: every part of the results has a section, and each run a column", () => {
  const text = sections(results);
  const headings = text.match(/^### .*$/gm);
  assertEquals(headings?.length, 4);
  assert(/\| ratio, run 1 +\| ratio, run 2 +\|/.test(text), text);
  assertStringIncludes(text, "0.50 (0.50–0.50)");
});

Deno.test("report: parts that were not measured have no section and no plot", () => {
  const none = { ...results, runs: [[]], latency: [], parallel: [], growth: [] };
  assert(!sections(none).includes("###"));
  assertEquals(plotsOf(none), []);
});

Deno.test("report: a plot for the ratios and for each growth, without unplaced values", () => {
  const plots = plotsOf(results);
  assertEquals(plots.map(({ name }) => name), ["ratios", "keys"]);
  for (const { svg } of plots) assert(!/NaN|Infinity|undefined/.test(svg), svg);
});
