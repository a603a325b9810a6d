import { assertEquals, assertNotEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";

const user = (text: string) => ({ role: "user", content: text, parts: [{ text }] });
const assistant = { role: "assistant", content: "Hello" };

function conversation(format: FormatName, body: JsonObject): string | undefined {
  const path = format === "generate-content" ? "/models/m:generateContent" : "/x";
  return codecs[format].envelope({ path, search: {}, headers: {}, body: { model: "m", ...body } })
    .conversation?.();
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

interface Bounds {
  readonly maxOutputTokens?: number;
  readonly alternatives: number;
}

const bounded: readonly {
  readonly format: FormatName;
  readonly body: JsonObject;
  readonly bounds: Bounds;
}[] = [
  { format: "chat-completions", body: {}, bounds: { alternatives: 1 } },
  {
    format: "chat-completions",
    body: { max_tokens: 20, n: 3 },
    bounds: { maxOutputTokens: 20, alternatives: 3 },
  },
  {
    format: "chat-completions",
    body: { max_completion_tokens: 10, max_tokens: null, n: null },
    bounds: { maxOutputTokens: 10, alternatives: 1 },
  },
  {
    format: "chat-completions", // an upstream that knows only the older name would take that
    body: { max_completion_tokens: 1, max_tokens: 5000 },
    bounds: { maxOutputTokens: 5000, alternatives: 1 },
  },
  {
    format: "responses",
    body: { max_output_tokens: 30, n: 4 },
    bounds: { maxOutputTokens: 30, alternatives: 1 },
  },
  {
    format: "messages",
    body: { max_tokens: 40 },
    bounds: { maxOutputTokens: 40, alternatives: 1 },
  },
  {
    format: "generate-content",
    body: { generationConfig: { maxOutputTokens: 50, candidateCount: 2 } },
    bounds: { maxOutputTokens: 50, alternatives: 2 },
  },
  {
    format: "generate-content",
    body: { generation_config: { max_output_tokens: "60", candidate_count: 3 } },
    bounds: { maxOutputTokens: 60, alternatives: 3 },
  },
  ...[0, -1, "ten", true, {}, [], NaN].map((wrong) => ({
    format: "chat-completions" as const,
    body: { max_tokens: wrong, n: wrong },
    bounds: { alternatives: 1 },
  })),
  {
    format: "chat-completions",
    body: { max_tokens: 1e300, n: 1e300 },
    bounds: { maxOutputTokens: 1e9, alternatives: 1e6 },
  },
  {
    format: "chat-completions",
    body: { max_tokens: 1.5, n: 1.5 },
    bounds: { maxOutputTokens: 2, alternatives: 2 },
  },
];

for (const { format, body, bounds } of bounded) {
  Deno.test(`envelope ${format}: what ${JSON.stringify(body)} asks for at most`, () => {
    const path = format === "generate-content" ? "/models/m:generateContent" : "/x";
    const whole = { model: "m", [turnsName[format]]: [user("a")], ...body };
    const { maxOutputTokens, alternatives } = codecs[format].envelope({
      path,
      search: {},
      headers: {},
      body: whole,
    });
    assertEquals(
      { alternatives, ...(maxOutputTokens !== undefined && { maxOutputTokens }) },
      bounds,
    );
  });
}
