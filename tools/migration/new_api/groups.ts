import { defaultGroupId, type Group } from "../../../lib/store/catalog/mod.ts";
import { nameFrom } from "../identity.ts";
import type { Options } from "./options.ts";

/** The groups to create, and the ids of all groups by new-api's names. */
export interface DraftedGroups {
  readonly groups: readonly Group[];
  readonly groupIds: ReadonlyMap<string, string>;
}

const ratioMax = 1_000;

/**
 * The groups that channels, users, keys or settings name. `default` is our own default group as
 * long as its prices are the same.
 */
export function groupsFor(names: ReadonlySet<string>, options: Options): DraftedGroups {
  const all = [...new Set([...names, ...options.groupRatio.keys()])];
  const groupIds = new Map(all.map((name) => [name, idOf(name, options)]));
  const groups = all.filter((name) => groupIds.get(name) !== defaultGroupId).map((name): Group => ({
    id: groupIds.get(name) ?? defaultGroupId,
    models: ["*"],
    formats: ["*"],
    priceRatio: Math.min(ratioMax, ratioOf(name, options)),
    ...(options.usableGroups.includes(name) && { forMembers: true }),
    origin: "console",
  }));
  return { groups, groupIds };
}

function idOf(name: string, options: Options): string {
  return name === defaultGroupId && ratioOf(name, options) === 1
    ? defaultGroupId
    : nameFrom("new-api", name);
}

function ratioOf(name: string, { groupRatio }: Options): number {
  return groupRatio.get(name) ?? 1;
}
