import { AnswerFault } from "./answer_fault.ts";
import { type HeaderFields, latin1, parseFields } from "./fields.ts";

/** The way to find the end of a response's body (RFC 9112, 6.3). */
export type BodyFraming =
  | { readonly type: "length"; readonly bytes: number }
  | { readonly type: "chunked" }
  | { readonly type: "close" };

/** The status line and header fields of a response. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly framing: BodyFraming;
  /** True if the connection may carry another request after the body. */
  readonly isPersistent: boolean;
}

const CR = 13;
const LF = 10;

/** The index after the empty line that ends a head, searched for from `from` on; -1 if absent. */
export function headEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = bytes.indexOf(CR, from); at >= 0 && at + 3 < to; at = bytes.indexOf(CR, at + 1)) {
    if (bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at + 4;
  }
  return -1;
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t -~\x80-\xff]*)?$/;

/** Parses a head, including its final empty line. Throws `AnswerFault` if it is invalid. */
export function parseHead(bytes: Uint8Array): AnswerHead {
  const lines = latin1(bytes.subarray(0, -4)).split("\r\n");
  const parsed = statusLine.exec(lines[0]);
  if (!parsed) throw new AnswerFault("not-http", "invalid HTTP status line");
  const isOld = parsed[1] === "0";
  const status = Number(parsed[2]);
  const headers = parseFields(lines, 1);
  const framing = framingOf(status, headers, isOld);
  const isPersistent = framing.type !== "close" && keepsAlive(headers, isOld);
  return { status, headers, framing, isPersistent };
}

/**
 * Stricter than RFC 9112, 6.3: any doubt about the length is an error, because the rest of one
 * response could be read as the next caller's.
 */
function framingOf(status: number, headers: HeaderFields, isOld: boolean): BodyFraming {
  const coding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  if (coding !== null) {
    if (length !== null) throw ambiguous("transfer-encoding and content-length");
    if (isOld) throw ambiguous("transfer-encoding of HTTP/1.0");
    if (coding.toLowerCase() !== "chunked") throw ambiguous("transfer-encoding");
  }
  if (length !== null && !/^\d{1,15}$/.test(length)) throw ambiguous("content-length");
  if (isBodiless(status)) return { type: "length", bytes: 0 };
  if (coding !== null) return { type: "chunked" };
  return length === null ? { type: "close" } : { type: "length", bytes: Number(length) };
}

function isBodiless(status: number): boolean {
  return status < 200 || status === 204 || status === 304;
}

function ambiguous(what: string): AnswerFault {
  return new AnswerFault("not-http", `invalid HTTP framing: ${what}`);
}

/** HTTP/1.1 keeps a connection unless it says close, HTTP/1.0 only if it says keep-alive. */
function keepsAlive(headers: HeaderFields, isOld: boolean): boolean {
  const connection = headers.get("connection");
  if (connection === null) return !isOld;
  const tokens = connection.toLowerCase().split(",").map((token) => token.trim());
  return !tokens.includes("close") && (!isOld || tokens.includes("keep-alive"));
}
