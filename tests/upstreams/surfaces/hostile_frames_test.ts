import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { crc32 } from "node:zlib";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { sourceOf } from "../../../lib/http/stream/source.ts";
import { FrameReader } from "../../../lib/upstreams/surfaces/event_stream.ts";
import { asServerSentEvents } from "../../../lib/upstreams/surfaces/invoke_stream.ts";
import { chunkFrame, frame, joined, text } from "./frames.ts";

/** Frames that no server of Bedrock sends. */

async function read(bytes: Uint8Array, bytesMax = 1024 * 1024): Promise<string> {
  const source = asServerSentEvents(sourceOf([bytes]), bytesMax);
  let said = "";
  for (let part = await source.read(); part; part = await source.read()) {
    said += new TextDecoder().decode(part);
  }
  return said;
}

/** The beginning of a frame with these lengths, and the checksum that fits. */
function prelude(total: number, headers: number, rest = 64): Uint8Array {
  const bytes = new Uint8Array(12 + rest);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, total);
  view.setUint32(4, headers);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  return bytes;
}

for (
  const [total, headers] of [
    [0, 0],
    [1, 0],
    [15, 0],
    [16, 1],
    [16, 0xffffffff],
    [0xffffffff, 0],
    [0xffffffff, 0xffffffff],
    [24 * 1024 * 1024, 0],
    [40, 25],
  ] as const
) {
  Deno.test(`a frame that says to be ${total} bytes long with ${headers} of headers is refused at once`, () => {
    const error = assertThrows(
      () => new FrameReader().push(prelude(total, headers)),
      GatewayError,
    );
    assertEquals(error.code, "upstream_invalid_response");
  });
}

for (const header of [[255], [0, 7], [3, 97], [1, 97, 7, 255, 255], [1, 97, 6, 0], [1, 97, 77]]) {
  Deno.test(`the headers ${header} are cut, and refused`, () => {
    const good = prelude(16 + header.length, header.length, header.length + 4);
    good.set(header, 12);
    new DataView(good.buffer).setUint32(12 + header.length, crc32(good.subarray(0, -4)));
    const error = assertThrows(() => new FrameReader().push(good), GatewayError);
    assertEquals(error.code, "upstream_invalid_response");
  });
}

const event = { ":message-type": text("event"), ":event-type": text("chunk") };
const exception = (name: string) => ({
  ":message-type": text("exception"),
  ":exception-type": text(name),
});
const encoded = (bytes: string) => new TextEncoder().encode(bytes).toBase64();

for (
  const [name, bytes] of Object.entries({
    "without a type": frame({}, { bytes: "e30=" }),
    "of an unknown type": frame({ ":message-type": text("other") }, { bytes: "e30=" }),
    "without bytes": frame(event, { p: "abc" }),
    "whose bytes are a number": frame(event, { bytes: 7 }),
    "whose bytes are not JSON": frame(event, { bytes: encoded("not json") }),
    "whose bytes are a list": frame(event, { bytes: encoded("[1]") }),
    "whose bytes are not base64": frame(event, { bytes: "§§§§" }),
    "whose payload is empty": frame(event),
    "whose payload is a list": frame(event, [1]),
  })
) {
  Deno.test(`an event ${name} is a damaged stream, never an end`, async () => {
    const error = await assertRejects(() => read(bytes), GatewayError);
    assertEquals(error.code, "upstream_invalid_response");
  });
}

for (const name of ["constructor", "__proto__", "toString", "brandNewException", ""]) {
  for (const payload of [{ message: "Gone" }, "", [1], { message: 7 }, { Message: "Gone" }]) {
    Deno.test(`an exception ${name} with ${JSON.stringify(payload)} is an error of the vendor's format`, async () => {
      const said = await read(frame(exception(name), payload));
      const [, data = ""] = /^event: error\ndata: (.*)\n\n$/.exec(said) ?? [];
      const { type, error } = JSON.parse(data);
      assertEquals([type, error.type, typeof error.message], ["error", "api_error", "string"]);
      assert(error.message !== "");
      const decoder = codecs.messages.eventDecoder();
      const decoded = decoder.push({ event: "error", data });
      assertEquals(decoded.at(-1)?.type, "error");
    });
  }
}

Deno.test("an event's type cannot add a line to the stream", async () => {
  assertEquals(await read(chunkFrame({ type: "a\n\ndata: x" })), "");
  const said = await read(
    frame(event, { bytes: encoded('{"type":"ping",\n"a":"b\\n\\ndata: x"}') }),
  );
  assertEquals(said, 'event: ping\ndata: {"type":"ping","a":"b\\n\\ndata: x"}\n\n');
});

Deno.test("ten thousand tiny frames in one chunk, and byte by byte, are quick", async () => {
  const one = chunkFrame({ type: "ping" });
  const many = joined(Array.from({ length: 10_000 }, () => one));
  const startedMs = performance.now();
  assertEquals((await read(many)).length, 10_000 * 'event: ping\ndata: {"type":"ping"}\n\n'.length);
  const reader = new FrameReader();
  let count = 0;
  const bytes = many.subarray(0, 1_000 * one.length);
  for (let at = 0; at < bytes.length; at++) count += reader.push(bytes.subarray(at, at + 1)).length;
  assertEquals(count, 1_000);
  assert(performance.now() - startedMs < 3_000, `${performance.now() - startedMs} ms`);
});
