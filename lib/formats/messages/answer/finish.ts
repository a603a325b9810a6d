import type {
  Ending,
  FinishReason,
  JsonObject,
  Part,
  RefusalPart,
} from "../../../canonical/mod.ts";
import { objectOf, textOf, textOrNothing } from "../../wire_value.ts";
import { keep, mark, ownFields } from "../native.ts";

const stopReasonOf = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  "tool-calls": "tool_use",
  length: "max_tokens",
  "context-full": "model_context_window_exceeded",
  "content-filter": "refusal",
  refusal: "refusal",
  pause: "pause_turn",
  compaction: "compaction",
} as const satisfies Record<FinishReason, string>;

const finishReasonOf = new Map<unknown, FinishReason>([
  ["end_turn", "stop"],
  ["stop_sequence", "stop-sequence"],
  ["tool_use", "tool-calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "context-full"],
  ["refusal", "content-filter"],
  ["pause_turn", "pause"],
  ["compaction", "compaction"],
]);

/** The canonical reason of a wire's word; unknown words are a plain stop. */
export function reasonOfWord(word: string): FinishReason {
  return finishReasonOf.get(word) ?? "stop";
}

/** The ending of a message, from the message itself or from the `delta` of its `message_delta`. */
export function decodeEnding(message: JsonObject, calls: boolean): Ending {
  const { stop_reason: wire, stop_details: details } = message;
  const known = finishReasonOf.get(wire);
  const stopSequence = textOrNothing(message.stop_sequence);
  return {
    finishReason: calls && (known ?? "stop") === "stop" ? "tool-calls" : known ?? "stop",
    ...(stopSequence !== undefined && { stopSequence }),
    ...keep({
      ...(details !== null && details !== undefined && { stop_details: details }),
      ...(known === undefined && typeof wire === "string" && { stop_reason: wire }),
    }),
  };
}

/** Properties of an answer's blocks that affect its ending. */
interface Contents {
  readonly calls: boolean;
  readonly refusal: boolean;
}

/** `stop_reason` and its details. An answer with tool calls must say so, or agents stop. */
export function encodeEnding(ending: Ending, contents: Contents): JsonObject {
  const own = ownFields(ending);
  const reason = own?.stop_reason ?? stopReason(ending, contents);
  const details = own?.stop_details ??
    (reason === "refusal" && !own
      ? { type: "refusal", category: null, explanation: null }
      : undefined);
  return {
    stop_reason: reason,
    stop_sequence: ending.stopSequence ?? null,
    ...(details !== undefined && { stop_details: details }),
  };
}

function stopReason({ finishReason, stopSequence }: Ending, { calls, refusal }: Contents): string {
  const plain = finishReason === "stop-sequence" && stopSequence === undefined
    ? "stop"
    : finishReason;
  if (plain === "stop" && calls) return stopReasonOf["tool-calls"];
  if (plain === "stop" && refusal) return stopReasonOf.refusal;
  if (plain === "tool-calls" && !calls) return stopReasonOf.stop;
  return stopReasonOf[plain];
}

/**
 * The vendor's explanation of a refusal, as text that every format can carry. This format keeps it
 * in `stop_details`.
 */
export function explanationOf(message: JsonObject): RefusalPart | undefined {
  const text = textOf(objectOf(message.stop_details).explanation);
  if (message.stop_reason !== "refusal" || text === "") return undefined;
  return { type: "refusal", text, ...mark({ stop_details: true }) };
}

export function isExplanation(part: Part): boolean {
  return part.type === "refusal" && ownFields(part)?.stop_details === true;
}
