import type { ApiKey } from "../../store/api_keys/mod.ts";
import { listRequestLogs } from "../../store/log/mod.ts";
import { clientName } from "../calls/client_name.ts";
import { tryLoad } from "../page/try_load.ts";
import type { AccountState } from "../session/state.ts";

/** The calls of a key in the last hour. */
export interface UsedLately {
  /** At most `callsMax`. */
  readonly calls: number;
  /** True if there are more. */
  readonly hasMore: boolean;
  /** The address and the program of the latest call, as far as it stated them. */
  readonly from: readonly string[];
}

const hourMs = 3_600_000;
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
