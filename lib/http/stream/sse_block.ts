import { isAscii } from "node:buffer";
import type { ServerSentEvent } from "../../formats/wire.ts";
import { lenientText } from "../../bytes.ts";

const cr = 13;
/** A chunk of this length usually holds many events. */
const longChunkBytes = 4 * 1024;

const asciiDecoder = new TextDecoder();
const byteDecoder = new TextDecoder("windows-1252");

/**
 * The text of blocks within one chunk. Several blocks are decoded at once if every byte is a
 * character, because a decoder's call costs more than a slice.
 */
export class BlockText {
  readonly #bytes: Uint8Array;
  /** These are undefined until they are needed. */
  #knownAscii?: boolean;
  #byByte?: string;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  slice(start: number, end: number): string {
    const bytes = this.#bytes;
    if (start === 0 && end === bytes.length) return lenientText(bytes);
    return this.#isAscii
      ? this.byByte().slice(start, end)
      : lenientText(bytes.subarray(start, end));
  }

  /** Returns true if a CR follows. A text is faster to search than bytes, which pays if most of it is new. */
  hasCr(from: number): boolean {
    const { length } = this.#bytes;
    return length < longChunkBytes || from > length / 2
      ? this.#bytes.indexOf(cr, from) >= 0
      : this.byByte().indexOf("\r", from) >= 0;
  }

  /** A text with a character for each byte, which is the true one only if every byte is ASCII. */
  byByte(): string {
    return this.#byByte ??= (this.#isAscii ? asciiDecoder : byteDecoder).decode(this.#bytes);
  }

  get #isAscii(): boolean {
    return this.#knownAscii ??= isAscii(this.#bytes);
  }
}

export const noText = new BlockText(new Uint8Array(0));

/** The event of a block, from its first line to its blank one; undefined if it has no data. */
export function eventIn(block: string): ServerSentEvent | undefined {
  return plainEventOf(block) ?? eventOf(block);
}

/** The fast path: one `data` line, with or without an `event` line before it, both ending in LF. */
function plainEventOf(block: string): ServerSentEvent | undefined {
  const nameEnd = block.startsWith("event: ") ? block.indexOf("\n") : -1;
  const line = nameEnd + 1;
  const end = block.length - 2;
  const plain = block.startsWith("data: ", line) && block.indexOf("\n", line) === end &&
    block.indexOf("\r") < 0;
  if (!plain || end <= line + 6) return undefined;
  const data = block.slice(line + 6, end);
  return nameEnd < 0 ? { data } : { event: block.slice(7, nameEnd), data };
}

/** Reads a block by the standard's rules, whatever its lines are. */
export function eventOf(block: string): ServerSentEvent | undefined {
  let name: string | undefined;
  let data: string | undefined;
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") continue;
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") name = value;
    else data = data === undefined ? value : `${data}\n${value}`;
  }
  if (data === undefined || data === "") return undefined;
  return name === undefined ? { data } : { event: name, data };
}
