import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { balanceStep, budgetStep } from "../../lib/alerts/threshold.ts";
import type { BalanceMark, BudgetMark } from "../../lib/store/alerts/mod.ts";

const usual = [50, 80, 100] as const;

interface BudgetCase {
  readonly name: string;
  readonly thresholds?: readonly number[];
  /** The amount spent of 1,000 at each check; `!` marks refused calls. */
  readonly checks: readonly string[];
  readonly told: readonly string[];
}

const budgets: readonly BudgetCase[] = [
  {
    name: "each threshold as it is passed",
    checks: ["499", "500", "799", "800", "999", "1000"],
    told: ["50", "80", "100"],
  },
  { name: "nothing twice", checks: ["500", "500", "600"], told: ["50"] },
  { name: "only the highest of several at once", checks: ["400", "900", "950"], told: ["80"] },
  { name: "all of it at once", checks: ["1000"], told: ["100"] },
  { name: "more than all of it", checks: ["1200", "1300"], told: ["100"] },
  { name: "a refusal counts as 100 %", checks: ["850", "970!"], told: ["80", "100!"] },
  {
    name: "a refusal says what the thresholds below it would",
    checks: ["400", "970!", "980!"],
    told: ["100!"],
  },
  { name: "100 % says what a refusal would", checks: ["1000", "1000!"], told: ["100"] },
  { name: "a refusal says what 100 % would", checks: ["970!", "1000"], told: ["100!"] },
  {
    name: "a call that costs more than the remainder; lower thresholds are still reported",
    checks: ["100!", "500", "800", "1000"],
    told: ["100!", "50", "80"],
  },
  {
    name: "no thresholds, and a refusal all the same",
    thresholds: [],
    checks: ["1000", "1000!"],
    told: ["100!"],
  },
  { name: "one of its own", thresholds: [33], checks: ["329", "330", "1000"], told: ["33"] },
];

for (const { name, thresholds = usual, checks, told } of budgets) {
  Deno.test(`budgetStep reports ${name}`, () => {
    assertEquals(tellBudget(checks.map(budgetCheck), thresholds).map(budgetWord), told);
  });
}

Deno.test("budgetStep compares exactly, however small or large a budget is", () => {
  for (const limitNanoUsd of [1n, 3n, 7n, 10n ** 18n + 1n]) {
    const least = (limitNanoUsd * 80n + 99n) / 100n;
    const at = (spentNanoUsd: bigint) =>
      budgetStep({ limitNanoUsd, spentNanoUsd, refused: false }, undefined, [80]);
    assertEquals([at(least - 1n)?.threshold, at(least)?.threshold], [undefined, 80]);
  }
});

Deno.test("budgetStep reports nothing below the last report, even if the thresholds changed", () => {
  const state = { limitNanoUsd: 1_000n, spentNanoUsd: 850n, refused: false };
  assertEquals(budgetStep(state, { reached: 80, refused: false }, [50, 90]), undefined);
});

Deno.test("budgetStep: however money is spent, each threshold is reported at most once and in order", () => {
  const spending = fc.array(fc.record({ cost: fc.bigInt(0n, 400n), refused: fc.boolean() }));
  const thresholds = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { maxLength: 5 })
    .map((some) => some.sort((a, b) => a - b));
  fc.assert(
    fc.property(spending, thresholds, fc.bigInt(1n, 2_000n), (calls, thresholds, limitNanoUsd) => {
      let spentNanoUsd = 0n;
      const checks = calls.map(({ cost, refused }) => ({
        limitNanoUsd,
        spentNanoUsd: spentNanoUsd += cost,
        refused,
      }));
      const told = tellBudget(checks, thresholds);
      const bySpending = told.filter(({ refused }) => !refused).map(({ threshold }) => threshold);
      assertEquals(bySpending, [...new Set(bySpending)].sort((a, b) => a - b));
      assert(bySpending.every((one) => thresholds.includes(one)));
      assert(told.filter(({ threshold }) => threshold === 100).length <= 1);
      const highest = thresholds.findLast((one) =>
        spentNanoUsd * 100n >= limitNanoUsd * BigInt(one)
      );
      const last = Math.max(0, ...told.map(({ threshold }) => threshold));
      assert(last >= (highest ?? 0), "what was reached in the end was told");
      assertEquals(checks.some(({ refused }) => refused) && last !== 100, false);
    }),
  );
});

interface BalanceCase {
  readonly name: string;
  readonly lowUsd?: number;
  /** The funded minus the spent amount at each check, such as `20-3`; `!` marks refused calls. */
  readonly checks: readonly string[];
  readonly told: readonly string[];
}

