import type { AnswerHeaders } from "../transport.ts";
import { AnswerFault } from "./answer_fault.ts";
import { fieldsMax } from "./limits.ts";

/** Parsed fields: cheaper than `Headers`, which validates and converts every field again. */
export class HeaderFields implements AnswerHeaders {
  readonly #values = new Map<string, string>();

  /** Joins the values of a repeated name (RFC 9110, 5.3), but for empty ones, as `fetch` does. */
  append(name: string, value: string): void {
    const former = this.#values.get(name);
    this.#values.set(name, former ? `${former}, ${value}` : value);
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.#values.entries();
  }
}

/**
 * A field line (RFC 9112, 5): no space before the colon, no folding, no control characters, no bare
 * CR or LF. The value excludes the white space around it.
 */
const fieldLine =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*((?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?)[\t ]*$/;

/** Parses field lines from `lines[from]` on. Throws `AnswerFault` for an invalid line. */
export function parseFields(lines: readonly string[], from: number): HeaderFields {
  if (lines.length - from > fieldsMax) throw new AnswerFault("headers", "too many header fields");
  const fields = new HeaderFields();
  for (let at = from; at < lines.length; at++) {
    const field = fieldLine.exec(lines[at]);
    if (!field) throw new AnswerFault("not-http", "invalid header field");
    fields.append(field[1].toLowerCase(), field[2]);
  }
  return fields;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const latin1Step = 8 * 1024;

/** Decodes each byte to the character of the same number, as header fields are. */
export function latin1(bytes: Uint8Array): string {
  const text = utf8.decode(bytes);
  if (text.length === bytes.length && !text.includes("\ufffd")) return text; // only ASCII
  let exact = "";
  for (let at = 0; at < bytes.length; at += latin1Step) {
    exact += String.fromCharCode(...bytes.subarray(at, at + latin1Step));
  }
  return exact;
}
