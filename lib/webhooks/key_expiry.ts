import { type ApiKey, listApiKeys } from "../store/api_keys/mod.ts";
import type { Store } from "../store/mod.ts";
import { postEventOnce } from "../store/webhooks/mod.ts";
import { newEvent } from "./event_types.ts";
import { identityAt, isoTime } from "./grouped_calls.ts";

const dayMs = 86_400_000;
/** Keys that expired longer ago are not reported: their marks may be gone. */
const reportedMs = dayMs;

/** Reports the keys that have expired, each once. */
export async function reportExpiredKeys(store: Store, nowMs: number): Promise<void> {
  for (const apiKey of await listApiKeys(store)) {
    const { id, expiresAtMs = Infinity } = apiKey;
    if (expiresAtMs > nowMs || nowMs - expiresAtMs > reportedMs) continue;
    const mark = { id: `expired:${id}:${expiresAtMs}`, lifetimeMs: 2 * reportedMs };
    await postEventOnce(store, expiredEvent(apiKey, expiresAtMs, nowMs), mark);
  }
}

function expiredEvent({ id, name, accountId }: ApiKey, expiresAtMs: number, nowMs: number) {
  const expiredAt = isoTime(expiresAtMs);
  const message = `The key ${name} expired at ${expiredAt}`;
  return newEvent("key.expired", {
    ...identityAt(nowMs),
    data: { message, key: { id, name }, accountId, expiredAt },
  });
}