const balances: readonly BalanceCase[] = [
  {
    name: "once that it is low",
    checks: ["20-3", "20-16", "20-17", "20-20"],
    told: ["low at 20-16"],
  },
  { name: "nothing at exactly the limit", checks: ["20-15"], told: [] },
  { name: "nothing of an account that is new", checks: ["0-0", "2-0"], told: [] },
  { name: "one that never was above", checks: ["2-1", "2-2"], told: ["low at 2-1"] },
  {
    name: "a refusal after it was low",
    checks: ["20-16", "20-19!", "20-20!"],
    told: ["low at 20-16", "refused at 20-19"],
  },
  {
    name: "a refusal that says that it is low too",
    checks: ["20-19!", "20-20"],
    told: ["refused at 20-19"],
  },
  {
    name: "a call too dear for what is left",
    checks: ["60-10!", "60-12!", "60-56"],
    told: ["refused at 60-10", "low at 60-56"],
  },
  { name: "an empty one that was asked", checks: ["0-0!", "0-0!"], told: ["refused at 0-0"] },
  {
    name: "again after it had recovered",
    checks: ["20-16", "40-16", "40-36"],
    told: ["low at 20-16", "low at 40-36"],
  },
  {
    name: "again where it recovered and was spent between two checks",
    checks: ["20-16", "40-36"],
    told: ["low at 20-16", "low at 40-36"],
  },
  {
    name: "nothing again where too little came in",
    checks: ["20-16", "20-19", "22-19", "23-22"],
    told: ["low at 20-16"],
  },
  {
    name: "nothing again where little came in and more was spent",
    checks: ["20-16", "20-20", "24-23"],
    told: ["low at 20-16"],
  },
  {
    name: "refusals again after it had recovered",
    checks: ["5-5!", "30-5", "30-30!"],
    told: ["refused at 5-5", "refused at 30-30"],
  },
  {
    name: "with 0 only refusals",
    lowUsd: 0,
    checks: ["20-19", "20-20", "20-20!"],
    told: ["refused at 20-20"],
  },
  { name: "one that was taken back below zero", lowUsd: 0, checks: ["0-3"], told: ["low at 0-3"] },
];

for (const { name, lowUsd = 5, checks, told } of balances) {
  Deno.test(`balanceStep reports ${name}`, () =>
    assertEquals(tellBalance(checks, BigInt(lowUsd)), told));
}

Deno.test("balanceStep: a low balance is reported at most once between two recoveries", () => {
  const moves = fc.array(fc.record({ funded: fc.bigInt(0n, 12n), cost: fc.bigInt(0n, 9n) }));
  fc.assert(fc.property(moves, (moves) => {
    let mark: BalanceMark | undefined;
    let [fundedNanoUsd, spentNanoUsd, isTold] = [0n, 0n, false];
    for (const { funded, cost } of moves) {
      fundedNanoUsd += funded;
      if (fundedNanoUsd - spentNanoUsd >= 5n) isTold = false;
      spentNanoUsd += cost < fundedNanoUsd - spentNanoUsd ? cost : fundedNanoUsd - spentNanoUsd;
      const step = balanceStep({ fundedNanoUsd, spentNanoUsd, refused: false }, mark, 5n);
      if (step) mark = step.mark;
      const low = spentNanoUsd > 0n && fundedNanoUsd - spentNanoUsd < 5n;
      assertEquals(step?.tell !== undefined, low && !isTold);
      isTold ||= low;
      assertEquals(mark !== undefined, low);
    }
  }));
});

interface Told {
  readonly threshold: number;
  readonly refused: boolean;
}

function tellBudget(
  checks: readonly Parameters<typeof budgetStep>[0][],
  thresholds: readonly number[],
): Told[] {
  let mark: BudgetMark | undefined;
  const told: Told[] = [];
  for (const check of checks) {
    const step = budgetStep(check, mark, thresholds);
    if (!step) continue;
    mark = step.mark;
    told.push(step);
  }
  return told;
}

function budgetCheck(text: string) {
  return {
    limitNanoUsd: 1_000n,
    spentNanoUsd: BigInt(text.replace("!", "")),
    refused: text.endsWith("!"),
  };
}

function budgetWord({ threshold, refused }: Told): string {
  return `${threshold}${refused ? "!" : ""}`;
}

function tellBalance(checks: readonly string[], lowNanoUsd: bigint): string[] {
  let mark: BalanceMark | undefined;
  return checks.flatMap((check) => {
    const [fundedNanoUsd, spentNanoUsd] = check.replace("!", "").split("-").map(BigInt);
    const step = balanceStep(
      { fundedNanoUsd, spentNanoUsd, refused: check.endsWith("!") },
      mark,
      lowNanoUsd,
    );
    if (step) mark = step.mark;
    return step?.tell
      ? [`${step.tell.refused ? "refused" : "low"} at ${check.replace("!", "")}`]
      : [];
  });
}
