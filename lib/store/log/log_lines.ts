import { lenientText } from "../../bytes.ts";

/** Maximum size of a value of lines, a little below the 64 KiB of Deno KV. */
export const linesBytesMax = 60 * 1024;

const encoder = new TextEncoder();
/** Only counts the bytes of lines: encoding into it is faster than any other way to count them. */
const scratch = new Uint8Array(linesBytesMax);
const characterBytesMax = 3;

/** The bytes of a line within a value. */
export function lineBytes(line: string): number {
  const { read, written } = encoder.encodeInto(line, scratch);
  return 1 + (read === line.length ? written : encoder.encode(line).length);
}

/**
 * Packs lines of text into as few values as possible, in order, each starting with the same head. A
 * line that is too long gets a value of its own, which Deno KV rejects.
 */
export function packLines(head: string, lines: readonly string[]): Uint8Array<ArrayBuffer>[] {
  if (surelyFit(head, lines)) return lines.length === 0 ? [] : [packRun(head, lines)];
  return [...runsOfLines(lineBytes(head), lines)].map((run) => packRun(head, run));
}

/** Packs lines that are known to fit into one value. */
export function packRun(head: string, lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return encoder.encode([head, ...lines].join("\n"));
}

/** Removes the last cells of a line's array if they are undefined. */
export function withoutGapAtEnd<Cell>(cells: Cell[]): readonly Cell[] {
  let { length } = cells;
  while (length > 0 && cells[length - 1] === undefined) length--;
  cells.length = length;
  return cells;
}

/** Returns true if the lines certainly fit into one value, without counting every byte. */
function surelyFit(head: string, lines: readonly string[]): boolean {
  let characters = head.length;
  for (const line of lines) characters += 1 + line.length;
  return characters * characterBytesMax <= linesBytesMax;
}

interface Lines {
  readonly head: string;
  readonly lines: readonly string[];
  /** True if every character takes one byte. */
  readonly ascii: boolean;
}

/** The text of a value of lines. */
export function textOfLines(bytes: Uint8Array): string {
  return lenientText(bytes);
}

export function unpackLines(bytes: Uint8Array, text = textOfLines(bytes)): Lines {
  const [head, ...lines] = text.split("\n");
  return { head, lines, ascii: text.length === bytes.length };
}

function* runsOfLines(headBytes: number, lines: readonly string[]): Generator<readonly string[]> {
  let start = 0;
  let bytes = headBytes;
  for (const [index, line] of lines.entries()) {
    const size = lineBytes(line);
    if (index > start && bytes + size > linesBytesMax) {
      yield lines.slice(start, index);
      [start, bytes] = [index, headBytes];
    }
    bytes += size;
  }
  if (start < lines.length) yield lines.slice(start);
}
