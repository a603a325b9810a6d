import type { Ending, FinishReason, JsonObject, Part } from "../../../canonical/mod.ts";
import { objectOf } from "../../wire_value.ts";

/** The members of a response object for each finish reason. The format has no specific member for most. */
const finishTable = {
  stop: { status: "completed" },
  "stop-sequence": { status: "completed" },
  "tool-calls": { status: "completed" },
  length: { status: "incomplete", reason: "max_output_tokens" },
  "context-full": { status: "incomplete", reason: "max_output_tokens" },
  "content-filter": { status: "incomplete", reason: "content_filter" },
  refusal: { status: "completed" },
  pause: { status: "completed" },
  compaction: { status: "completed" },
} as const satisfies Record<FinishReason, { status: "completed" | "incomplete"; reason?: string }>;

/** Reasons of `incomplete_details`; `steered` and unknown ones count as a stop. */
const reasonOf = new Map<unknown, FinishReason>([
  ["max_output_tokens", "length"],
  ["max_messages", "length"],
  ["content_filter", "content-filter"],
]);

/** The ending of a response object; it depends on the content, because the format has no finish reasons. */
export function decodeEnding(response: JsonObject, parts: AnswerContents): Ending {
  const incomplete = objectOf(response.incomplete_details).reason;
  if (response.status === "incomplete") {
    return {
      finishReason: reasonOf.get(incomplete) ?? (incomplete === "steered" ? "stop" : "length"),
    };
  }
  if (parts.calls) return { finishReason: "tool-calls" };
  return { finishReason: parts.refusal ? "refusal" : "stop" };
}

/** Properties of an answer's parts that affect its ending. */
export interface AnswerContents {
  calls: boolean;
  refusal: boolean;
}

export function contentsOf(parts: readonly Part[]): AnswerContents {
  return {
    calls: parts.some(({ type }) => type === "tool-call"),
    refusal: parts.some(({ type }) => type === "refusal"),
  };
}

/** A refusal without text is a filtered answer in this format. */
export function encodeFinish(reason: FinishReason, { refusal }: AnswerContents): {
  status: "completed" | "incomplete";
  incomplete_details: JsonObject | null;
} {
  const row: { status: "completed" | "incomplete"; reason?: string } =
    reason === "refusal" && !refusal ? finishTable["content-filter"] : finishTable[reason];
  return { status: row.status, incomplete_details: row.reason ? { reason: row.reason } : null };
}
