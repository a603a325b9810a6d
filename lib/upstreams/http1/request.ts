import { BoundedMap } from "../../bounded_map.ts";
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
export function requestPieces(outbound: Outbound, url: URL): readonly Uint8Array[] {
  const { method = "POST", body } = outbound;
  const head = headLines(outbound, url);
  const hasLength = body !== undefined || method === "POST";
  const headed = (length: number) =>
    hasLength ? `${head}content-length: ${length}\r\n\r\n` : `${head}\r\n`;
  if (typeof body === "string" && isShortAscii(body)) {
    return [bytesOf(headed(body.length) + body)]; // of a known length, so encoded in one step
  }
  const content = typeof body === "string" ? encoder.encode(body) : body ?? noBytes;
  return joined(bytesOf(headed(content.length)), content);
}

/** Longer bodies cost more to test than to copy. */
const shortMax = 2_048;
// deno-lint-ignore no-control-regex -- all of ASCII
const ascii = /^[\x00-\x7f]*$/;

function isShortAscii(body: string): boolean {
  return body.length <= shortMax && ascii.test(body);
}

/** The request line and the header fields but for the length of the body. */
function headLines({ method = "POST", headers, body }: Outbound, url: URL): string {
  const fields = new Map(usualFields);
  if (body !== undefined) fields.set("content-type", "application/json");
  for (const name in headers) {
    const sent = sentName(name);
    if (!fieldValue.test(headers[name])) {
      throw new TypeError(`Invalid value of the header ${name}`);
    }
    if (sent !== undefined) fields.set(sent, headers[name].trim());
  }
  let lines = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`;
  for (const [name, value] of fields) lines += `${name}: ${value}\r\n`;
  return lines;
}

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

function joined(head: Uint8Array, content: Uint8Array): readonly Uint8Array[] {
  if (content.length === 0) return [head];
  if (content.length > joinedBytesMax) return [head, content];
  const all = new Uint8Array(head.length + content.length);
  all.set(head);
  all.set(content, head.length);
  return [all];
}
