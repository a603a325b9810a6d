import { assertEquals } from "@std/assert";
import { type FormatName, formatNames, repairTurns } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Only the messages format accepts citations in every text of a request: elsewhere each is noted. */

const citations = [{
  type: "web_search_result_location",
  url: "https://example.com/tides",
  title: "Tides",
  cited_text: "Twice a day.",
  encrypted_index: "Eo8",
}];
const cited = (text: string) => ({ type: "text", text, citations });

const body = {
  model: "claude-opus-5",
  max_tokens: 99,
  system: [cited("Know the tides.")],
  messages: [
    { role: "user", content: [cited("They rise twice a day, I read.")] },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "look", input: {} }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: [cited("They do.")] },
        { type: "text", text: "So?" },
      ],
    },
    { role: "system", content: [cited("Be brief.")] },
  ],
  tools: [{ name: "look", input_schema: { type: "object" } }],
};

const places = [
  "instructions[0].citations",
  "turns[0].parts[0].citations",
  "turns[2].parts[0].parts[0].citations",
  "turns[3].parts[0].citations",
];

const models: Readonly<Record<FormatName, string>> = {
  "chat-completions": "gpt-5.6",
  responses: "gpt-5.6",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro",
};

for (const to of formatNames) {
  Deno.test(`citations of users, tools and system messages in a request to ${to}`, () => {
    const wire = { path: "/v1/messages", search: {}, headers: {}, body };
    const { request } = repairTurns(codecs.messages.decodeRequest(wire));
    const { notes, wire: sent } = encodeAtOnce(codecs[to], { ...request, model: models[to] });
    const noted = notes.filter(({ path }) => path.endsWith("citations"));
    assertEquals(noted.map(({ path }) => path).sort(), to === "messages" ? [] : places);
    assertEquals(JSON.stringify(sent.body).includes("Twice a day."), to === "messages");
  });
}
