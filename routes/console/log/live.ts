import { newCalls } from "../../../lib/console/calls/log_live.ts";
import { searchOf } from "../../../lib/console/calls/log_page.ts";
import { filterOf } from "../../../lib/console/calls/log_search.ts";
import { eventStream } from "../../../lib/console/page/event_stream.ts";
import { defineForAccount } from "../../../lib/console/session/state.ts";

/**
 * Streams the number of calls that match the URL's filters and ended since `?since_ms=`, as one
 * server-sent event per change.
 */
export const handler = defineForAccount.handlers({
  async GET(ctx) {
    const { req, url: { searchParams }, state } = ctx;
    const { services: { store }, account: { user }, nowMs } = state;
    const filter = filterOf(await searchOf(searchParams, state), user.id);
    const sinceMs = Number(searchParams.get("since_ms")) || nowMs;
    return eventStream(ctx, () => {
      const events = newCalls(store, filter, { sinceMs, signal: req.signal });
      return ReadableStream.from(events).pipeThrough(new TextEncoderStream());
    });
  },
});
