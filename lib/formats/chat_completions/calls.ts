import {
  callerToolName,
  type Continuation,
  digest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  openContinuation,
  type Part,
  safeToolCallId,
  type ToolCallIdRule,
  type ToolCallPart,
} from "../../canonical/mod.ts";
import type { EncoderContext } from "../codec.ts";
import { freeTextIn } from "../request/tools.ts";
import { objectOf, objectsOf, textOf, textOrNothing } from "../wire_value.ts";
import { extraMembers, format, keep, mark, ownFields } from "./native.ts";

const deprecatedMembers = new Set(["name", "arguments"]);
const callMembers = new Set(["index", "id", "type", "function", "custom", "extra_content"]);

/**
 * The calls of a message, the deprecated one last; empty calls are left out. `madeId` creates an id
 * for a call without one.
 */
export function decodeCalls(message: JsonObject, madeId: (position: number) => string): Part[] {
  const { tool_calls: wire, function_call: deprecated } = message;
  if (!wire && !deprecated) return [];
  const calls = objectsOf(wire).map((call) => ({ call, said: wireCallOf(call) }))
    .filter(({ said }) => !said || !isSilentCall(said))
    .map(({ call, said }, position) => decodeCall(call, said, () => madeId(position)));
  const { name, arguments: text } = objectOf(deprecated);
  if (typeof name !== "string" || isSilentCall({ name, input: text })) return calls;
  return [...calls, {
    type: "tool-call",
    id: madeId(calls.length),
    name,
    arguments: argumentsOf(text),
    kind: "function",
    ...keep({ type: "function_call", ...extraMembers(objectOf(deprecated), deprecatedMembers) }),
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
export function isSilentCall({ name, input }: Pick<WireCall, "name" | "input">): boolean {
  return textOf(name) === "" && (input === undefined || input === null || input === "");
}

/** A call of a known kind, as the wire states it. */
export interface WireCall {
  readonly kind: ToolCallPart["kind"];
  readonly name: JsonValue | undefined;
  /** The arguments of a function, or the text for a custom tool. */
  readonly input: JsonValue | undefined;
}

/**
 * The call in a wire object; undefined if it is of an unknown kind. `type` decides which of two
 * members is read, because some servers send the other one beside it (2026-11), unless only the
 * other one says anything. `known` is the type that an earlier fragment stated.
 */
export function wireCallOf(wire: JsonObject, known = ""): WireCall | undefined {
  const { name, arguments: input } = objectOf(wire.function);
  const calls: WireCall[] = [
    { kind: "function", name, input },
    { kind: "custom", name: objectOf(wire.custom).name, input: objectOf(wire.custom).input },
  ];
  const type = textOf(wire.type) || known;
  if (type === "custom") calls.reverse();
  const isKnown = type === "function" || type === "custom" || isJsonObject(wire.function) ||
    isJsonObject(wire.custom);
  return calls.find((call) => !isSilentCall(call)) ?? (isKnown ? calls[0] : undefined);
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

function decodeCall(wire: JsonObject, said: WireCall | undefined, madeId: () => string): Part {
  if (!said) return { type: "native", format, value: wire, ...mark({ type: "tool_calls" }) };
  const { kind, name, input } = said;
  return {
    type: "tool-call",
    id: textOf(wire.id) || madeId(),
    name: textOf(name),
    arguments: kind === "custom" ? textOf(input) : argumentsOf(input),
    kind,
    ...decodeSignature(wire),
    ...keep(extraMembers(wire, callMembers)),
  };
}

/** Returns true if the caller declared its tools with the deprecated `functions`. */
export function wantsFunctionCall({ request }: EncoderContext): boolean {
  return request.spelling?.format === format && request.spelling.fields.functions === true;
}

/** Translates an upstream's calls into calls of the caller's tools. */
export interface CallerCalls {
  /** Renames the call to the caller's tool. */
  named(call: ToolCallPart): ToolCallPart;
  /** Returns true if a renamed call is of a custom tool that was sent upstream as a function with one text. */
  isEmulated(call: ToolCallPart): boolean;
  /** Completes a renamed call once its arguments are complete; unwraps the text of an emulated custom tool. */
  whole(call: ToolCallPart): ToolCallPart;
}

export function callerCalls({ request: { tools } }: EncoderContext): CallerCalls {
  const nameOf = callerToolName(tools);
  const custom = new Set(tools.flatMap((tool) => tool.type === "custom" ? [tool.name] : []));
  const isEmulated = (call: ToolCallPart) => call.kind === "function" && custom.has(call.name);
  return {
    named: (call) => ({ ...call, name: nameOf(call.name) }),
    isEmulated,
    whole: (call) =>
      isEmulated(call) ? { ...call, kind: "custom", arguments: freeTextIn(call.arguments) } : call,
  };
}

/** The vendor refuses longer ids with `string_above_max_length`. */
const callIdRule: ToolCallIdRule = { pattern: /^[\x20-\x7e]+$/, charsMax: 40, prefix: "call_" };

export function safeCallId(id: string): string {
  return safeToolCallId(id, callIdRule);
}

/** Creates an id for a call without one: equal for equal answers, distinct within one answer. */
export function madeCallId(answer: string, alternative: number, position: number): string {
  return `call_${digest(`${answer}:${alternative}:${position}`).slice(0, 24)}`;
}
