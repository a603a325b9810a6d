import { assertEquals, assertStringIncludes } from "@std/assert";
import { readableMessages } from "../../lib/admin/readable_content.ts";
import {
  type CanonicalRequest,
  type CanonicalResponse,
  eventsOf,
} from "../../lib/canonical/mod.ts";
import { type Codec, encodeAtOnce } from "../../lib/formats/codec.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { sseText } from "../../lib/http/stream/sse.ts";
import type { RecordedBody } from "../../lib/store/recordings/mod.ts";

const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
const request: CanonicalRequest = {
  model: "m",
  stream: false,
  instructions: [{ type: "text", text: "Be kind" }],
  turns: [{
    role: "user",
    parts: [
      { type: "text", text: "What is the weather?" },
      { type: "image", source: { type: "base64", data: image }, mediaType: "image/png" },
    ],
  }],
  tools: [],
  sampling: {},
  limits: { maxOutputTokens: 100 },
};
const answer: CanonicalResponse = {
  id: "c1",
  model: "m",
  createdAtMs: 1_000,
  alternatives: [{
    finishReason: "tool-calls",
    parts: [
      { type: "text", text: "Let me see what the sky says." },
      { type: "tool-call", id: "t1", name: "look", kind: "function", arguments: '{"at":"sky"}' },
    ],
  }],
};

function body(text: string, contentType = "application/json"): RecordedBody {
  const bytes = new TextEncoder().encode(text);
  return { text: bytes, contentType, bytes: bytes.length };
}

function streamed(codec: Codec): string {
  const context = { requestId: "req_1", model: "m", createdAtMs: 1_000, request };
  const encoder = codec.eventEncoder(context);
  return eventsOf(answer).flatMap((event) => encoder.push(event)).map(sseText).join("");
}

const leftOut = "[1200 bytes of base64 not recorded]";

function read(codec: Codec, of: { request?: RecordedBody; answer?: RecordedBody }) {
  const { wire } = encodeAtOnce(codec, request);
  const asked = of.request ?? body(JSON.stringify(wire.body).replace(image, leftOut));
  return readableMessages({ format: codec.name }, { path: wire.path, ...of, request: asked });
}

for (const codec of Object.values(codecs)) {
  const { name } = codec;
  const context = { requestId: "req_1", model: "m", createdAtMs: 1_000, request };
  const whole = JSON.stringify(codec.encodeResponse(answer, context));

  Deno.test(`readableMessages reads a conversation of ${name}, whole and streamed`, () => {
    const stream = body(streamed(codec), "text/event-stream; charset=utf-8");
    for (const answer of [body(whole), stream]) {
      const messages = read(codec, { answer });
      assertEquals(messages.map(({ from, role }) => `${from} ${role}`), [
        ...["request system", "request user", "answer assistant"],
      ]);
      const said = messages[1].blocks.map(({ type, text }) => [type, text.split(",").at(-1)]);
      assertEquals(said, [["text", "What is the weather?"], ["image", leftOut]]);
      const [text, call] = messages[2].blocks;
      assertEquals(text.text, "Let me see what the sky says.");
      assertEquals([call.type, call.name, JSON.parse(call.text)], ["tool-call", "look", {
        at: "sky",
      }]);
    }
  });

  Deno.test(`readableMessages reads the part of a stream of ${name} that arrived`, () => {
    const text = streamed(codec);
    const end = text.indexOf("\n\n", text.indexOf("says")) + 10;
    const cut = body(text.slice(0, end), "text/event-stream");
    const [last] = read(codec, { answer: cut }).slice(-1);
    assertEquals(last.from, "answer");
    assertStringIncludes(last.blocks[0].text, "Let me see");
  });

  Deno.test(`readableMessages has no messages of ${name} for what cannot be read`, () => {
    for (const text of ["", "{", "[]", '{"error":{}}', "\u0000", whole.slice(0, -9)]) {
      assertEquals(read(codec, { request: body(text), answer: body(text) }), []);
    }
  });
}
