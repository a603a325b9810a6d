import type { Note } from "../canonical/mod.ts";
import type { Call } from "../http/call.ts";
import { assertNotesAllowed } from "../http/respond.ts";
import type { CallRecord } from "./call_record.ts";

/** For a call whose answer may be no longer than the money that is left pays for. */
export const limitNote = {
  path: "limits.maxOutputTokens",
  action: "clamped",
  reason:
    "The balance or budget does not pay for a longer answer, so the limit of the answer was lowered",
} as const satisfies Note;

/**
 * The output tokens that the call's reservation pays for, noted for the caller; undefined where it
 * pays for the longest answer. Throws `conversion_lossy` where the caller allows no notes.
 */
export function notedLimit({ request }: Call, record: CallRecord): number | undefined {
  const tokens = record.hold?.outputTokens;
  if (tokens === undefined) return undefined;
  record.notes = [...record.notes, limitNote];
  assertNotesAllowed(request.headers, [limitNote]);
  return tokens;
}
