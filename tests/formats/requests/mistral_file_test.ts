import { assertEquals } from "@std/assert";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";

/** Mistral states the id of a file beside the part's type (its API reference, 2026-11). */

const codec = codecs["chat-completions"];
const part = { type: "file", file_id: "3fa85f64-5717" };
const body = { model: "m", messages: [{ role: "user", content: [part] }] };
const wire = { path: "/chat/completions", search: {}, headers: {}, body };

Deno.test("a file of Mistral goes back to its format as it came", () => {
  const { wire: sent } = encodeAtOnce(codec, codec.decodeRequest(wire));
  assertEquals(sent.body.messages, body.messages);
});

Deno.test("a file of Mistral is a file by id", () => {
  const [{ parts: [file] }] = codec.decodeRequest(wire).turns;
  assertEquals(file.type === "file" && file.source, {
    type: "file-id",
    id: "3fa85f64-5717",
    format: "chat-completions",
  });
});
