import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import type { WireRequest } from "../../lib/formats/wire.ts";
import { mediumMembers, mediumTokens } from "../../lib/tokens/media.ts";
import { countRequestTokens, mostInputTokens } from "../../lib/tokens/mod.ts";
import { modelOf, recordedCases, wireOf } from "../formats/recorded_wire.ts";
import { agentRequests } from "../formats/requests/agent_requests.ts";

/** Of a body as its caller sends it, with or without its bytes. */
function mostOf(body: JsonObject, keepsBytes = true): number | undefined {
  const text = JSON.stringify(body);
  const bytes = keepsBytes ? new TextEncoder().encode(text) : undefined;
  return mostInputTokens({ text, bytes, body });
}

function assertEnough(format: FormatName, wire: WireRequest): void {
  const counted = countRequestTokens(codecs[format].decodeRequest(wire));
  for (const keepsBytes of [true, false]) {
    const most = mostOf(wire.body, keepsBytes);
    assert(most === undefined || most >= counted, `${format}: ${most} < ${counted}`);
  }
}

for (const { name, format, wire } of agentRequests) {
  Deno.test(`mostInputTokens of ${name}'s request: at least the tokenizer's count`, () => {
    assertEnough(format, wire);
  });
}

const cases = recordedCases();
const ofRecorded = "mostInputTokens of recorded requests: at least the tokenizer's count";

Deno.test(ofRecorded, { ignore: cases.size === 0 }, () => {
  let known = 0;
  for (const recorded of cases.values()) {
    for (const format of formatNames) {
      const body = recorded[format]?.files.request;
      if (!isJsonObject(body)) continue;
      assertEnough(format, wireOf[format](body, modelOf(format, recorded[format])));
      if (mostOf(body) !== undefined) known++;
    }
  }
  assert(known > 50, `${known}`);
});

Deno.test("mostInputTokens law: no text has more tokens than bytes", () => {
  const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
  fc.assert(fc.property(anyText, (content) => {
    const body = { model: "m", messages: [{ role: "user", content }] };
    assertEnough("chat-completions", { path: "/chat/completions", search: {}, headers: {}, body });
  }));
});

Deno.test("mostInputTokens is unknown for a medium, whatever its name is spelled like", () => {
  const tiny = "UklGRhoAAABXRUJQVlA4TA0AAAAv";
  const bodies = [
    { image_url: { url: "https://example.test/a" } },
    { type: "input_image", file_id: "file_1" },
    { type: "image", source: { type: "base64", media_type: "image/webp", data: tiny } },
    { inlineData: { mimeType: "image/webp", data: tiny } },
    { fileData: { fileUri: "https://example.test/a" } },
    { file: { file_data: tiny } },
    { source: { type: "url", url: "https://example.test/a" } },
  ];
  for (const part of bodies) assertEquals(mostOf({ messages: [part] }), undefined);
  const text = String.raw`{"messages":[{"type":"input_image","image\u005furl":"a"}]}`;
  assertEquals(mostInputTokens({ text, body: JSON.parse(text) }), undefined);
});

/** True if any member of a value, however deep, counts as a medium. */
function holdsMedium(value: JsonValue, ownerName = ""): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsMedium(item, ownerName));
  if (!isJsonObject(value)) return false;
  return Object.keys(value).some((name) =>
    mediumTokens(name, value, ownerName) !== undefined || holdsMedium(value[name] ?? null, name)
  );
}

Deno.test("mostInputTokens law: unknown for every body in which a member counts as a medium", () => {
  const name = fc.constantFrom(...mediumMembers, "file", "input_audio", "source", "mime_type");
  const text = fc.constantFrom("url", "text", "image/png", "https://example.test/a");
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      text,
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.oneof(name, fc.constant("type")), tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  let media = 0;
  fc.assert(
    fc.property(fc.array(value), fc.constantFrom(undefined, 1), (messages, space) => {
      const body = { messages };
      const isMedium = holdsMedium(body);
      if (isMedium) media++;
      const most = mostInputTokens({ text: JSON.stringify(body, null, space), body });
      return !isMedium || most === undefined;
    }),
    { numRuns: 3_000 },
  );
  assert(media > 300, `${media}`);
});

Deno.test("mostInputTokens is known for tools with members that are named like media", () => {
  const string = { type: "string" };
  const properties = { url: string, data: string, file_id: string, file_path: string };
  const tool = { name: "fetch", input_schema: { type: "object", properties, required: ["url"] } };
  const use = { type: "tool_use", id: "a", name: "fetch", input: { url: "https://example.test" } };
  const messages = [{ role: "assistant", content: [use] }];
  assert(mostOf({ tools: [tool], messages }) !== undefined);
});
