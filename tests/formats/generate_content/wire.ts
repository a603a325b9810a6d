import type { CanonicalRequest, JsonObject } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { generateContent } from "../../../lib/formats/generate_content/mod.ts";
import type { WireRequest } from "../../../lib/formats/wire.ts";
import { bareRequest } from "../requests/bare_request.ts";

/** Short constructors for the format's wire objects. */

export function post(body: JsonObject, model = "gemini-2.5-flash"): WireRequest {
  return { path: `/models/${model}:generateContent`, search: {}, headers: {}, body };
}

export function decoded(body: JsonObject, model?: string): CanonicalRequest {
  return generateContent.decodeRequest(post(body, model));
}

export function said(...parts: readonly JsonObject[]): JsonObject {
  return { role: "user", parts };
}

export function replied(...parts: readonly JsonObject[]): JsonObject {
  return { role: "model", parts };
}

/** A request from another format's codec. */
export function foreign(fields: Partial<CanonicalRequest>): CanonicalRequest {
  return {
    ...bareRequest,
    model: "gemini-3-pro-preview",
    stream: false,
    turns: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    ...fields,
  };
}

export function encoded(request: CanonicalRequest): {
  readonly body: JsonObject;
  readonly notes: readonly string[];
} {
  const { wire, notes } = encodeAtOnce(generateContent, request);
  const body: JsonObject = JSON.parse(JSON.stringify(wire.body));
  return { body, notes: notes.map(({ path, action }) => `${action} ${path}`) };
}
