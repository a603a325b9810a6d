import { assertEquals, assertRejects } from "@std/assert";
import { callerLeft, type CanonicalEvent, GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { compactedReply } from "../../lib/gateway/compacted_reply.ts";
import type { Reply } from "../../lib/http/stream/answer.ts";

/** A reply whose request for a summary is answered by the test. */
function waitingReply(asked: PromiseWithResolvers<Reply>) {
  const codec = codecs.responses;
  const wire = { body: { input: "Hi" }, path: "/responses", headers: {} };
  const request = { wire };
  return compactedReply(
    {
      call: { id: "req_1", codec, signal: new AbortController().signal },
      decoded: request,
      compacting: { wanted: { answers: false }, keys: { codec: codec.compaction }, asked: request },
      limits: { sseKeepAliveMs: 60_000, answerTailMs: 1 },
      ask: () => asked.promise,
      setFree: () => {},
    } as unknown as Parameters<typeof compactedReply>[0],
  ); // sound: what it reads before a summary is complete
}

Deno.test("compactedReply: a caller that leaves before the upstream's reply cancels the reply once it comes", async () => {
  const asked = Promise.withResolvers<Reply>();
  const reply = waitingReply(asked);
  if (reply.type !== "events") throw new TypeError(reply.type);
  const reading = reply.source.read();
  const gone = callerLeft();
  reply.source.cancel(gone);
  const cancelled: unknown[] = [];
  const silent = new Promise<CanonicalEvent>(() => {});
  asked.resolve({
    type: "events",
    source: { read: () => silent, cancel: (reason) => cancelled.push(reason), release: () => {} },
  });
  await assertRejects(() => drained(reply.source.read, reading), GatewayError, gone.message);
  assertEquals(cancelled, [gone]);
});

/** Reads to the end. */
async function drained(
  read: () => Promise<CanonicalEvent | undefined>,
  first: Promise<CanonicalEvent | undefined>,
): Promise<void> {
  for (let event = await first; event; event = await read());
}
