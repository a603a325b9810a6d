import { type ApiKey, listApiKeys } from "../../store/api_keys/mod.ts";
import { servesGroup, type UpstreamRecord } from "../../store/catalog/mod.ts";
import type { Directory } from "../../store/directory/mod.ts";
import type { Store } from "../../store/mod.ts";
import { listUsers } from "../../store/users/mod.ts";

/** The keys and upstreams that use a group. */
export interface GroupUse {
  readonly keys: readonly UsingKey[];
  /** The upstreams that list the group by name; they prevent its deletion. */
  readonly upstreams: readonly UpstreamRecord[];
  /** The number of upstreams that serve it, by name or with all groups. */
  readonly serving: number;
}

/** A key and its owner's e-mail address, or the account's id if that has no user. */
interface UsingKey {
  readonly key: ApiKey;
  readonly owner: string;
}

/** The uses of each group, by its id; unused groups are absent. */
export async function groupUses(
  store: Store,
  directory: Pick<Directory, "groups" | "upstreams">,
): Promise<ReadonlyMap<string, GroupUse>> {
  const [keys, users] = await Promise.all([listApiKeys(store), listUsers(store)]);
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const using = keys.map((key) => ({ key, owner: emails.get(key.accountId) ?? key.accountId }));
  const keysOf = Map.groupBy(using, ({ key }) => key.groupId);
  const uses = directory.groups().map(({ id }) => {
    const serving = directory.upstreams().filter((upstream) => servesGroup(upstream, id));
    const upstreams = serving.filter(({ groups }) => groups.includes(id));
    return [id, { keys: keysOf.get(id) ?? [], upstreams, serving: serving.length }] as const;
  });
  return new Map(uses);
}

/** The uses that block deletion: an upstream that names the group, or a key from the configuration. */
export function isHeld({ keys, upstreams }: GroupUse): boolean {
  return upstreams.length > 0 || keys.some(({ key }) => key.origin === "config");
}
