import { type LimitOwner, ownerPath } from "../../canonical/mod.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import type { Store } from "../../store/mod.ts";
import { type Bounds, organizationId } from "../../store/money/mod.ts";
import { listTagBudgets } from "../../store/projects/mod.ts";
import { listUsers, type User } from "../../store/users/mod.ts";
import { type BudgetUse, budgetUsesOf } from "../keys/budget_use.ts";
import { KeptRead } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";

/** A budget of which much is used. */
export interface NearLimit {
  readonly owner: LimitOwner;
  readonly name: string;
  /** The e-mail address of a key's owner, unless that is the reader. */
  readonly keyOwner?: string;
  readonly href: string;
  readonly use: BudgetUse;
}

/** All that limits, and who is limited. */
interface Limited {
  /** The fullest budgets, at most four. */
  readonly near: readonly NearLimit[];
  readonly keys: readonly ApiKey[];
  readonly userCount: number;
}

const nearShare = 0.6;
const shownMax = 4;
/** From this number of keys on, the result is kept in memory: it takes long to read. */
const keptFrom = 100;

const organizations = new KeptRead<Store, Limited>(({ keys }) => keys.length >= keptFrom);

/** The budgets of everyone that are near their end. */
export function readNearLimits(state: AccountState): Promise<Limited> {
  const { services: { store }, nowMs } = state;
  return organizations.get(store, { version: "", nowMs, read: () => readAll(state) });
}

/** The budgets of the reader's own account and keys that are near their end. */
export async function readOwnNearLimits(
  state: AccountState,
  keys: readonly ApiKey[],
): Promise<readonly NearLimit[]> {
  const { account: { user } } = state;
  const href = ownerHref("account", user.id, { own: true });
  const account = { owner: "account", id: user.id, name: user.email, href, bounds: user } as const;
  return await fullest(state, [account, ...keys.map((key) => keyBudgets(key))]);
}

async function readAll(state: AccountState): Promise<Limited> {
  const { services: { store, directory } } = state;
  const [keys, users, tags] = await Promise.all([
    listApiKeys(store),
    listUsers(store),
    listTagBudgets(store),
  ]);
  const byId = new Map(users.map((user) => [user.id, user]));
  const organization = directory.organization();
  const owned = (owner: LimitOwner, id: string, bounds: Bounds) => ({
    owner,
    id,
    name: id,
    href: ownerHref(owner, id),
    bounds,
  });
  const near = await fullest(state, [
    ...keys.map((key) => keyBudgets(key, byId.get(key.accountId))),
    ...users.map((user) => ({ ...owned("account", user.id, user), name: user.email })),
    ...directory.groups().map((group) => owned("group", group.id, group)),
    ...directory.projects().map((project) => owned("project", project.id, project)),
    ...organization ? [owned("organization", organizationId, organization)] : [],
    ...tags.map((budget) => owned("tag", budget.tag, budget)),
  ]);
  return { near, keys, userCount: users.length };
}

interface Owned extends Pick<NearLimit, "owner" | "name" | "keyOwner" | "href"> {
  readonly id: string;
  readonly bounds: Bounds;
}

function keyBudgets(key: ApiKey, user?: User): Owned {
  const { id, name, enabled } = key;
  const bounds = enabled ? key : {};
  const keyOwner = user && { keyOwner: user.email };
  return { owner: "key", id, name, href: ownerHref("key", id), bounds, ...keyOwner };
}

async function fullest(
  state: AccountState,
  owners: readonly Owned[],
): Promise<readonly NearLimit[]> {
  const bounded = owners.filter(({ bounds }) => bounds.budgets?.length);
  const uses = await budgetUsesOf(
    state,
    bounded.map(({ owner, id, bounds: { budgets } }) => ({ owner, id, budgets })),
  );
  const found = bounded.flatMap(({ id: _, bounds: __, ...owner }, at) =>
    uses[at].map((use) => ({ ...owner, use }))
  );
  return found.filter(({ use: { share } }) => share >= nearShare)
    .sort((a, b) => b.use.share - a.use.share)
    .slice(0, shownMax);
}

/** The page on which the limits of an owner are changed, or for a reader's own account, explained. */
export function ownerHref(owner: LimitOwner, id: string, { own = false } = {}): string {
  return own && owner === "account" ? "/console/topup" : ownerPath(owner, id);
}
