import { clamped } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import type { CallRecord } from "./call_record.ts";

/** The note of a call whose answer is limited to what the remaining money pays for. */
export const limitNote = clamped(
  "limits.maxOutputTokens",
  "The balance or budget does not pay for a longer answer, so the output limit was lowered",
);

/**
 * Notes for the caller that the call's reservation pays for fewer output tokens than requested, and
 * returns their number; undefined if it pays for the longest answer. Throws `conversion_lossy` if the caller allows no notes.
 */
export function noteLimit({ request }: Call, record: CallRecord): number | undefined {
  const tokens = record.hold?.outputTokens;
  if (tokens === undefined) return undefined;
  record.notes = [...record.notes, limitNote];
  assertNotesAllowed(request.headers, [limitNote]);
  return tokens;
}
