import type { ApiKey } from "../../store/api_keys/mod.ts";
import { defaultGroupId, type Group } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import type { User } from "../../store/users/mod.ts";
import { may } from "../../accounts/mod.ts";

/**
 * The groups that a user may give a key: all for an administrator; for a member the default
 * group, those that are for members, and those that keys of the account are in already, which an
 * administrator put them in. The default group comes first.
 */
export function groupsOf(
  user: User,
  keys: readonly ApiKey[],
  directory: Pick<Directory, "groups">,
): readonly Group[] {
  const groups = defaultFirst(directory.groups());
  if (may(user, "manage-groups")) return groups;
  const own = new Set([defaultGroupId, ...keys.map(({ groupId }) => groupId)]);
  return groups.filter(({ id, forMembers }) => forMembers || own.has(id));
}

/** The groups whose prices who is not signed in may see: those that every member may use. */
export function publicGroups(directory: Pick<Directory, "groups">): readonly Group[] {
  return defaultFirst(directory.groups()).filter(({ id, forMembers }) =>
    forMembers || id === defaultGroupId
  );
}

function defaultFirst(groups: readonly Group[]): readonly Group[] {
  const rank = ({ id }: Group) => id === defaultGroupId ? 0 : 1;
  return groups.toSorted((a, b) => rank(a) - rank(b));
}
