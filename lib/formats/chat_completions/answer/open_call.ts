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
  /** Its index among the calls of its alternative. */
  readonly call: number;
  /** True if the arguments must be complete before they can be written. */
  readonly held: boolean;
  /** True if its continuation is sent with its head. */
  readonly proven: boolean;
  text: string;
  /** The number of its tokens that are written. */
  tokens: number;
}

/** The head of a call, with its continuation if that is known: clients look for it there. The arguments follow. */
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
 * Writes `""` for a call without arguments; a late continuation and unknown members come last.
 * Clients require a function in every fragment of a call (@ai-sdk/openai-compatible, 2026-11-21).
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

/** A call that is sent as a whole, with the name and the kind of the caller's own tool. */
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
