import { assertEquals } from "@std/assert";
import { lossesIn } from "../../bench/baseline.ts";
import type { Sample } from "../../bench/measure.ts";
import { standardShapes } from "../../bench/shapes.ts";
import { quantile, spreadOf } from "../../bench/statistics.ts";
import { rowsOf } from "../../bench/table.ts";

const [shape] = standardShapes;

Deno.test("rowsOf pairs each round with the bare proxy's", () => {
  const [, own] = rowsOf({
    shape,
    loadAverage: 1,
    samples: { bare: [100, 300, 50].map(sample), own: [200, 300, 500].map(sample) },
  });
  assertEquals(own?.ratio, { median: 0.5, least: 0.1, greatest: 1 });
  assertEquals(own?.cpu.median, 300);
});

for (
  const { ratio, loses } of [
    { ratio: 0.5, loses: 0 },
    { ratio: 0.451, loses: 0 },
    { ratio: 0.449, loses: 1 },
  ]
) {
  Deno.test(`lossesIn: ${ratio} of a baseline of 0.5 is ${loses ? "a" : "no"} loss`, () => {
    const samples = { bare: [ratio].map(sample), tessera: [1].map(sample) };
    const rows = rowsOf({ shape, loadAverage: 1, samples });
    assertEquals(lossesIn(rows, { [shape.name]: 0.5 }).length, loses);
    assertEquals(lossesIn(rows, {}).length, 0);
  });
}

Deno.test("quantile interpolates; spreadOf sorts by value", () => {
  assertEquals(quantile([1, 2, 3, 4], 0.5), 2.5);
  assertEquals(quantile([], 0.5), NaN);
  assertEquals(spreadOf([10, 9, 100]), { median: 10, least: 9, greatest: 100 });
});

function sample(cpuPerUnit: number): Sample {
  const times = { p50: 1, p99: 2 };
  return {
    ...{ cpuPerUnit, callsPerSecond: 1, calls: 1, errors: 0, durationMs: 1, cpuMicros: 1 },
    ...{ loadCpuMicros: 1, firstByte: times, whole: times },
  };
}
