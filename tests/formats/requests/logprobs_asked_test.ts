import { assertEquals } from "@std/assert";
import { type FormatName, type JsonObject } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { objectOf } from "../../../lib/formats/wire_value.ts";
import { wireOf } from "../recorded_wire.ts";

/** Requests for log probabilities, in the words of each format. */

const include = ["reasoning.encrypted_content", "message.output_text.logprobs"];
const sealed = ["reasoning.encrypted_content"];

interface Case {
  readonly name: string;
  readonly from: FormatName;
  readonly body: JsonObject;
  readonly model?: string;
  readonly chat?: JsonObject;
  readonly responses?: JsonObject;
  readonly content?: JsonObject;
  readonly note?: true;
}

const input = { model: "m", input: "Hi" };
const messages = { model: "m", messages: [{ role: "user", content: "Hi" }] };

const cases: readonly Case[] = [
  {
    name: "with alternatives",
    from: "chat-completions",
    body: { ...messages, logprobs: true, top_logprobs: 3 },
    responses: { top_logprobs: 3, include },
    content: { responseLogprobs: true, logprobs: 3 },
  },
  {
    name: "without alternatives",
    from: "chat-completions",
    body: { ...messages, logprobs: true },
    responses: { include },
    content: { responseLogprobs: true },
  },
  {
    name: "not at all",
    from: "chat-completions",
    body: { ...messages, logprobs: false },
    responses: { include: sealed },
    content: {},
  },
  {
    name: "with include",
    from: "responses",
    body: { ...input, top_logprobs: 2, include: ["message.output_text.logprobs"] },
    chat: { logprobs: true, top_logprobs: 2 },
    content: { responseLogprobs: true, logprobs: 2 },
  },
  {
    name: "a count alone, which the vendor does not answer",
    from: "responses",
    body: { ...input, top_logprobs: 2 },
    chat: {},
    content: {},
  },
  {
    name: "of a model that refuses them while it thinks",
    from: "chat-completions",
    body: { ...messages, logprobs: true, top_logprobs: 3 },
    model: "gpt-5",
    responses: { include: sealed },
    note: true,
  },
  {
    name: "of a model that refuses them while it thinks, through chat completions",
    from: "responses",
    body: { ...input, top_logprobs: 2, include: ["message.output_text.logprobs"] },
    model: "gpt-5",
    chat: {},
    note: true,
  },
];

for (const { name, from, body, model = "m", chat, responses, content, note } of cases) {
  Deno.test(`log probabilities that a caller of ${from} requests: ${name}`, () => {
    const encoded = (to: FormatName) => {
      const request = codecs[from].decodeRequest(wireOf[from](body, model));
      const { wire, notes } = encodeAtOnce(codecs[to], { ...request, model });
      assertEquals(notes.some(({ path }) => path === "sampling.logprobs"), note === true);
      return JSON.parse(JSON.stringify(wire.body));
    };
    if (chat) assertEquals(only(encoded("chat-completions"), "logprobs", "top_logprobs"), chat);
    if (responses) assertEquals(only(encoded("responses"), "include", "top_logprobs"), responses);
    if (content) {
      const { generationConfig } = encoded("generate-content");
      assertEquals(only(objectOf(generationConfig), "responseLogprobs", "logprobs"), content);
    }
  });
}

function only(body: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}
