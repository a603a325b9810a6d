import type { LimitOwner } from "../../../lib/canonical/mod.ts";
import { periodOf } from "../../../lib/ledger/period.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { budgetId } from "../../../lib/store/money/budget.ts";
import { type Bounds, organizationId } from "../../../lib/store/money/mod.ts";
import { nowMs } from "../people.ts";
import { teamCalls } from "./calls.ts";

const month = periodOf("month", "UTC", nowMs);

/** The IDs that each kind of limit counts a call for. */
const ownersOf: Readonly<Partial<Record<LimitOwner, (row: RequestLogRow) => readonly string[]>>> = {
  key: ({ keyId }) => [keyId],
  account: ({ accountId }) => [accountId],
  project: ({ projectId }) => projectId === undefined ? [] : [projectId],
  tag: ({ tags = [] }) => tags,
  organization: () => [organizationId],
};

/** The part of its monthly budget that an owner has spent, by its place among those who spend most. */
const percents: Readonly<Partial<Record<LimitOwner, Readonly<Record<number, number>>>>> = {
  key: { 1: 100, 3: 93, 5: 84, 8: 66, 12: 31, 15: 12, 20: 8 },
  account: { 2: 88, 6: 40 },
  project: { 0: 78, 1: 22 },
  tag: { 1: 91 },
  organization: { 0: 64 },
};

interface Spending {
  readonly owner: LimitOwner;
  readonly id: string;
  readonly nanoUsd: bigint;
  /** Present if the owner has a budget of this month. */
  readonly limitNanoUsd?: bigint;
}

/** The spending of each owner this month, highest first. */
export function spendingOf(owner: LimitOwner): readonly Spending[] {
  const sums = sumsBy((row) => row.atMs < (month.startsAtMs ?? 0) ? [] : idsOf(owner, row));
  return [...sums].sort(([, one], [, other]) => Number(other - one)).map(([id, nanoUsd], place) => {
    const percent = percents[owner]?.[place];
    return { owner, id, nanoUsd, ...(percent && { limitNanoUsd: limitOf(nanoUsd, percent) }) };
  });
}

/** All money that accounts have spent, by account. */
export function spentByAccount(): ReadonlyMap<string, bigint> {
  return sumsBy(({ accountId }) => [accountId]);
}

/** The budgets of an owner; nothing if it has none. */
export function boundsOf(spending: readonly Spending[], id: string): Pick<Bounds, "budgets"> {
  const nanoUsd = spending.find((one) => one.id === id)?.limitNanoUsd;
  return nanoUsd === undefined ? {} : { budgets: [{ nanoUsd, period: "month" }] };
}

/** The allowance that a budget of this month is counted in. */
export function allowanceOf({ owner, id }: Pick<Spending, "owner" | "id">): string {
  return budgetId(owner, id, month.id);
}

function idsOf(owner: LimitOwner, row: RequestLogRow): readonly string[] {
  return ownersOf[owner]?.(row) ?? [];
}

function sumsBy(ids: (row: RequestLogRow) => readonly string[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const row of teamCalls) {
    for (const id of ids(row)) sums.set(id, (sums.get(id) ?? 0n) + (row.costNanoUsd ?? 0n));
  }
  return sums;
}

/** In whole cents, so that the part is a little less than the percentage. */
function limitOf(nanoUsd: bigint, percent: number): bigint {
  const cent = 10_000_000n;
  return ((nanoUsd * 100n) / BigInt(percent) / cent + (percent === 100 ? 0n : 1n)) * cent;
}
