import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Axis, axisBelow, axisTo } from "../../../lib/console/charts/chart.ts";

const amounts = fc.oneof(
  fc.double({ min: 1e-3, max: 1e15, noNaN: true }),
  fc.integer({ min: 1, max: 1_000_000 }),
);

Deno.test("axisTo: three to five round ticks, the top at most one step above the largest", () => {
  fc.assert(fc.property(amounts, (most) => {
    const axis = axisTo(most, { heightPx: 190 });
    assertTicks(axis);
    assertEquals(axis.bottom, 0);
    assert(axis.top >= most * (1 - 1e-9));
    assert(axis.top - stepOf(axis) <= most || axis.ticks.length === 3);
  }));
});

Deno.test("axisTo: an axis of counts has no fractions", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 10_000 }), (most) => {
    const { ticks, top } = axisTo(most, { heightPx: 190, stepMin: 1 });
    assert(ticks.every(Number.isInteger));
    assert(top >= most);
  }));
});

Deno.test("axisTo: a low plot has two ticks and the same top", () => {
  fc.assert(fc.property(amounts, (most) => {
    const { ticks } = axisTo(most, { heightPx: 56 });
    assertEquals(ticks, [0, axisTo(most, { heightPx: 190 }).top]);
  }));
});

Deno.test("axisBelow: ends at the top, with the bottom at most one step below the smallest", () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (least) => {
    const axis = axisBelow(100, least, { heightPx: 110, stepMin: 0.5 });
    assertTicks(axis);
    assertEquals(axis.top, 100);
    assert(axis.bottom >= 0 && axis.bottom <= least + 1e-9);
    assert(least - axis.bottom <= stepOf(axis) * 1.000001 || axis.ticks.length === 3);
  }));
});

for (
  const [most, ticks] of [
    [128.9, [0, 50, 100, 150]],
    [40, [0, 10, 20, 30, 40]],
    [1, [0, 0.5, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
  ] as const
) {
  Deno.test(`axisTo: ${most} has the ticks ${ticks}`, () => {
    assertEquals(axisTo(most, { heightPx: 190 }).ticks, ticks);
  });
}

function assertTicks({ ticks, top, bottom }: Axis): void {
  assert(ticks.length >= 3 && ticks.length <= 5, `${ticks}`);
  assertEquals([ticks[0], ticks[ticks.length - 1]], [bottom, top]);
  const first = stepOf({ ticks });
  const digits = first.toExponential().split("e")[0];
  assert(["1", "2", "5"].includes(digits), `${first} is not round`);
  for (const [at, tick] of ticks.entries()) {
    assert(Math.abs(tick - bottom - at * first) <= first * 1e-6, `${ticks}`);
  }
}

function stepOf({ ticks }: Pick<Axis, "ticks">): number {
  return Number((ticks[1] - ticks[0]).toPrecision(9));
}
