import { type Context, HttpError } from "fresh";
import { validSession } from "../../accounts/mod.ts";
import type { AccountState } from "../session/state.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform", // a compressing proxy would delay events
};

/**
 * Answers with server-sent events until the client disconnects or the session ends, also by a change
 * of role. Throws `HttpError` with 429 if the
 * account has too many streams open. A HEAD request opens none.
 */
export function eventStream(
  { req, state: { services, account } }: Pick<Context<AccountState>, "req" | "state">,
  begin: () => ReadableStream<Uint8Array>,
): Response {
  if (req.method === "HEAD") return new Response(null, { headers });
  // During an impersonation, the stream counts for the administrator.
  const { id } = account.viewer ?? account.user;
  const release = services.streams.take(id);
  if (release === undefined) throw new HttpError(429);
  const isOpen = async () => {
    const { digest } = account.session;
    return await validSession(services.store, digest, services.now()) !== undefined;
  };
  return new Response(endingWith(release, begin(), isOpen), { headers });
}

function endingWith(
  release: () => void,
  source: ReadableStream<Uint8Array>,
  isOpen: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done && await isOpen()) return controller.enqueue(value);
        controller.close();
        if (!done) await reader.cancel();
      } catch (error) {
        controller.error(error);
      }
      release();
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
}
