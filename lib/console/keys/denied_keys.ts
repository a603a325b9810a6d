import {
  type ApiKey,
  type DenialReason,
  type DenialSum,
  listDeniedCalls,
  sumsOfDenied,
} from "../../store/api_keys/mod.ts";
import type { AccountState } from "../session/state.ts";

/** Refused calls of one key, for a reason that still applies. */
export interface DeniedKey {
  readonly apiKey: ApiKey;
  readonly sum: DenialSum;
}

const dayMs = 86_400_000;
/** Maximum number of keys whose refused calls are read. */
const keysReadMax = 20;

/**
 * Returns these keys' refused calls of the last day, which are not in the log, most frequent first.
 */
export async function readDeniedKeys(
  state: AccountState,
  keys: readonly ApiKey[],
): Promise<readonly DeniedKey[]> {
  const { services: { store, directory }, nowMs } = state;
  await directory.writeDenials();
  const barred = keys.filter((apiKey) => barsOf(apiKey, state).size > 0).slice(0, keysReadMax);
  const found = await Promise.all(barred.map(async (apiKey) => {
    const bars = barsOf(apiKey, state);
    const sums = sumsOfDenied(await listDeniedCalls(store, apiKey.id, nowMs - dayMs));
    return sums.filter(({ reason }) => bars.has(reason)).map((sum) => ({ apiKey, sum }));
  }));
  return found.flat().sort((a, b) => b.sum.count - a.sum.count);
}

/** The reasons for which a key's calls may be refused at present. */
function barsOf(
  { enabled, expiresAtMs = Infinity, ipAllowList, groupId }: ApiKey,
  { services: { directory }, account: { user }, nowMs }: AccountState,
): ReadonlySet<DenialReason> {
  const group = directory.group(groupId);
  const bars: Readonly<Record<DenialReason, boolean>> = {
    disabled: !enabled,
    expired: expiresAtMs <= nowMs,
    address: ipAllowList !== undefined,
    group: !group,
    format: group !== undefined && !group.formats.includes("*"),
    project: user.projectId !== undefined &&
      directory.project(user.projectId)?.archivedAtMs !== undefined,
  };
  const reasons = Object.keys(bars) as DenialReason[]; // the table's own keys
  return new Set(reasons.filter((reason) => bars[reason]));
}
