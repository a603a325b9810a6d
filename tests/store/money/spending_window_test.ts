import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  markedWindow,
  markEveryMs,
  roomAtMs,
  type SpendingWindow,
  windowAt,
} from "../../../lib/store/money/spending_window.ts";

const windowMs = 100_000;
const marksMax = 102;

interface Step {
  readonly afterMs: number;
  readonly spent: number;
}

const steps = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 2_000 }), fc.nat({ max: 120_000 })),
    spent: fc.nat({ max: 50 }),
  }),
  { maxLength: 300 },
);

/** The spending until and at a time, in the order of the steps. */
function spentBy(history: readonly { atMs: number; spent: bigint }[], atMs: number): bigint {
  return history.filter((one) => one.atMs <= atMs).reduce((sum, { spent }) => sum + spent, 0n);
}

function runOf(all: readonly Step[]) {
  const history: { atMs: number; spent: bigint }[] = [];
  let window: SpendingWindow | undefined;
  let nowMs = 1_000_000;
  let spent = 0n;
  const states = all.map((step) => {
    nowMs += step.afterMs;
    spent += BigInt(step.spent);
    history.push({ atMs: nowMs, spent: BigInt(step.spent) });
    window = markedWindow(window, { windowMs, nowMs, spent });
    return { nowMs, spent, window };
  });
  return { states, history };
}

Deno.test("spending marked at once leaves a window never early, and late by at most a fiftieth of it", () => {
  fc.assert(fc.property(steps, (all) => {
    const { states, history } = runOf(all);
    for (const { nowMs, window } of states) {
      const { left, marks } = windowAt(window, { windowMs, nowMs });
      assert(left <= spentBy(history, nowMs - windowMs), "early");
      const late = nowMs - windowMs - markEveryMs(windowMs);
      assert(left >= spentBy(history, late), "late");
      assert(marks.length <= marksMax, `${marks.length} marks`);
    }
  }));
});

Deno.test("a window with continuous spending keeps a bounded number of marks", () => {
  const all = Array.from({ length: 20_000 }, () => ({ afterMs: 37, spent: 1 }));
  for (const { window } of runOf(all).states) assert((window?.marks.length ?? 0) <= marksMax);
});

Deno.test("the stated time has room for the amount, and an earlier mark has not", () => {
  const amount = 2_000n;
  fc.assert(fc.property(steps, fc.bigInt({ min: 1n, max: amount }), (all, needed) => {
    const last = runOf(all).states.at(-1);
    if (!last) return;
    const { nowMs, spent, window } = last;
    const atMs = roomAtMs(window ?? { left: 0n, marks: [] }, {
      amount,
      needed,
      windowMs,
      nowMs,
      spent,
    });
    assert(atMs !== undefined && atMs >= nowMs);
    const later = windowAt(markedWindow(window, { windowMs, nowMs, spent }), {
      windowMs,
      nowMs: atMs,
    });
    assert(amount + later.left - spent >= needed || atMs === nowMs, "no room");
  }));
});

Deno.test("an amount above the whole budget has room at no time", () => {
  const window = { left: 0n, marks: [{ atMs: 5, spent: 1n }] };
  const moment = { amount: 10n, windowMs, nowMs: 9, spent: 1n };
  assertEquals(roomAtMs(window, { ...moment, needed: 11n }), undefined);
  assertEquals(roomAtMs(window, { ...moment, needed: 9n }), 9);
  assertEquals(roomAtMs(window, { ...moment, needed: 10n }), 5 + windowMs + 2_000);
});

Deno.test("a clock set back adds no mark until it has caught up", () => {
  const window = { left: 0n, marks: [{ atMs: 5_000, spent: 1n }] };
  assertEquals(markedWindow(window, { windowMs, nowMs: 4_000, spent: 9n }), window);
});
