import {
  type ApiKey,
  type DenialReason,
  type DenialSum,
  listDeniedCalls,
  sumsOfDenied,
} from "../../store/api_keys/mod.ts";
import type { AccountState } from "../session/state.ts";

/** Calls of one key that were turned away for a reason that still holds. */
export interface DeniedKey {
  readonly apiKey: ApiKey;
  readonly sum: DenialSum;
}

const dayMs = 86_400_000;
/** Of how many keys the calls of a day are read. */
const keysReadMax = 20;

/** Calls of these keys that leave no row in the log, of the last day, the most frequent first. */
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

/** For which reasons a key's calls may be turned away as it is now. */
function barsOf(
  { enabled, expiresAtMs = Infinity, ipAllowList, groupId }: ApiKey,
  { services: { directory }, nowMs }: AccountState,
): ReadonlySet<DenialReason> {
  const group = directory.group(groupId);
  const bars: Readonly<Record<DenialReason, boolean>> = {
    disabled: !enabled,
    expired: expiresAtMs <= nowMs,
    address: ipAllowList !== undefined,
    group: !group,
    format: group !== undefined && !group.formats.includes("*"),
  };
  const reasons = Object.keys(bars) as DenialReason[]; // the table's own keys
  return new Set(reasons.filter((reason) => bars[reason]));
}
