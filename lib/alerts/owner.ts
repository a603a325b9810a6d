import type { LimitOwner } from "../canonical/mod.ts";
import { getApiKey } from "../store/api_keys/mod.ts";
import { getGroup, readSettings } from "../store/catalog/mod.ts";
import type { Store } from "../store/mod.ts";
import type { Budget } from "../store/money/mod.ts";
import { getOrganization, getProject, getTagBudget } from "../store/projects/mod.ts";
import { defaultSpending, getUser } from "../store/users/mod.ts";

/** The owner of a budget or a balance, and its limits. */
export interface Owned {
  /** The account's e-mail address, the tag's text, else the owner's name or id. */
  readonly name: string;
  /** The account, or the account of a key; absent for other owners. */
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
  project: async (store, id) => {
    const project = await getProject(store, id);
    return project && { ...boundsOf(project), name: project.id, prepaid: false };
  },
  organization: async (store) => {
    const [bounds, { siteName }] = await Promise.all([getOrganization(store), readSettings(store)]);
    return bounds && { ...boundsOf(bounds), name: siteName, prepaid: false };
  },
  tag: async (store, id) => {
    const tag = await getTagBudget(store, id);
    return tag && { ...boundsOf(tag), name: tag.tag, prepaid: false };
  },
} as const satisfies Record<LimitOwner, (store: Store, id: string) => Promise<Owned | undefined>>;

/** Returns undefined if the owner no longer exists, or the organization has no limits. */
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
