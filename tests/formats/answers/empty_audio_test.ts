import { assertEquals } from "@std/assert";
import {
  type CanonicalEvent,
  collect,
  type FormatName,
  formatNames,
  type JsonObject,
  repairTurns,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { words } from "../../e2e/load/sized_body.ts";
import { brief, decodedInChunks, wholeEvents } from "./converted_answer.ts";
import { converted } from "./law.ts";

/** Audio without content, from servers that fill in every member, is no audio (2026-11). */

const big = words(40_000);
const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m" };

function chunk(delta: JsonObject, finish_reason: string | null = null): JsonObject {
  return { ...head, choices: [{ index: 0, delta, finish_reason }] };
}

function whole(audio: JsonObject, content: string | null): JsonObject {
  const message = { role: "assistant", content, refusal: null, audio };
  return { ...head, choices: [{ index: 0, message, finish_reason: "stop", logprobs: null }] };
}

function streamed(audio: JsonObject, content: string): JsonObject[] {
  return [
    chunk({ role: "assistant", content: "", audio }),
    ...(content.match(/.{1,400}/gs) ?? []).map((piece) => chunk({ content: piece, audio })),
    chunk({ audio }, "stop"),
  ];
}

const empties: Readonly<Record<string, JsonObject>> = {
  "without members": {},
  "with empty members": { id: "", data: "", transcript: "", expires_at: 0 },
  "with null members": { id: null, data: null, transcript: null, expires_at: null },
  "with an id alone": { id: "audio_1" },
  "with an id and empty members": { id: "audio_1", data: "", transcript: "", expires_at: 9 },
};

const others = formatNames.filter((name) => name !== "chat-completions");

for (const [name, audio] of Object.entries(empties)) {
  for (
    const [form, wire] of [["whole", whole(audio, big)], [
      "streamed",
      streamed(audio, big),
    ]] as const
  ) {
    Deno.test(`audio ${name} is no medium and needs no note, ${form}`, () => {
      for (const to of others) {
        const { response, notes, sent } = converted({ from: "chat-completions", wire }, to);
        assertEquals(brief(response), [`text: ${big}`]);
        assertEquals(notes, [], to);
        assertEquals(mediaIn(to, sent), [], to);
      }
    });
  }

  Deno.test(`audio ${name} does not hold back the text of a stream`, () => {
    const decoder = codecs["chat-completions"].eventDecoder();
    const events = streamed(audio, big).slice(0, -1).flatMap((one): readonly CanonicalEvent[] =>
      decoder.push({ data: JSON.stringify(one) })
    );
    assertEquals(events.map((one) => one.type === "part-delta" ? one.text : "").join(""), big);
  });

  Deno.test(`audio ${name} of an earlier answer is no medium of the history`, () => {
    const body = {
      model: "m",
      messages: [
        { role: "user", content: "Say it" },
        { role: "assistant", content: "It.", audio },
        { role: "user", content: "Again" },
      ],
    };
    const wire = { path: "/chat/completions", search: {}, headers: {}, body };
    const { request } = repairTurns(codecs["chat-completions"].decodeRequest(wire));
    const kept = request.turns.flatMap(({ parts }) => parts).map(({ type }) => type);
    const isReference = audio.id === "audio_1"; // the vendor keeps what it names
    assertEquals(kept, ["text", "text", ...(isReference ? ["audio"] : []), "text"]);
    if (isReference) return;
    for (const to of others) {
      assertEquals(encodeAtOnce(codecs[to], { ...request, model: models[to] }).notes, [], to);
    }
  });
}

const models: Readonly<Record<FormatName, string>> = {
  "chat-completions": "gpt-5.6",
  responses: "gpt-5.6",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro",
};

Deno.test("audio settings without a member need no note", () => {
  const body = { model: "m", messages: [{ role: "user", content: "Hi" }], audio: {} };
  const wire = { path: "/chat/completions", search: {}, headers: {}, body };
  const request = codecs["chat-completions"].decodeRequest(wire);
  for (const to of others) {
    const { notes } = encodeAtOnce(codecs[to], { ...request, model: models[to] });
    assertEquals(notes, [], to);
  }
});

for (const form of ["whole", "streamed"]) {
  Deno.test(`audio that has only its transcript reaches others as text, ${form}`, () => {
    const audio = { id: "audio_1", data: "", transcript: big, expires_at: 9 };
    const wire = form === "whole" ? whole(audio, null) : [chunk({ audio }), chunk({}, "stop")];
    for (const to of others) {
      const { notes, sent } = converted({ from: "chat-completions", wire }, to);
      assertEquals(mediaIn(to, sent), [], to);
      assertEquals(notes.map(({ path, action }) => `${path} ${action}`), [
        "answer.parts[0] emulated",
      ], to);
      assertEquals(textIn(to, sent).trim(), big.trim(), to);
    }
  });

  Deno.test(`an empty medium of generate-content is no medium and needs no note, ${form}`, () => {
    const inlineData = { mimeType: "audio/L16;rate=24000", data: "" };
    const candidate = {
      content: { role: "model", parts: [{ text: big }, { inlineData }] },
      finishReason: "STOP",
      index: 0,
    };
    const body = { candidates: [candidate], modelVersion: "m", responseId: "r" };
    const wire = form === "whole" ? body : [body];
    for (const to of formatNames.filter((name) => name !== "generate-content")) {
      const { notes, sent } = converted({ from: "generate-content", wire }, to);
      assertEquals([mediaIn(to, sent), notes], [[], []], to);
      assertEquals(textIn(to, sent), big, to);
    }
  });
}

type Sent = ReturnType<typeof converted>["sent"];

/** The canonical parts of what a caller got. */
function partsIn(to: FormatName, sent: Sent) {
  const events = Array.isArray(sent)
    ? decodedInChunks(to, sent.map((one) => ({ data: JSON.stringify(one) })))
    : wholeEvents(to, sent as JsonObject); // sound: an answer's body
  return collect(events).alternatives[0].parts;
}

function mediaIn(to: FormatName, sent: Sent): string[] {
  const media = ["audio", "image", "video", "file"];
  return partsIn(to, sent).map(({ type }) => type).filter((type) => media.includes(type));
}

function textIn(to: FormatName, sent: Sent): string {
  return partsIn(to, sent).map((part) => part.type === "text" ? part.text : "").join("");
}
