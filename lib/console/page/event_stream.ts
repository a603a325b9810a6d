import { type Context, HttpError } from "fresh";
import type { AccountState } from "../session/state.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform", // a compressor would hold events back
};

/**
 * Answers with server-sent events, as long as somebody listens. Throws `HttpError` with 429 where
 * the account listens too often already. Who only asks for the headers begins nothing.
 */
export function eventStream(
  { req, state: { services, account } }: Pick<Context<AccountState>, "req" | "state">,
  begin: () => ReadableStream<Uint8Array>,
): Response {
  if (req.method === "HEAD") return new Response(null, { headers });
  // Who looks at another's console takes none of the other's places.
  const { id } = account.viewer ?? account.user;
  const release = services.streams.take(id);
  if (release === undefined) throw new HttpError(429);
  return new Response(endingWith(release, begin()), { headers });
}

function endingWith(
  release: () => void,
  source: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
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
