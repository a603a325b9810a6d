import { type JsonObject, type LateMember, makeLate, type ReadText } from "../../canonical/mod.ts";
import { checkJson, type LongMember } from "./json_check.ts";
import { isShortJson, type JsonBounds, weightMax } from "./json_scan.ts";
import { strictText } from "./read_json.ts";

/** A shorter body is parsed in less time than it takes to leave something out. */
const bytesMin = 4 * 1024;

/**
 * Reads a JSON object whose long members, such as the conversation, are parsed when they are first
 * read: most requests pass without that. Undefined if the object is too short or too long for it, if
 * it repeats members, and if `JSON.parse` must say what is wrong with it. Throws a `TypeError` if it
 * is not valid UTF-8.
 */
export function lateObject(bytes: Uint8Array, bounds: JsonBounds): ReadText | undefined {
  const { length } = bytes;
  const checked = length < bytesMin || length > weightMax ? undefined : checkJson(bytes, bounds);
  if (!checked || checked.long.length === 0 || !isShortJson({ ...checked, length })) {
    return undefined;
  }
  const text = strictText(bytes);
  const body: JsonObject = JSON.parse(withoutLong(bytes, checked.long));
  if (Object.keys(body).length !== checked.topMembers) return undefined;
  makeLate(body, checked.long.map((member) => lateMember(bytes, member)));
  return { text, bytes: bytes as Uint8Array<ArrayBuffer>, body, repeats: false }; // sound: never a shared buffer
}

/** The text with a short value in place of each long one. */
function withoutLong(bytes: Uint8Array, long: readonly LongMember[]): string {
  let text = "";
  let at = 0;
  for (const { start, end } of long) {
    text += `${decoder.decode(bytes.subarray(at, start))}0`;
    at = end;
  }
  return text + decoder.decode(bytes.subarray(at));
}

function lateMember(bytes: Uint8Array, member: LongMember): LateMember {
  const { keyStart, keyEnd, start, end, hasOnlyObjects } = member;
  const name = JSON.parse(decoder.decode(bytes.subarray(keyStart, keyEnd)));
  return { name, bytes: bytes.subarray(start, end), hasOnlyObjects };
}

const decoder = new TextDecoder();
