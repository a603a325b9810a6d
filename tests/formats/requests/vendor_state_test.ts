import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import {
  type FormatName,
  formatNames,
  GatewayError,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { longBodies } from "./long_request.ts";

/** For every pair of formats: only a vendor's own format accepts state that the vendor stores. */

const user = { role: "user", content: "hi" };
const threads = [
  { type: "create" },
  { type: "continue", previous_message_id: "msg_01" },
  { type: "a_type_of_tomorrow" },
];
const ofThread = (thread: JsonObject | null): JsonObject => ({
  model: "m",
  max_tokens: 9,
  messages: [user],
  thread,
});

interface Row {
  readonly from: FormatName;
  readonly body: object;
  readonly param: string;
}

const rows: readonly Row[] = [
  ...threads.map((thread): Row => ({ from: "messages", body: ofThread(thread), param: "thread" })),
  {
    from: "responses",
    body: { model: "m", input: [user, { type: "compaction", encrypted_content: "gAAA" }] },
    param: "input[1]",
  },
  {
    from: "responses",
    body: { model: "m", input: [user, { type: "compaction_trigger" }] },
    param: "input[1]",
  },
  {
    from: "messages",
    body: {
      model: "m",
      max_tokens: 9,
      messages: [{ role: "assistant", content: [{ type: "compaction", content: "So far" }] }, user],
    },
    param: "messages[0].content[0]",
  },
  {
    from: "messages",
    body: {
      model: "m",
      max_tokens: 9,
      messages: [user],
      context_management: {
        edits: [{ type: "clear_thinking_20251015" }, { type: "compact_20260112" }],
      },
    },
    param: "context_management.edits",
  },
  {
    from: "responses",
    body: { model: "m", prompt: { id: "pmpt_1" }, input: [user] },
    param: "prompt",
  },
  {
    from: "generate-content",
    body: { ...longBodies["generate-content"], cachedContent: "cachedContents/1" },
    param: "cachedContent",
  },
  {
    from: "generate-content",
    body: { ...longBodies["generate-content"], cached_content: "cachedContents/1" },
    param: "cachedContent",
  },
];

for (const [at, { from, body, param }] of rows.entries()) {
  const path = from === "generate-content" ? "/models/m:generateContent" : "";
  const wire = { path, search: {}, headers: {}, body: JSON.parse(JSON.stringify(body)) };
  for (const to of formatNames) {
    Deno.test(`vendor state ${at} of ${from} at ${param} in ${to}`, () => {
      const request = codecs[from].decodeRequest(wire);
      assertEquals(codecs[from].envelope(wire).vendorState, request.vendorState);
      if (to === from) return assertEquals(encodeAtOnce(codecs[to], request).notes, []);
      const error = assertThrows(() => encodeAtOnce(codecs[to], request), GatewayError);
      assertEquals([error.code, error.param], ["unsupported_parameter", param]);
    });
  }
}

for (const thread of threads) {
  Deno.test(`a thread (${thread.type}) goes back to its own format as it came`, () => {
    const wire = { path: "", search: {}, headers: {}, body: ofThread(thread) };
    const again = encodeAtOnce(codecs.messages, codecs.messages.decodeRequest(wire));
    assertEquals(again.wire.body.thread, thread);
  });
}

Deno.test("the refusal of a thread has the code and the details that its clients know", () => {
  const wire = { path: "", search: {}, headers: {}, body: ofThread(threads[0]) };
  const request = codecs.messages.decodeRequest(wire);
  const error = assertThrows(() => encodeAtOnce(codecs.responses, request), GatewayError);
  const { status, body } = codecs.messages.encodeError(error, "req_1");
  const refusal = (body as { error: JsonObject }).error; // sound: every error of the format has it
  assertEquals([status, refusal.type, refusal.details], [
    400,
    "invalid_request_error",
    { error_code: "thread_unsupported_request" },
  ]);
  assertStringIncludes(String(refusal.message), "Not charged.");
});

const without: readonly { readonly from: FormatName; readonly body: object }[] = [
  {
    from: "messages",
    body: {
      model: "m",
      max_tokens: 9,
      messages: [user],
      context_management: { edits: [{ type: "clear_thinking_20251015" }] },
    },
  },
  { from: "messages", body: ofThread(null) },
  { from: "responses", body: { model: "m", input: [user] } },
];
for (const { from, body } of without) {
  Deno.test(`no vendor state in ${JSON.stringify(body)}`, () => {
    const wire = { path: "", search: {}, headers: {}, body: JSON.parse(JSON.stringify(body)) };
    assertEquals(codecs[from].envelope(wire).vendorState, undefined);
  });
}
