import { GrowingBytes } from "../bytes.ts";
import type { Pace } from "../pace.ts";
import type { JsonValue } from "./json.ts";
import { pieceEnd } from "./long_text.ts";
import { atOnceMax } from "./scan.ts";

/** A value of about so many characters of JSON is written at once, in less than a millisecond. */
const lightChars = 128 * 1024;
const scalarChars = 16;

type Written = JsonValue | undefined;

/** Returns true if it takes several milliseconds to write a value as JSON. */
export function isLong(value: JsonValue): boolean {
  return charsIn(value, atOnceMax) >= atOnceMax;
}

/** Returns true if the JSON of a value certainly has more characters: written it is even longer. */
export function isLongerThan(value: Readonly<Record<string, Written>>, max: number): boolean {
  return charsIn(value, max + 1, 1) > max;
}

/**
 * The UTF-8 bytes of `JSON.stringify`, of about this length. Yields to other work if the value is
 * long.
 */
export async function longJson(
  value: JsonValue,
  pace: Pace,
  expected?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const all = new GrowingBytes(expected);
  await new Writer(pace, (piece) => all.push(piece)).write(value);
  return all.bytes() as Uint8Array<ArrayBuffer>; // sound: never a shared buffer
}

/** The same in pieces. */
export async function jsonPieces(value: JsonValue, pace: Pace): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  await new Writer(pace, (piece) => pieces.push(piece)).write(value);
  return pieces;
}

const encoder = new TextEncoder();

class Writer {
  readonly #pace: Pace;
  readonly #take: (piece: Uint8Array) => void;
  /** Short parts, not yet added to the bytes. */
  #text = "";

  constructor(pace: Pace, take: (piece: Uint8Array) => void) {
    this.#pace = pace;
    this.#take = take;
  }

  async write(value: Written): Promise<void> {
    if (charsIn(value, lightChars) < lightChars) this.#add(JSON.stringify(value ?? null));
    else if (typeof value === "string") await this.#writeText(value);
    else if (Array.isArray(value)) await this.#writeItems(value);
    else await this.#writeMembers(Object(value));
    this.#flush();
    await this.#pace.giveWay();
  }

  async #writeText(text: string): Promise<void> {
    this.#add('"');
    for (let at = 0; at < text.length;) {
      const end = pieceEnd(text, at + lightChars);
      this.#add(JSON.stringify(text.slice(at, end)).slice(1, -1));
      this.#flush();
      at = end;
      await this.#pace.giveWay();
    }
    this.#add('"');
  }

  async #writeItems(items: readonly Written[]): Promise<void> {
    let before = "[";
    for (const item of items) {
      this.#add(before);
      await this.#writePart(item);
      before = ",";
    }
    this.#add(items.length === 0 ? "[]" : "]");
  }

  async #writeMembers(object: Readonly<Record<string, Written>>): Promise<void> {
    let before = "{";
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) continue;
      this.#add(`${before}${JSON.stringify(name)}:`);
      await this.#writePart(value);
      before = ",";
    }
    this.#add(before === "{" ? "{}" : "}");
  }

  /** Writes at once what is light, without a promise. */
  #writePart(value: Written): Promise<void> | undefined {
    if (charsIn(value, lightChars) >= lightChars) return this.write(value);
    this.#add(JSON.stringify(value ?? null));
    return this.#pace.giveWay();
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length > lightChars) this.#flush();
  }

  #flush(): void {
    if (this.#text !== "") this.#take(encoder.encode(this.#text));
    this.#text = "";
  }
}

/** About the characters of a value's JSON, counted up to a maximum; `least` is for each value. */
function charsIn(value: Written, max: number, least = scalarChars): number {
  if (typeof value === "string") return value.length + least;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : least;
  let chars = least;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    chars += charsIn(part, max - chars, least);
    if (chars >= max) break;
  }
  return chars;
}
