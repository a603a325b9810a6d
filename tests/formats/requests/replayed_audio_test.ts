import { assertEquals } from "@std/assert";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import { repairTurns } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** An assistant's audio that a chat caller sends back: only its vendor knows the id. */

const models = {
  responses: "gpt-5.6",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro",
} as const satisfies Partial<Record<FormatName, string>>;
const others = Object.keys(models) as (keyof typeof models)[];

function encoded(said: JsonObject, to: keyof typeof models) {
  const messages = [
    { role: "user", content: "Say it" },
    { role: "assistant", ...said },
    { role: "user", content: "Again" },
  ];
  const wire = {
    path: "/chat/completions",
    search: {},
    headers: {},
    body: { model: "m", messages },
  };
  const { request } = repairTurns(codecs["chat-completions"].decodeRequest(wire));
  const { wire: sent, notes } = encodeAtOnce(codecs[to], { ...request, model: models[to] });
  return {
    text: JSON.stringify(sent.body),
    notes: notes.map(({ path, action }) => `${path} ${action}`),
  };
}

for (const to of others) {
  Deno.test(`audio by id to ${to} is left out with a note`, () => {
    const { text, notes } = encoded({ content: null, audio: { id: "audio_1" } }, to);
    assertEquals(text.includes("audio_1"), false);
    assertEquals(notes, ["turns[1].parts[0] dropped"]);
  });

  Deno.test(`audio by id beside a text to ${to} leaves the text`, () => {
    const { text, notes } = encoded({ content: "It itself", audio: { id: "audio_1" } }, to);
    assertEquals(text.includes("It itself"), true);
    assertEquals(notes, ["turns[1].parts[1] dropped"]);
  });

  Deno.test(`a whole audio message to ${to} becomes its transcript`, () => {
    const audio = { id: "audio_1", data: "AAAA", expires_at: 9, transcript: "It was said" };
    const { text, notes } = encoded({ content: null, audio }, to);
    assertEquals(text.includes("It was said"), true);
    assertEquals(text.includes("audio_1"), false);
    assertEquals(notes, ["turns[1].parts[0] emulated"]);
  });
}

Deno.test("audio by id goes back to its own format as an id alone", () => {
  const audio = { id: "audio_1", data: "AAAA", expires_at: 9, transcript: "It was said" };
  const codec = codecs["chat-completions"];
  const messages = [
    { role: "user", content: "Say it" },
    { role: "assistant", content: null, audio },
  ];
  const wire = {
    path: "/chat/completions",
    search: {},
    headers: {},
    body: { model: "m", messages },
  };
  const { body } = encodeAtOnce(codec, codec.decodeRequest(wire)).wire;
  const [, said] = body.messages as JsonObject[];
  assertEquals(said.audio, { id: "audio_1" });
});
