import {
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { bareRequest } from "../requests/bare_request.ts";

export const text = (text: string) => ({ type: "text", text }) as const;
export const call = {
  type: "tool-call",
  id: "call_1",
  name: "f",
  arguments: '{"a":1}',
  kind: "function",
} as const;
export const result = {
  type: "tool-result",
  callId: "call_1",
  kind: "function",
  parts: [text("one")],
  isError: false,
} as const;

export function request(more: Partial<CanonicalRequest> = {}): CanonicalRequest {
  return {
    ...bareRequest,
    model: "claude-opus-4-8",
    stream: false,
    turns: [{ role: "user", parts: [text("Hello")] }],
    limits: { maxOutputTokens: 4000 },
    ...more,
  };
}

/** The encoded body, with a summary of the notes. */
export function encode(more: Partial<CanonicalRequest> = {}) {
  const { wire, notes } = encodeAtOnce(messages, request(more));
  return { body: wire.body, notes: notes.map(({ path, action }) => `${path} ${action}`) };
}

export function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function contentAt(body: JsonObject, index: number): readonly JsonObject[] {
  return listOf(listOf(body.messages)[index]?.content);
}
