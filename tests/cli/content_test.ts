import { assert, assertEquals } from "@std/assert";
import { contentLines, jsonText } from "../../cli/content.ts";

const hostile = "a\u001b[2J\u202eb\u0085c\u{e0001}\nd";

Deno.test("jsonText obeys no text, and is the same JSON", () => {
  const text = jsonText({ text: hostile });
  assert(/^[\x20-\x7e\n]*$/.test(text), text);
  assertEquals(JSON.parse(text), { text: hostile });
});

Deno.test("contentLines prints a conversation, or the texts of one without messages", () => {
  const text = (value: string) => [{ type: "text", name: null, text: value }];
  const call = [{ type: "tool-call", name: "look_up", text: "{}" }];
  const messages = [
    { from: "request", role: "user", blocks: text(hostile) },
    { from: "answer", role: "assistant", blocks: [...text("42"), ...call] },
  ];
  const shown = "a\\u001b[2J\\u202eb\\u0085c\\udb40\\udc01\nd";
  assertEquals(contentLines({ messages, request: null, answer: null }), [
    ...["[user]", shown, "", "[answer]", "42", "(tool-call look_up) {}"],
  ]);
  const bodies = { request: { text: "in" }, answer: { text: "out" } };
  assertEquals(contentLines({ messages: [], ...bodies }), ["in", "out"]);
});
