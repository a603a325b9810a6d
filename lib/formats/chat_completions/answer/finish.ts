import {
  type Ending,
  type FinishReason,
  GatewayError,
  type JsonObject,
  type Part,
} from "../../../canonical/mod.ts";
import { isEmpty, objectOf, textOf } from "../../wire_value.ts";
import { extraMembers, keep } from "../native.ts";

/** The vendor's five reasons, then those seen from other upstreams of this format (2026-11-21). */
const finishReasonOf = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool-calls"],
  ["content_filter", "content-filter"],
  ["function_call", "tool-calls"],
  ["eos", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop-sequence"],
  ["tool_use", "tool-calls"],
  ["max_tokens", "length"],
  ["model_length", "context-full"],
  ["sensitive", "content-filter"],
  ["safety", "content-filter"],
  ["SAFETY", "content-filter"],
  ["refusal", "content-filter"],
]);

/** Reasons that report a failure of the upstream. */
const failures: ReadonlySet<string> = new Set([
  "error",
  "network_error",
  "insufficient_system_resource",
]);

/** The canonical reason of a wire's word; unknown words are a plain stop. */
export function reasonOfWord(word: string): FinishReason {
  return finishReasonOf.get(word) ?? "stop";
}

export function isFailure(reason: string): boolean {
  return failures.has(reason);
}

/** Members of a choice with a canonical home. */
export const choiceMembers = new Set(["index", "message", "delta", "finish_reason", "usage"]);

/**
 * Decodes the ending of a choice. With calls, `stop` becomes `tool-calls`, because some upstreams
 * send `stop` after calls; a filter or a limit is never overridden. An unknown reason becomes
 * `stop`.
 */
export function decodeEnding(
  choice: JsonObject,
  parts: readonly Pick<Part, "type">[],
  message: JsonObject,
): Ending {
  const wire = textOf(choice.finish_reason);
  if (isFailure(wire)) {
    throw new GatewayError(
      "upstream_error",
      "The upstream failed before the response was complete",
    );
  }
  const rest = extraMembers(choice, choiceMembers);
  const matched = wire === "stop" ? textOf(choice.stop_reason) : ""; // vLLM names the sequence here
  const fields = {
    ...rest,
    ...(wire !== "" && !finishReasonOf.has(wire) && { finish_reason: wire }),
    ...(!isEmpty(message) && { message }),
  };
  return {
    finishReason: reasonOf(reasonOfWord(wire), matched, parts),
    ...(matched !== "" && { stopSequence: matched }),
    ...keep(fields),
  };
}

const wireReasonOf = {
  stop: "stop",
  "stop-sequence": "stop",
  "tool-calls": "tool_calls",
  length: "length",
  "context-full": "length",
  "content-filter": "content_filter",
  refusal: "stop",
  pause: "stop",
  compaction: "stop",
} as const satisfies Record<FinishReason, string>;

/** `finish_reason`; a caller that uses the deprecated functions gets their name for a call. */
export function encodeFinishReason(
  reason: FinishReason,
  { calls, deprecated }: { readonly calls: boolean; readonly deprecated: boolean },
): string {
  const wire = wireReasonOf[reason === "stop" && calls ? "tool-calls" : reason];
  return wire === "tool_calls" && deprecated ? "function_call" : wire;
}

/** The native fields of a choice, and the unknown members of its message. */
export function nativeOf({ native }: Ending, own: boolean) {
  const { message, finish_reason: _, ...choice } = own ? native?.fields ?? {} : {};
  return { choice, message: objectOf(message) };
}

function reasonOf(
  reason: FinishReason,
  matched: string,
  parts: readonly Pick<Part, "type">[],
): FinishReason {
  const called = parts.some(({ type }) => type === "tool-call");
  if (reason === "tool-calls") return called ? reason : "stop";
  if (reason !== "stop") return reason;
  if (called) return "tool-calls";
  if (matched !== "") return "stop-sequence";
  return parts.some(({ type }) => type === "refusal") ? "refusal" : "stop";
}
