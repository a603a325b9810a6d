import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  type FormatName,
  formatNames,
  GatewayError,
  type JsonObject,
  repairTurns,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import type { WireRequest } from "../../../lib/formats/wire.ts";
import { newFields } from "./fields.ts";

/** Every request field since the summer of 2026: kept in its own format, never lost elsewhere without a note. */

const models = {
  "chat-completions": "gpt-6-luna",
  responses: "gpt-6-luna",
  messages: "claude-opus-5",
  "generate-content": "gemini-4-argon",
} as const satisfies Record<FormatName, string>;

/** A request converted to a format: its body and notes, or the code of its refusal. */
function sent(wire: WireRequest, from: FormatName, to: FormatName): string {
  try {
    const { request, notes } = repairTurns(codecs[from].decodeRequest(wire));
    const upstream: CanonicalRequest = { ...request, model: models[to] };
    const encoded = encodeAtOnce(codecs[to], upstream);
    return JSON.stringify([encoded.wire.body, [...notes, ...encoded.notes]]);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    assertEquals(error.status, 400, error.message);
    return error.code;
  }
}

function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

for (const { name, format, plain, wire, isSilent = () => undefined } of newFields) {
  Deno.test(`${format} ${name} goes back to its own format as it came`, () => {
    const again = encodeAtOnce(codecs[format], codecs[format].decodeRequest(wire));
    assertEquals(again.notes, []);
    const membersOf = ({ body }: WireRequest): JsonObject => body;
    const added = Object.entries(membersOf(wire)).filter(([member, value]) =>
      JSON.stringify(value) !== JSON.stringify(membersOf(plain)[member])
    );
    assert(added.length > 0, "the body has no new member");
    for (const [member, value] of added) {
      assertEquals(normal(again.wire.body[member]), normal(value), member);
    }
  });

  for (const to of formatNames.filter((other) => other !== format)) {
    const reason = isSilent(to);
    const says = reason === undefined ? "is not lost in silence" : `is no loss: ${reason}`;
    Deno.test(`${format} ${name} on the way to ${to} ${says}`, () => {
      const isTold = sent(wire, format, to) !== sent(plain, format, to);
      if (reason === undefined) assert(isTold, "neither body nor notes tell of it");
      else assert(!isTold, "it is told of after all: take the reason out");
    });
  }
}
