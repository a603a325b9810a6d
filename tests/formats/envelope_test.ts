import { assertEquals, assertNotEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";

const user = (text: string) => ({ role: "user", content: text, parts: [{ text }] });
const assistant = { role: "assistant", content: "Hello" };

function conversation(format: FormatName, body: JsonObject): string | undefined {
  const path = format === "generate-content" ? "/models/m:generateContent" : "/x";
  return codecs[format].envelope({ path, search: {}, headers: {}, body: { model: "m", ...body } })
    .conversation;
}

const turnsName: Readonly<Record<FormatName, string>> = {
  "chat-completions": "messages",
  responses: "input",
  messages: "messages",
  "generate-content": "contents",
};

for (const [format, name] of Object.entries(turnsName) as [FormatName, string][]) { // the table's own keys
  Deno.test(`envelope ${format}: the turns of a conversation have its beginning in common`, () => {
    const first = conversation(format, { [name]: [user("one")] });
    assertEquals(conversation(format, { [name]: [user("one"), assistant, user("two")] }), first);
    assertNotEquals(conversation(format, { [name]: [user("other")] }), first);
  });
  Deno.test(`envelope ${format}: hostile turns name no conversation`, () => {
    for (const turns of [[], [null], [7], [{}]]) {
      assertEquals(conversation(format, { [name]: turns }), undefined);
    }
  });
}

Deno.test("envelope: the caller's own key names the conversation", () => {
  assertEquals(
    conversation("chat-completions", { prompt_cache_key: "k", messages: [user("a")] }),
    "k",
  );
  assertEquals(conversation("responses", { prompt_cache_key: "k", input: "a" }), "k");
  assertEquals(
    conversation("messages", { metadata: { user_id: "session" }, messages: [user("a")] }),
    "session",
  );
});
