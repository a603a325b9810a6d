import { assert, assertEquals } from "@std/assert";
import { webhookFormats } from "../../lib/store/webhooks/mod.ts";
import { bodyIn } from "../../lib/webhooks/chat_format.ts";

const message = "The key <!channel> @everyone a&b has 85% of its budget";
const event = JSON.stringify({
  type: "budget.threshold_reached",
  timestamp: "2026-11-30T12:00:00.000Z",
  data: { id: "alert_1", message, owner: { type: "key", id: "key_1", name: "x" } },
});
const url = "https://ai.example.com/console/token/key_1";

function body(format: typeof webhookFormats[number], publicUrl?: string) {
  return JSON.parse(bodyIn(format, event, publicUrl));
}

Deno.test("chat formats: each is the message of its chat, with a link and without mentions", () => {
  const origin = "https://ai.example.com";
  const escaped = "The key &lt;!channel&gt; @everyone a&amp;b has 85% of its budget";
  const slack = { text: `${escaped}\n<${url}|Open in Tessera>` };
  assertEquals(body("slack", origin), slack);
  assertEquals(body("google-chat", origin), slack);
  const plain = "The key \\<!channel\\> @everyone a&b has 85% of its budget";
  assertEquals(body("discord", origin), {
    content: `${plain}\n${url}`,
    allowed_mentions: { parse: [] },
  });
  const [card] = body("teams", origin).attachments;
  assertEquals(card.contentType, "application/vnd.microsoft.card.adaptive");
  assertEquals(card.content.body, [{ type: "TextBlock", text: plain, wrap: true }]);
  assertEquals(card.content.actions, [{ type: "Action.OpenUrl", title: "Open in Tessera", url }]);
});

Deno.test("chat formats: no link without the public address, and no text too long for a chat", () => {
  assertEquals(body("discord").content.includes(url), false);
  assertEquals(body("event"), JSON.parse(event));
  const long = JSON.stringify({ type: "test", data: { id: "t", message: "x".repeat(9_000) } });
  for (const format of webhookFormats.slice(1)) {
    assert(bodyIn(format, long, undefined).length < 2_500);
  }
  const marks = JSON.stringify({ type: "test", data: { id: "t", message: "*".repeat(9_000) } });
  assert(JSON.parse(bodyIn("discord", marks, undefined)).content.length < 2_000);
});

Deno.test("chat formats: a name is no link and no emphasis in a chat that reads Markdown", () => {
  const message = "The key [Sign in](https://evil.example.net) __x__ expired";
  const written = JSON.stringify({ type: "test", data: { id: "t", message } });
  const expected = "The key \\[Sign in\\]\\(https://evil.example.net\\) \\_\\_x\\_\\_ expired";
  assertEquals(JSON.parse(bodyIn("discord", written, undefined)).content, expected);
  const [card] = JSON.parse(bodyIn("teams", written, undefined)).attachments;
  assertEquals(card.content.body[0].text, expected);
});
