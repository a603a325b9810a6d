import { boundsOfSubject } from "../../admin/effective_bounds.ts";
import { type GroupUse, groupUses } from "../../admin/groups.ts";
import type { EffectiveBounds } from "../../ledger/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";
import { subjects } from "../../store/usage/mod.ts";
import { readSubjectUsage, type SteppedUsage } from "../keys/subject_usage.ts";
import type { PeriodSpan } from "../page/period.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";
import type { GroupFaults, GroupValues } from "./group_form.ts";

/** A user with keys in a group. */
interface GroupMember {
  readonly accountId: string;
  /** The e-mail address, or the account's id if that has no user. */
  readonly owner: string;
  readonly keyCount: number;
}

/** The data of a group's page, except for its form. Undefined values could not be read. */
interface GroupFigures {
  readonly use: GroupUse | undefined;
  /** The users with the most keys first. */
  readonly members: readonly GroupMember[];
  readonly usage?: SteppedUsage;
  readonly bounds?: EffectiveBounds;
}

export interface GroupPageData extends GroupFigures {
  readonly group: Group;
  readonly values: GroupValues;
  readonly faults: GroupFaults;
}

/** Reads what a group is used for and what it costs. */
export async function readGroupFigures(
  group: Group,
  state: AccountState,
  span: PeriodSpan,
): Promise<GroupFigures> {
  const { services: { store, directory }, nowMs } = state;
  const { id } = group;
  const [uses, usage, bounds] = await Promise.all([
    groupUses(store, directory),
    tryLoad(readSubjectUsage(store, { whole: subjects.group(id) }, { span, nowMs })),
    tryLoad(boundsOfSubject({ type: "group", group }, state)),
  ]);
  const use = uses.get(id);
  return { use, members: membersOf(use), usage, bounds };
}

function membersOf({ keys = [] }: Partial<GroupUse> = {}): readonly GroupMember[] {
  const byAccount = Map.groupBy(keys, ({ key }) => key.accountId);
  return [...byAccount].map(([accountId, used]) => ({
    accountId,
    owner: used[0].owner,
    keyCount: used.length,
  })).toSorted((a, b) => b.keyCount - a.keyCount || (a.owner < b.owner ? -1 : 1));
}
