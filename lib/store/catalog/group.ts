import type { FormatName } from "../../canonical/mod.ts";
import { keys } from "../keys.ts";
import { collection } from "../kv/collection.ts";
import { StoreError } from "../kv/error.ts";
import type { Origin } from "../kv/origin.ts";
import type { Bounds } from "../money/budget.ts";

/** The models that a group's keys may use, their price factor, and the limits of all keys together. */
export interface Group extends Bounds {
  readonly id: string;
  /** Patterns of model names; `*` alone means all. See `matchesPattern`. */
  readonly models: readonly string[];
  readonly formats: readonly ("*" | FormatName)[];
  /** Factor on prices. */
  readonly priceRatio: number;
  /** True if its keys may use models without a price. Absent: `allowsUnpriced` decides. */
  readonly allowUnpriced?: boolean;
  /**
   * True if members may assign their keys to it. Absent: only administrators, except for the
   * default group.
   */
  readonly forMembers?: boolean;
  readonly origin: Origin;
}

/** The group that always exists. */
export const defaultGroupId = "default";

/**
 * Returns true if calls of models without a price are allowed. If the group does not decide, the
 * default group allows them while no budget and no prepaid balance limits the caller; every other
 * group refuses them.
 */
export function allowsUnpriced(
  { id, allowUnpriced }: Pick<Group, "id" | "allowUnpriced">,
  isBoundByMoney: boolean,
): boolean {
  return allowUnpriced ?? (id === defaultGroupId && !isBoundByMoney);
}

/** Keys of a deleted group stop working until they get another group. */
export const {
  get: getGroup,
  list: listGroups,
  create: createGroup,
  update: updateGroup,
  remove: deleteGroup,
} = collection<Group>({ name: "group", version: 1 }, {
  all: keys.groups,
  at: keys.group,
  assertDeletable: (id) => {
    if (id !== defaultGroupId) return;
    throw new StoreError("protected", "Cannot delete group: the default group is required");
  },
});
