import type { Outbound } from "../transport.ts";
import { joinedBytesMax } from "./limits.ts";

const encoder = new TextEncoder();
const noBytes = new Uint8Array();

/** HeaderFields that this client sets itself, or that would change the framing. */
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
const usualFields: Readonly<Record<string, string>> = {
  accept: "*/*",
  "accept-language": "*",
  "accept-encoding": "identity",
  "user-agent": `Deno/${Deno.version.deno}`,
};

const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const fieldValue = /^[\t\x20-\xff]*$/;

/** The bytes of a request in the pieces in which they are written: one if the body is small. */
export function requestPieces(
  { method = "POST", headers, body }: Outbound,
  url: URL,
): readonly Uint8Array[] {
  const content = typeof body === "string" ? encoder.encode(body) : body ?? noBytes;
  const fields = {
    ...usualFields,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`;
  for (const [name, value] of sentFields({ ...fields, ...lowerCased(headers) })) {
    head += `${name}: ${value}\r\n`;
  }
  if (body !== undefined || method === "POST") head += `content-length: ${content.length}\r\n`;
  return joined(bytesOf(`${head}\r\n`), content);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name];
  return lower;
}

/** Throws a `TypeError`, as `fetch` does, for a field that would inject others. */
function* sentFields(fields: Readonly<Record<string, string>>): Generator<[string, string]> {
  for (const name in fields) {
    const value = fields[name];
    if (!fieldName.test(name)) throw new TypeError("Invalid header name");
    if (!fieldValue.test(value)) throw new TypeError(`Invalid value of the header ${name}`);
    if (!ownFields.has(name)) yield [name, value.trim()];
  }
}

/** One byte for each character: a field's value may hold characters up to U+00FF. */
function bytesOf(head: string): Uint8Array {
  const bytes = encoder.encode(head);
  return bytes.length === head.length
    ? bytes
    : Uint8Array.from(head, (character) => character.charCodeAt(0));
}

function joined(head: Uint8Array, content: Uint8Array): readonly Uint8Array[] {
  if (content.length === 0) return [head];
  if (content.length > joinedBytesMax) return [head, content];
  const all = new Uint8Array(head.length + content.length);
  all.set(head);
  all.set(content, head.length);
  return [all];
}
