import { type Ending, type FinishReason, GatewayError } from "../../../canonical/mod.ts";
import { invalidAnswer, truncatedAnswer } from "../../error.ts";
import type { AnswerState, CandidateState } from "./state.ts";
import { mark } from "../native.ts";

/** How the vendor's reasons read elsewhere; whatever is not here, new reasons too, is a plain stop. */
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
  ].map((reason) => [reason, "content-filter"] as const),
]);

/** The model broke off: nothing that it had not said before can be used. */
const failures: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "MALFORMED_RESPONSE",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "MISSING_THOUGHT_SIGNATURE",
]);

/** The vendor says `STOP` for calls too: only the parts tell. */
function decodeFinishReason(reason: string, hasCalls: boolean): FinishReason {
  const decoded = canonicalReason.get(reason) ?? "stop";
  return decoded === "stop" && hasCalls ? "tool-calls" : decoded;
}

function isFailure(reason: string): boolean {
  return failures.has(reason);
}

/** Never one of `failures`: the vendor's own agent answers those with a retry. */
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

/** Why what came is no whole answer; undefined where it is one. */
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
    isFailure(finishReason) && !hasOutput
  );
  return broken && new GatewayError(
    "upstream_invalid_response",
    `The upstream's model broke off its answer: ${broken.finishReason}`,
  );
}

export function endingOf(candidate: CandidateState): Ending {
  const { finishReason: wire = "STOP", calls, native } = candidate;
  const finishReason = decodeFinishReason(wire, calls > 0);
  return {
    finishReason,
    ...mark({ ...native, ...(wireReason[finishReason] !== wire && { finishReason: wire }) }),
  };
}
