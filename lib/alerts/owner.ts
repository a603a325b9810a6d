import type { LimitOwner } from "../canonical/mod.ts";
import { getApiKey } from "../store/api_keys/mod.ts";
import { getGroup } from "../store/catalog/mod.ts";
import type { Store } from "../store/mod.ts";
import type { Budget } from "../store/money/mod.ts";
import { defaultSpending, getUser } from "../store/users/mod.ts";

/** The owner of a budget or a balance, and its limits. */
export interface Owned {
  /** The key's name, the group's id, the account's e-mail address. */
  readonly name: string;
  /** The account of a key; absent for a group. */
  readonly accountId?: string;
  readonly budgets: readonly Budget[];
  /** The percentages of its budgets at which alerts are raised; default: the configuration's. */
  readonly thresholds?: readonly number[];
  /** True if it spends from a prepaid wallet. */
  readonly prepaid: boolean;
}

const readers = {
  key: async (store, id) => {
    const key = await getApiKey(store, id);
    return key && {
      ...boundsOf(key),
      ...(key.alertPercents && { thresholds: key.alertPercents }),
      name: key.name,
      accountId: key.accountId,
      prepaid: false,
    };
  },
  group: async (store, id) => {
    const group = await getGroup(store, id);
    return group && { ...boundsOf(group), name: group.id, prepaid: false };
  },
  account: async (store, id) => {
    const user = await getUser(store, id);
    const { spending = defaultSpending(id) } = user ?? {};
    return user && {
      ...boundsOf(user),
      name: user.email,
      accountId: id,
      prepaid: spending === "prepaid",
    };
  },
} as const satisfies Record<LimitOwner, (store: Store, id: string) => Promise<Owned | undefined>>;

/** Returns undefined if the key, group or account no longer exists. */
export function readOwner(
  store: Store,
  owner: LimitOwner,
  id: string,
): Promise<Owned | undefined> {
  return readers[owner](store, id);
}

function boundsOf({ budgets = [] }: { readonly budgets?: readonly Budget[] }) {
  return { budgets };
}
