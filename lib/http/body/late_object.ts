import {
  type JsonObject,
  type LateMember,
  makeLate,
  type ReadText,
  strictText,
} from "../../canonical/mod.ts";
import { type CheckedJson, checkJson, type LongMember } from "./json_check.ts";
import { atOnceMax, isShortJson, type JsonBounds } from "./json_scan.ts";

/** A shorter body is parsed in less time than it takes to leave something out. */
const bytesMin = 4 * 1024;

/**
 * Reads a JSON object whose long members, such as the conversation, are parsed when they are first
 * read: most requests pass without that. Undefined if the object is short, without long members, too
 * long or complex to be parsed at once, if it repeats members, and if `JSON.parse` must say what is
 * wrong with it. Throws a `TypeError` if it is not valid UTF-8.
 */
export function lateObject(bytes: Uint8Array, bounds: JsonBounds): ReadText | undefined {
  const { length } = bytes;
  const checked = length < bytesMin || length > atOnceMax ? undefined : checkJson(bytes, bounds);
  return checked && isWorthIt(bytes, checked) ? lateOf(bytes, checked) : undefined;
}

/** Returns true if something may be left out, and if all of it may be parsed at once. */
function isWorthIt({ length }: Uint8Array, { long, ...parts }: CheckedJson): boolean {
  return long.length > 0 && isShortJson({ length, ...parts });
}

function lateOf(bytes: Uint8Array, { long, topMembers }: CheckedJson): ReadText | undefined {
  const text = strictText(bytes);
  const body: JsonObject = JSON.parse(withoutLong(bytes, long));
  if (Object.keys(body).length !== topMembers) return undefined;
  makeLate(body, long.map((member) => lateMember({ bytes, text }, member)));
  return { text, bytes: bytes as Uint8Array<ArrayBuffer>, body, repeats: false }; // sound: never a shared buffer
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

interface Whole {
  readonly bytes: Uint8Array;
  readonly text: string;
}

function lateMember(
  { bytes: all, text }: Whole,
  { keyStart, keyEnd, start, end, hasOnlyObjects }: LongMember,
): LateMember {
  const bytes = all.subarray(start, end);
  const isAscii = text.length === all.length;
  return {
    name: JSON.parse(strictText(all.subarray(keyStart, keyEnd))),
    bytes,
    text: isAscii ? () => text.slice(start, end) : () => strictText(bytes),
    hasOnlyObjects,
  };
}
