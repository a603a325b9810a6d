import {
  type Ending,
  type FinishReason,
  GatewayError,
  keepLogprobs,
} from "../../../canonical/mod.ts";
import { invalidAnswer, truncatedAnswer } from "../../error.ts";
import { mark } from "../native.ts";
import type { AnswerState, CandidateState } from "./state.ts";

/** The canonical reason of a vendor's reason; unknown ones are a plain stop. */
const canonicalReason: ReadonlyMap<string, FinishReason> = new Map([
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "length"],
  ...[
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "IMAGE_OTHER",
    "MODEL_ARMOR",
    "ESCALATION",
    "PUP_LIMITED_DISABLED",
  ].map((reason) => [reason, "content-filter"] as const),
]);

/** Reasons that report a failure of the model; only the content before it can be used. */
const failures: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
]);

/** The vendor sends `STOP` for calls, too: only the parts show the difference. */
export function decodeFinishReason(reason: string, hasCalls: boolean): FinishReason {
  const decoded = canonicalReason.get(reason) ?? "stop";
  return decoded === "stop" && hasCalls ? "tool-calls" : decoded;
}

/** Never one of `failures`: the vendor's own agent retries those. */
export const wireReason = {
  stop: "STOP",
  "stop-sequence": "STOP",
  "tool-calls": "STOP",
  length: "MAX_TOKENS",
  "context-full": "MAX_TOKENS",
  "content-filter": "SAFETY",
  refusal: "STOP",
  pause: "STOP",
  compaction: "STOP",
} as const satisfies Record<FinishReason, string>;

/** The failure of an incomplete answer; undefined if it is complete. */
export function failureOf(
  { blocked, whole }: AnswerState,
  candidates: readonly CandidateState[],
): GatewayError | undefined {
  if (candidates.length === 0 && !blocked) {
    return whole ? invalidAnswer("candidates must not be empty") : truncatedAnswer();
  }
  if (!whole && candidates.some(({ finishReason }) => finishReason === undefined)) {
    return truncatedAnswer();
  }
  const broken = candidates.find(({ finishReason = "", hasOutput }) =>
    failures.has(finishReason) && !hasOutput
  );
  return broken && new GatewayError(
    "upstream_invalid_response",
    `The upstream's model stopped early: ${broken.finishReason}`,
  );
}

export function endingOf(candidate: CandidateState): Ending {
  const { finishReason: wire = "STOP", calls, strayTokens, native } = candidate;
  const finishReason = decodeFinishReason(wire, calls > 0);
  return {
    finishReason,
    ...keepLogprobs(strayTokens),
    ...mark({ ...native, ...(wireReason[finishReason] !== wire && { finishReason: wire }) }),
  };
}
