import { assertEquals, assertThrows } from "@std/assert";
import { type FormatName, formatNames, GatewayError } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { longBodies } from "./long_request.ts";

/** Over every pair of formats: only the own format takes state that its vendor holds. */

const user = { role: "user", content: "hi" };
const rows = [
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
] as const;

for (const { from, body, param } of rows) {
  const path = from === "generate-content" ? "/models/m:generateContent" : "";
  const wire = { path, search: {}, headers: {}, body: JSON.parse(JSON.stringify(body)) };
  for (const to of formatNames) {
    Deno.test(`vendor state of ${from} at ${param} in ${to}`, () => {
      const request = codecs[from].decodeRequest(wire);
      assertEquals(codecs[from].envelope(wire).vendorState, request.vendorState);
      if (to === from) return assertEquals(codecs[to].encodeRequest(request).notes, []);
      const error = assertThrows(() => codecs[to].encodeRequest(request), GatewayError);
      assertEquals([error.code, error.param], ["unsupported_parameter", param]);
    });
  }
}

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
  { from: "responses", body: { model: "m", input: [user] } },
];
for (const { from, body } of without) {
  Deno.test(`no vendor state in ${JSON.stringify(body)}`, () => {
    const wire = { path: "", search: {}, headers: {}, body: JSON.parse(JSON.stringify(body)) };
    assertEquals(codecs[from].envelope(wire).vendorState, undefined);
  });
}
