import { noBytes } from "../../bytes.ts";
import type { Note } from "../../canonical/mod.ts";
import type { Codec } from "../../formats/codec.ts";
import type { Framing } from "../../formats/wire.ts";

const text = new TextEncoder();

/** The notes of a streamed answer: a comment before its end, if the stream allows comments. */
export function notesComment(
  notes: readonly Note[],
  bytesMax: number,
  { codec, framing }: { readonly codec: Codec; readonly framing: Framing | object },
): Uint8Array {
  const takesComments = framing === "sse" && codec.takesComments !== false;
  if (notes.length === 0 || !takesComments) return noBytes;
  return text.encode(`: tessera-notes ${notesText(notes, bytesMax)}\n\n`);
}

/**
 * The `tessera-notes` header: losses and changes of the request's conversion, and of a whole
 * answer's. `path action: reason; …`: as many whole notes as fit, then the number of the others.
 */
export function notesText(notes: readonly Note[], bytesMax: number): string {
  const written: string[] = [];
  let length = 0;
  for (const { path, action, reason } of notes) {
    const entry = `${path} ${action}: ${reason}`.replace(/[^\x20-\x7e]/g, "?");
    length += entry.length + 2;
    if (length > bytesMax - 20) break;
    written.push(entry);
  }
  const more = notes.length - written.length;
  return [...written, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
