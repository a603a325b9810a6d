import { may } from "../../accounts/mod.ts";
import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { defaultGroupId, type Group } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import type { User } from "../../store/users/mod.ts";
import type { AccountState } from "../session/state.ts";

/**
 * The groups that a user may assign to a key. Roles that read groups: all. Members: the default group,
 * groups open to members, and groups that the account or its keys already have from an administrator.
 * The account's own group comes first, then the default group.
 */
export function groupsOf(
  user: User,
  keys: readonly ApiKey[],
  directory: Pick<Directory, "groups">,
): readonly Group[] {
  const isOwn = ({ id }: Group) => id === user.groupId;
  const groups = defaultFirst(directory.groups())
    .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  if (may(user, "groups:read")) return groups;
  const own = new Set([defaultGroupId, ...keys.map(({ groupId }) => groupId)]);
  return groups.filter((one) => one.forMembers || own.has(one.id) || isOwn(one));
}

/** The ids of the groups that the reader may assign to a key. */
export async function ownGroupIds(
  { services: { store, directory }, account: { user } }: AccountState,
): Promise<string[]> {
  const keys = await listApiKeys(store, { accountId: user.id });
  return groupsOf(user, keys, directory).map(({ id }) => id);
}

/** Groups on the public pricing page: those open to every member. */
export function publicGroups(directory: Pick<Directory, "groups">): readonly Group[] {
  return defaultFirst(directory.groups()).filter(({ id, forMembers }) =>
    forMembers || id === defaultGroupId
  );
}

function defaultFirst(groups: readonly Group[]): readonly Group[] {
  const rank = ({ id }: Group) => id === defaultGroupId ? 0 : 1;
  return groups.toSorted((a, b) => rank(a) - rank(b));
}
