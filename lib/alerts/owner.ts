import type { LimitOwner } from "../canonical/mod.ts";
import type { AlertSettings } from "../config.ts";
import type { Alert } from "../store/alerts/mod.ts";
import { getApiKey } from "../store/api_keys/mod.ts";
import { getGroup, readSettings } from "../store/catalog/mod.ts";
import { newOrderedId } from "../store/kv/id.ts";
import { type Store, untilCommitted } from "../store/mod.ts";
import type { Bounds, Budget } from "../store/money/mod.ts";
import { getOrganization, getProject, getTagBudget } from "../store/projects/mod.ts";
import { defaultSpending, getUser } from "../store/users/mod.ts";
import type { NotedOwner } from "./noted_owners.ts";

/** The owner of a budget or a balance, and its limits. */
interface Owned {
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
  group: namedBy(getGroup),
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
  project: namedBy(getProject),
  organization: async (store) => {
    const [bounds, { siteName }] = await Promise.all([getOrganization(store), readSettings(store)]);
    return bounds && { ...boundsOf(bounds), name: siteName, prepaid: false };
  },
  tag: namedBy(getTagBudget),
} as const satisfies Record<LimitOwner, (store: Store, id: string) => Promise<Owned | undefined>>;

/** Returns undefined if the owner no longer exists, or the organization has no limits. */
export function readOwner(
  store: Store,
  owner: LimitOwner,
  id: string,
): Promise<Owned | undefined> {
  return readers[owner](store, id);
}

/** Reads owners whose id is their name. */
function namedBy(get: (store: Store, id: string) => Promise<Bounds | undefined>) {
  return async (store: Store, id: string) => {
    const bounds = await get(store, id);
    return bounds && { ...boundsOf(bounds), name: id, prepaid: false };
  };
}

function boundsOf({ budgets = [] }: Bounds) {
  return { budgets };
}

/** The dependencies and settings of a check. */
export interface CheckOptions {
  readonly store: Store;
  readonly settings: AlertSettings;
  /** IANA name of the zone of budgets that name none. */
  readonly timeZone: string;
  /** Retention of alerts. */
  readonly retentionMs: number;
  readonly now: () => number;
}

/** An owner under check: why it is checked, and its record. */
export interface CheckedOwner {
  readonly noted: NotedOwner;
  readonly owned: Owned;
}

/** The result of a check: the alert that it raised, if any. */
export interface Raised {
  readonly raised: Alert | undefined;
}

/**
 * Repeats a check while it returns undefined, which means that another process changed the mark.
 */
export async function raiseOnce(
  attempt: () => Promise<Raised | undefined>,
): Promise<Alert | undefined> {
  const { raised } = await untilCommitted("alert", attempt);
  return raised;
}

/** The fields that all alerts about an owner share. */
export function alertAbout(
  { owner, id }: Pick<NotedOwner, "owner" | "id">,
  { name, accountId }: Pick<Owned, "name" | "accountId">,
  { now, retentionMs }: CheckOptions,
) {
  const atMs = now();
  return {
    id: `alert_${newOrderedId(atMs)}`,
    atMs,
    owner,
    ownerId: id,
    name,
    ...(accountId !== undefined && { accountId }),
    expiresAtMs: atMs + retentionMs,
  };
}
