import { assert, assertEquals } from "@std/assert";
import { codecs } from "../../lib/formats/mod.ts";
import { type CallContext, CallRecord } from "../../lib/gateway/call_context.ts";
import { respond } from "../../lib/gateway/deliver.ts";
import type { Answer } from "../../lib/http/stream/answer.ts";
import type { AttemptHandle } from "../../lib/routing/mod.ts";
import { sampleRow } from "../store/samples.ts";

/** A call of a known caller whose row becomes durable when `stored` resolves. */
function contextOf(stored: Promise<unknown>): CallContext {
  const request = new Request("http://gateway.test/v1/chat/completions", { method: "POST" });
  const codec = codecs["chat-completions"];
  const { accountId, keyId: id, keyName: name, groupId } = sampleRow(1);
  const record = new CallRecord({ id: "req_1", url: new URL(request.url), codec, request });
  record.caller = { key: { id, name, accountId, groupId } } as CallRecord["caller"];
  return {
    call: { id: "req_1", request, codec, endpoint: codec.endpoints[0], signal: request.signal },
    gateway: {
      limits: { sseKeepAliveMs: 60_000, notesHeaderBytesMax: 1_024, answerTailMs: 1_000 },
      ledger: { settle: () => stored },
      records: { storedInTime: (row: Promise<unknown>) => row },
      notifyChecks: () => {},
      report: () => {},
    },
    record,
  } as unknown as CallContext; // sound: what `respond` reads of a whole answer without a hold
}

const answer: Answer = { type: "whole", content: "{}", result: { outcome: "completed" } };

Deno.test("respond: a whole answer waits until its usage is durable", async () => {
  const durable = Promise.withResolvers<unknown>();
  const ends: unknown[] = [];
  const handle = { ended: (error?: unknown) => void ends.push(error) } as AttemptHandle;
  const response = respond(Promise.resolve({ answer, handle }), contextOf(durable.promise));
  const pending = Symbol();
  const turn = new Promise((resolve) => setTimeout(resolve, 0, pending));
  assert(
    await Promise.race([response, turn]) === pending,
    "nothing is sent before the row is stored",
  );
  assertEquals(ends, [undefined]);
  durable.resolve({ costNanoUsd: 1_500n });
  assertEquals((await response).headers.get("tessera-cost"), "0.0000015");
  assertEquals(await (await response).text(), "{}");
});
