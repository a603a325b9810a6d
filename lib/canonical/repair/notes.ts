import { type Note, repaired } from "../note.ts";

/** Every change that the repair of a history can make. */
export const repairNotes = {
  promptEmpty: repaired(
    "turns[i]",
    "The prompt ended in a message without content, so a short user message was added",
  ),
  callId: repaired("turns[i]", "A tool call without its own id got a new one"),
  resultMissing: repaired(
    "turns[i]",
    "A tool call had no result, so a result that reports an interruption was added",
  ),
  resultPending: repaired(
    "turns[i]",
    "The tool call is still running, so a placeholder result says so",
  ),
  resultMoved: repaired("turns[i]", "A tool result was moved directly after its call"),
  resultStray: repaired("turns[i]", "A tool result without its call was sent as the user's text"),
} as const satisfies Record<string, Note>;

/** The note for a turn. */
export function repairNote(id: keyof typeof repairNotes, turnAt: number): Note {
  return { ...repairNotes[id], path: `turns[${turnAt}]` };
}
