import { AnswerFault } from "./answer_fault.ts";
import { latin1, parseFields } from "./fields.ts";
import { sizeLineBytesMax, trailerBytesMax } from "./limits.ts";

type State =
  | "size"
  | "blank"
  | "extension"
  | "size-end"
  | "payload"
  | "payload-cr"
  | "payload-lf"
  | "trailer";

const CR = 13;
const LF = 10;
const tab = 9;
const space = 32;
const semicolon = 59;
const sizeDigitsMax = 12;

/**
 * Decodes the chunked coding (RFC 9112, 7.1) in place, in pieces cut at any byte. Throws
 * `AnswerFault` for a size line, line end or trailer that is invalid or too long. Trailers are
 * checked and discarded.
 */
export class ChunkedDecoder {
  #state: State = "size";
  #size = 0;
  #digits = 0;
  #lineBytes = 0;
  readonly #trailer: number[] = [];
  /** The index at which the last line of the trailers begins. */
  #trailerLine = 0;
  /** True after the last chunk and its trailers. */
  isEnded = false;
  /** The index after the last byte that belongs to the body. */
  consumed = 0;

  /**
   * Moves the payload of `bytes[from..to]` to `from` and returns its end. `isSingle` stops after one
   * chunk.
   */
  decode(bytes: Uint8Array, from: number, to: number, isSingle: boolean): number {
    let end = from;
    let at = from;
    while (at < to && !this.isEnded) {
      if (isSingle && end > from && this.#state === "size") break;
      if (this.#state !== "payload") {
        this.#readFraming(bytes[at++]);
        continue;
      }
      const count = Math.min(this.#size, to - at);
      if (end !== at) bytes.copyWithin(end, at, at + count);
      end += count;
      at += count;
      this.#size -= count;
      if (this.#size === 0) this.#state = "payload-cr";
    }
    this.consumed = at;
    return end;
  }

  #readFraming(byte: number): void {
    switch (this.#state) {
      case "size":
        return this.#readSize(byte);
      case "blank":
        return this.#endDigits(byte);
      case "extension":
        return this.#readExtension(byte);
      case "size-end":
        return this.#endSize(byte);
      case "payload-cr":
        return this.#expect(byte, CR, "payload-lf");
      case "payload-lf":
        return this.#expect(byte, LF, "size");
      default:
        return this.#readTrailer(byte);
    }
  }

  #readSize(byte: number): void {
    const digit = digitOf(byte);
    if (digit < 0) return this.#endDigits(byte);
    if (++this.#digits > sizeDigitsMax) throw invalid("chunk size");
    this.#size = this.#size * 16 + digit;
  }

  /** After the digits: white space, an extension, or the end of the line. */
  #endDigits(byte: number): void {
    if (this.#digits === 0) throw invalid("chunk size");
    this.#countInLine();
    if (byte === CR) this.#state = "size-end";
    else if (byte === semicolon) this.#state = "extension";
    else if (byte === space || byte === tab) this.#state = "blank";
    else throw invalid("chunk size");
  }

  /** Extensions are ignored. */
  #readExtension(byte: number): void {
    this.#countInLine();
    if (byte === CR) this.#state = "size-end";
    else if (byte < space && byte !== tab) throw invalid("chunk extension");
  }

  #countInLine(): void {
    if (++this.#lineBytes > sizeLineBytesMax) throw invalid("chunk extension");
  }

  #endSize(byte: number): void {
    this.#expect(byte, LF, this.#size === 0 ? "trailer" : "payload");
    this.#digits = 0;
    this.#lineBytes = 0;
  }

  #expect(byte: number, expected: number, next: State): void {
    if (byte !== expected) throw invalid("chunk end");
    this.#state = next;
  }

  /** Collects the trailers until the empty line. */
  #readTrailer(byte: number): void {
    const trailer = this.#trailer;
    if (trailer.push(byte) > trailerBytesMax) throw invalid("trailer");
    const lineBytes = trailer.length - this.#trailerLine;
    if (byte !== LF || trailer.at(-2) !== CR) return;
    this.#trailerLine = trailer.length;
    if (lineBytes > 2) return;
    const lines = latin1(Uint8Array.from(trailer)).split("\r\n");
    parseFields(lines.slice(0, -2), 0);
    this.isEnded = true;
  }
}

function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function invalid(what: string): AnswerFault {
  return new AnswerFault("not-http", `invalid HTTP ${what}`);
}
