import { usageSeries } from "../../ledger/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { addCounts, type Counts, noCounts, subjects } from "../../store/usage/mod.ts";
import { type BudgetUse, budgetUses } from "../keys/budget_use.ts";
import type { DailyCost } from "../keys/spend_series.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";
import type { GroupFaults, GroupValues } from "./group_form.ts";
import { type GroupUse, groupUses } from "./group_use.ts";

/** A user with keys in a group. */
interface GroupMember {
  readonly accountId: string;
  /** The e-mail address, or the account's id if that has no user. */
  readonly owner: string;
  readonly keyCount: number;
}

/** The usage of a group in the last 30 UTC days, today included. */
export interface GroupUsage {
  readonly total: Counts;
  readonly cost: DailyCost;
  /** Of each day. */
  readonly calls: readonly Counts[];
}

/** The data of a group's page, except for its form. Undefined values could not be read. */
interface GroupFigures {
  readonly use: GroupUse | undefined;
  /** The users with the most keys first. */
  readonly members: readonly GroupMember[];
  readonly usage?: GroupUsage;
  readonly budgets?: readonly BudgetUse[];
}

export interface GroupPageData extends GroupFigures {
  readonly group: Group;
  readonly values: GroupValues;
  readonly faults: GroupFaults;
}

const dayMs = 86_400_000;
const days = 30;

/** Reads what a group is used for and what it costs. */
export async function readGroupFigures(group: Group, state: AccountState): Promise<GroupFigures> {
  const { services: { store, directory } } = state;
  const { id, budgets: own } = group;
  const [uses, usage, budgets] = await Promise.all([
    groupUses(store, directory),
    tryLoad(readUsage(id, state)),
    tryLoad(budgetUses(state, { owner: "group", id, budgets: own })),
  ]);
  const use = uses.get(id);
  return { use, members: membersOf(use), usage, budgets };
}

async function readUsage(
  id: string,
  { services: { store }, nowMs }: AccountState,
): Promise<GroupUsage> {
  const toMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const period = { fromMs: toMs - days * dayMs, toMs, step: "day" } as const;
  const points = await usageSeries(store, subjects.group(id), period);
  const calls = points.map(({ counts }) => counts);
  const amounts = calls.map(({ costNanoUsd }) => Number(costNanoUsd));
  return {
    total: calls.reduce(addCounts, noCounts),
    calls,
    cost: { starts: points.map(({ atMs }) => atMs), series: [{ value: id, amounts }] },
  };
}

function membersOf({ keys = [] }: Partial<GroupUse> = {}): readonly GroupMember[] {
  const byAccount = Map.groupBy(keys, ({ key }) => key.accountId);
  return [...byAccount].map(([accountId, used]) => ({
    accountId,
    owner: used[0].owner,
    keyCount: used.length,
  })).toSorted((a, b) => b.keyCount - a.keyCount || (a.owner < b.owner ? -1 : 1));
}
