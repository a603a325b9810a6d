import { Buffer, isAscii } from "node:buffer";
import { strictText } from "../bytes.ts";
import { type CheckedJson, checkJson, type LongMember } from "./check.ts";
import type { JsonObject } from "./json.ts";
import { type LateMember, makeLate } from "./late_member.ts";
import { atOnceMax, type JsonBounds } from "./scan.ts";
import { AsciiText, type ReadText } from "./read_text.ts";

/** A shorter body is parsed in less time than it takes to leave something out. */
const bytesMin = 4 * 1024;

/**
 * Reads a JSON object whose long members, such as the conversation, are parsed when they are first
 * read: most requests pass without that. Undefined for a short object, one without long members, one
 * heavier than `weightMax` (bytes, see `jsonWeight`), one that repeats members, and for JSON that
 * `JSON.parse` must refuse. Throws a `TypeError` if it is not valid UTF-8.
 */
export function lateObject(
  bytes: Uint8Array,
  bounds: JsonBounds,
  weightMax = atOnceMax,
): ReadText | undefined {
  if (bytes.length < bytesMin) return undefined;
  const checked = checkJson(bytes, { ...bounds, weightMax });
  if (!checked || checked.long.length === 0) return undefined;
  return lateOf(bytes as Uint8Array<ArrayBuffer>, checked); // sound: never a shared buffer
}

function lateOf(
  bytes: Uint8Array<ArrayBuffer>,
  checked: CheckedJson,
): ReadText | undefined {
  const { long, topMembers } = checked;
  const text = isAscii(bytes) ? undefined : strictText(bytes);
  const body: JsonObject = JSON.parse(withoutLong(bytes, long));
  if (Object.keys(body).length !== topMembers) return undefined;
  // a longer outline would hold more memory than it saves time
  const isMostlyProse = outlineAt(bytes.length, checked.prose) * 2 < bytes.length;
  const prose = isMostlyProse ? checked.prose : [];
  const outline = prose.length === 0 ? undefined : outlineOf(bytes, prose);
  const rest = { body, repeats: false, outline };
  const read = text === undefined ? new AsciiText(bytes, rest) : { text, bytes, ...rest };
  makeLate(body, long.map((member) => lateMember(read, prose, member)));
  return read;
}

/** In Latin-1, in which ASCII is the same: all that is searched for is ASCII. */
function outlineOf(bytes: Uint8Array, prose: readonly number[]): string {
  const outline = Buffer.alloc(outlineAt(bytes.length, prose));
  let [from, length] = [0, 0];
  for (let at = 0; at <= prose.length; at += 2) {
    const part = bytes.subarray(from, prose[at]);
    outline.set(part, length);
    length += part.length;
    from = prose[at + 1];
  }
  return outline.toString("latin1");
}

/** The position in the outline of a position in the bytes. */
function outlineAt(position: number, prose: readonly number[]): number {
  let left = position;
  for (let at = 0; at < prose.length && prose[at] < position; at += 2) {
    left -= prose[at + 1] - prose[at];
  }
  return left;
}

/** The text with a short value in place of each long one. */
function withoutLong(bytes: Uint8Array, long: readonly LongMember[]): string {
  let text = "";
  let at = 0;
  for (const { start, end } of long) {
    text += `${strictText(bytes.subarray(at, start))}0`;
    at = end;
  }
  return text + strictText(bytes.subarray(at));
}

function lateMember(
  read: AsciiText | ReadText & { readonly bytes: Uint8Array },
  prose: readonly number[],
  { keyStart, keyEnd, start, end, hasOnlyObjects }: LongMember,
): LateMember {
  const { bytes: all, outline } = read;
  const bytes = all.subarray(start, end);
  const text = () => read instanceof AsciiText ? read.slice(start, end) : strictText(bytes);
  return {
    name: JSON.parse(strictText(all.subarray(keyStart, keyEnd))),
    bytes,
    text,
    searched: () => outline?.slice(outlineAt(start, prose), outlineAt(end, prose)) ?? text(),
    hasOnlyObjects,
  };
}
