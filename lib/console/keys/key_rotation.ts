import type { ApiKey } from "../../store/api_keys/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import { clientName } from "../calls/call_words.ts";
import { tryLoad } from "../page/reading.ts";
import type { AccountState } from "../session/state.ts";

const hourMs = 3_600_000;

/** The grace periods of an old secret, by form value. */
const graces = { now: 0, "1h": hourMs, "24h": 24 * hourMs, "7d": 168 * hourMs } as const;
type Grace = keyof typeof graces;
export const graceNames = Object.keys(graces) as Grace[]; // the table's own
/** Gives clients a day to switch to the new secret. */
export const usualGrace: Grace = "24h";

/** The grace period in a form; without a choice the old secret ends at once. */
export function graceIn(
  form: URLSearchParams,
): { readonly graceMs: number; readonly grace: Grace } {
  const grace = graceNames.find((one) => one === form.get("grace")) ?? "now";
  return { grace, graceMs: graces[grace] };
}

/** The calls of a key in the last hour. */
export interface UsedLately {
  /** At most `callsMax`. */
  readonly calls: number;
  /** True if there are more. */
  readonly hasMore: boolean;
  /** The address and the program of the latest call, as far as it stated them. */
  readonly from: readonly string[];
}

const callsMax = 100;

/** Undefined if the calls could not be read. */
export async function readUsedLately(
  { services: { store }, nowMs }: AccountState,
  { id: keyId }: Pick<ApiKey, "id">,
): Promise<UsedLately | undefined> {
  const filter = { keyId, fromMs: nowMs - hourMs, limit: callsMax };
  const read = await tryLoad(listRequestLogs(store, filter));
  if (!read) return undefined;
  const { rows, next } = read;
  const { ip, userAgent } = rows[0] ?? {};
  const from = [ip, clientName(userAgent)].filter((part) => part !== undefined);
  return { calls: rows.length, hasMore: next !== undefined, from };
}
