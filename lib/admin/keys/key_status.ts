import type { ApiKey } from "../../store/api_keys/mod.ts";
import type { Group } from "../../store/catalog/mod.ts";

/** The statuses of a key. If several apply, the first is displayed. */
const keyStatuses = [
  "disabled",
  "expired",
  "groupless",
  "exhausted",
  "near",
  "expiring",
  "active",
] as const;
export type KeyStatus = typeof keyStatuses[number];

/** The filters of a list of keys: the statuses, and keys without calls for 30 days. */
export const keyFilters = [...keyStatuses, "unused"] as const;
export type KeyFilter = typeof keyFilters[number];

const soonMs = 7 * 86_400_000;
const unusedMs = 30 * 86_400_000;
const nearShare = 0.8;

/** The facts beside the key itself that decide its status. */
interface KeyFacts {
  readonly groups: readonly Pick<Group, "id">[];
  readonly nowMs: number;
  /** The used share of the key's fullest budget. */
  readonly usedShare?: number;
}

export function keyStatusOf(apiKey: ApiKey, facts: KeyFacts): KeyStatus {
  return statusesOf(apiKey, facts)[0];
}

/** Returns every status that applies to a key, the displayed one first. */
export function statusesOf(
  { enabled, expiresAtMs = Infinity, groupId }: ApiKey,
  { groups, nowMs, usedShare = 0 }: KeyFacts,
): readonly [KeyStatus, ...KeyStatus[]] {
  const holds: Readonly<Record<KeyStatus, boolean>> = {
    disabled: !enabled,
    expired: expiresAtMs <= nowMs,
    groupless: !groups.some(({ id }) => id === groupId),
    exhausted: usedShare >= 1,
    near: usedShare >= nearShare && usedShare < 1,
    expiring: expiresAtMs > nowMs && expiresAtMs - nowMs <= soonMs,
    active: false,
  };
  const [first, ...rest] = keyStatuses.filter((status) => holds[status]);
  if (first === undefined) return ["active"];
  const works = !holds.disabled && !holds.expired && !holds.groupless && !holds.exhausted;
  return [first, ...rest, ...works ? ["active" as const] : []];
}

/** True for a key that works, though it had no call for 30 days or since it was created. */
export function isUnused(
  { enabled, expiresAtMs = Infinity, createdAtMs, lastUsedAtMs = createdAtMs }: ApiKey,
  nowMs: number,
): boolean {
  return enabled && expiresAtMs > nowMs && nowMs - lastUsedAtMs >= unusedMs;
}

/** The displayed part of a key's secret, such as `sk-4fR…x9Zk`. */
export function shownSecret(
  { prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">,
): string {
  return `${prefix}…${lastFour}`;
}
