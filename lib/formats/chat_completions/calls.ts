import {
  type Continuation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  openContinuation,
  type Part,
  type ToolCallPart,
} from "../../canonical/mod.ts";
import { objectOf, objectsOf, textOf, textOrNothing } from "../wire_value.ts";
import { safeCallId } from "./ids.ts";
import { extraMembers, format, keep, mark, ownFields } from "./native.ts";

const callMembers = new Set(["index", "id", "type", "function", "custom", "extra_content"]);

/**
 * The calls of a message, the deprecated one last; empty calls are left out. `madeId` creates an id
 * for a call without one.
 */
export function decodeCalls(message: JsonObject, madeId: (position: number) => string): Part[] {
  const { tool_calls: wire, function_call: deprecated } = message;
  if (!wire && !deprecated) return [];
  const calls = objectsOf(wire).filter((call) => !isEmptyCall(call))
    .map((call, position) => decodeCall(call, () => madeId(position)));
  const { name, arguments: text } = objectOf(deprecated);
  if (typeof name !== "string" || isSilentCall(name, text)) return calls;
  return [...calls, {
    type: "tool-call",
    id: madeId(calls.length),
    name,
    arguments: argumentsOf(text),
    kind: "function",
    ...keep({ type: "function_call" }),
  }];
}

/** `proof` is the opaque continuation of the call, if any. */
export function encodeCall(part: ToolCallPart, name: string, proof?: string): JsonObject {
  const custom = part.kind === "custom";
  return {
    ...ownFields(part),
    id: safeCallId(part.id),
    type: part.kind,
    ...(custom
      ? { custom: { name, input: part.arguments } }
      : { function: { name, arguments: part.arguments || "{}" } }),
    ...encodeSignature(proof),
  };
}

/** Returns true if a call was stated as the deprecated `function_call`. */
export function isFunctionCall(part: ToolCallPart): boolean {
  return ownFields(part)?.type === "function_call";
}

/**
 * The continuation of a call or a text. Google's compatibility endpoint states it here, and so does
 * this gateway for every vendor that signs its calls.
 */
export function decodeSignature(holder: JsonObject): { continuation?: Continuation } {
  if (!holder.extra_content) return {};
  const { thought_signature: signature } = objectOf(objectOf(holder.extra_content).google);
  const proof = textOrNothing(signature);
  const continuation = proof === undefined ? undefined : openContinuation(format, proof);
  return continuation ? { continuation } : {};
}

export function encodeSignature(proof: string | undefined): JsonObject {
  return proof === undefined ? {} : { extra_content: { google: { thought_signature: proof } } };
}

/** True if a call has neither a name nor arguments: some servers fill in every member (2026-11). */
export function isSilentCall(name: unknown, input: unknown): boolean {
  return textOf(name) === "" && (input === undefined || input === null || input === "");
}

function isEmptyCall({ function: called, custom, ...wire }: JsonObject): boolean {
  if (isJsonObject(custom)) return isSilentCall(custom.name, custom.input);
  if (called === undefined && wire.type !== "function") return false; // of an unknown kind
  const { name, arguments: input } = objectOf(called);
  return isSilentCall(name, input);
}

/** Arguments as JSON text: some upstreams send none for a call without arguments, some send an object. */
function argumentsOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value === "" ? "{}" : value;
  return value === undefined || value === null ? "{}" : jsonText(value);
}

export function jsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "{}"; // nested too deeply to be written
  }
}

function decodeCall(wire: JsonObject, madeId: () => string): Part {
  const { function: called, custom } = wire;
  if (custom === undefined && called === undefined) {
    return { type: "native", format, value: wire, ...mark({ type: "tool_calls" }) };
  }
  const { name, arguments: text } = objectOf(called);
  const { name: customName, input } = objectOf(custom);
  const isCustom = custom !== undefined;
  return {
    type: "tool-call",
    id: textOf(wire.id) || madeId(),
    name: textOf(isCustom ? customName : name),
    arguments: isCustom ? textOf(input) : argumentsOf(text),
    kind: isCustom ? "custom" : "function",
    ...decodeSignature(wire),
    ...keep(extraMembers(wire, callMembers)),
  };
}
