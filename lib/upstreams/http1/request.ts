import { BoundedMap } from "../../bounded_map.ts";
import { keptByHead } from "../kept_by_head.ts";
import type { Outbound } from "../transport.ts";
import { joinedBytesMax } from "./limits.ts";

const encoder = new TextEncoder();
const noBytes = new Uint8Array();

/** Header fields that this client sets itself, or that would change the framing. */
const ownFields: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The fields that `fetch` sends by itself; but compressed answers are not requested. */
const usualFields: readonly (readonly [string, string])[] = [
  ["accept", "*/*"],
  ["accept-language", "*"],
  ["accept-encoding", "identity"],
  ["user-agent", `Deno/${Deno.version.deno}`],
];

/** The bytes of a request in the pieces in which they are written: one if the body is small. */
export function requestPieces(outbound: Outbound): readonly Uint8Array[] {
  const { method = "POST", body } = outbound;
  const content = typeof body === "string" ? encoder.encode(body) : body ?? noBytes;
  const hasLength = body !== undefined || method === "POST";
  const end = hasLength ? `content-length: ${content.length}\r\n\r\n` : "\r\n";
  return joined(headLines(outbound), end, content);
}

/** The request line and the header fields but for the length of the body. */
const headLines = keptByHead(({ url, method = "POST", headers, body }: Outbound): Uint8Array => {
  const { pathname, search, host } = new URL(url);
  const fields = new Map(usualFields);
  if (body !== undefined) fields.set("content-type", "application/json");
  for (const name in headers) {
    const sent = sentName(name);
    if (!fieldValue.test(headers[name])) {
      throw new TypeError(`Invalid value of the header ${name}`);
    }
    if (sent !== undefined) fields.set(sent, headers[name].trim());
  }
  let lines = `${method} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const [name, value] of fields) lines += `${name}: ${value}\r\n`;
  return bytesOf(lines);
});

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const fieldValue = /^[\t\x20-\xff]*$/;
/** Names as they are sent: empty ones are not. The gateway sends few different names. */
const sentNames = new BoundedMap<string, string>(200);

/**
 * A field's name as it is sent; undefined for a field that is not sent. Throws a `TypeError`, as
 * `fetch` does, for a name that would inject others.
 */
function sentName(name: string): string | undefined {
  const sent = sentNames.getOrInsert(name, () => {
    if (!fieldName.test(name)) throw new TypeError("Invalid header name");
    const lower = name.toLowerCase();
    return ownFields.has(lower) ? "" : lower;
  });
  return sent === "" ? undefined : sent;
}

/** One byte for each character: a field's value may hold characters up to U+00FF. */
function bytesOf(text: string): Uint8Array {
  const bytes = encoder.encode(text);
  return bytes.length === text.length
    ? bytes
    : Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Joins the lines of a head, its ASCII end, and a content that is not long. */
function joined(lines: Uint8Array, end: string, content: Uint8Array): readonly Uint8Array[] {
  const headLength = lines.length + end.length;
  const isLong = content.length > joinedBytesMax;
  const all = new Uint8Array(isLong ? headLength : headLength + content.length);
  all.set(lines);
  encoder.encodeInto(end, all.subarray(lines.length));
  if (isLong) return [all, content];
  all.set(content, headLength);
  return [all];
}
