import { clientAddress } from "../../../lib/admin/audit.ts";
import { checkEvents, keepWaiting } from "../../../lib/console/connect/live_check.ts";
import { ownKey } from "../../../lib/console/keys/own_key.ts";
import { eventStream } from "../../../lib/console/page/event_stream.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/**
 * Streams the calls with `?key=` since `?since=` as server-sent events, and keeps the check open.
 */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { url, state } = ctx;
    const key = await ownKey(url.searchParams.get("key") ?? "", state);
    const sinceMs = Number(url.searchParams.get("since")) || state.nowMs;
    await keepWaiting(key, state, clientAddress(ctx));
    return eventStream(ctx, () => checkEvents({ key, sinceMs, origin: url.origin }, state));
  },
});
