import type { JsonObject, Part } from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import { isEmpty } from "../../wire_value.ts";
import { type CallerCalls, wantsFunctionCall } from "../caller_calls.ts";
import { encodeCall, encodeSignature } from "../calls.ts";
import { madeCallId } from "../ids.ts";
import { ownFields } from "../native.ts";
import { proofOf } from "./response.ts";

/** A part of a streamed answer that is being written. */
export interface OpenPart {
  readonly part: Part;
  readonly alternative: number;
  /** Its number among the calls of its alternative. */
  readonly call: number;
  /** A call whose arguments must be whole before they can be written. */
  readonly held: boolean;
  /** Whether its proof goes out with its opening. */
  readonly proven: boolean;
  text: string;
}

/** The head of a call, with its proof where that is known: clients look for it there. Its arguments follow. */
export function callOpening(
  { requestId }: EncoderContext,
  { part, alternative, call }: OpenPart,
): JsonObject {
  if (part.type !== "tool-call") return {};
  const id = part.id || madeCallId(requestId, alternative, call);
  const { native: _, ...plain } = part;
  const wire = encodeCall({ ...plain, id, arguments: "" }, part.name, proofOf(part));
  const opening = part.kind === "custom"
    ? wire
    : { ...wire, function: { name: part.name, arguments: "" } };
  return { tool_calls: [{ index: call, ...opening }] };
}

/**
 * A call without arguments has empty ones; a late proof and unknown members come last. Clients want
 * a function in every piece of its call (@ai-sdk/openai-compatible, 2026-11-21).
 */
export function callClosing({ part, call, text, proven }: OpenPart): JsonObject {
  if (part.type !== "tool-call") return {};
  const { type: _, ...rest } = ownFields(part) ?? {};
  const besides = { ...rest, ...(!proven && encodeSignature(proofOf(part))) };
  const nothing = part.kind === "function" && text === "";
  if (isEmpty(besides) && !nothing) return {};
  const called = part.kind === "function" && { function: { arguments: nothing ? "{}" : "" } };
  return { tool_calls: [{ index: call, ...called, ...besides }] };
}

/** A call that goes out as a whole, by the name and in the kind of the caller's own tool. */
export function heldCall(
  { part, alternative, call, text }: OpenPart,
  callers: CallerCalls,
  context: EncoderContext,
): JsonObject {
  if (part.type !== "tool-call") return {};
  const id = part.id || madeCallId(context.requestId, alternative, call);
  const whole = callers.whole({ ...part, id, arguments: text || "{}" });
  if (wantsFunctionCall(context)) {
    return { function_call: { name: whole.name, arguments: whole.arguments } };
  }
  return { tool_calls: [{ index: call, ...encodeCall(whole, whole.name, proofOf(part)) }] };
}
