import { missesMax, type UsualEvent } from "../../formats/stream.ts";
import type { ServerSentEvent } from "../../formats/wire.ts";
import { stringEnd } from "../../json/mod.ts";
import { lenientText } from "../../bytes.ts";
import type { SseReader } from "./sse.ts";

/** Events that follow each other and differ only in their text. */
interface UsualRun {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Decodes the last event. */
  readonly last: () => ServerSentEvent;
}

const lf = 10;
const nonAscii = /[^\0-\x7f]/;

/** Takes runs of usual events from a stream without making an object for each. */
export class UsualRuns {
  #usual?: UsualEvent;
  /** The fields before the data, and both with the data up to its text. */
  #fields = "";
  #before = "";
  #after = "";
  #misses = 0;
  #count = 0;
  #lastAt = 0;

  /** Takes the events that are like the last sent one from the reader; undefined if there are none. */
  take(reader: SseReader, usual: UsualEvent | undefined): UsualRun | undefined {
    if (!usual || this.#misses > missesMax) return undefined;
    if (usual !== this.#usual) this.#expect(usual);
    this.#count = 0;
    let start = 0;
    const bytes = reader.takeTo((text, at, bytes) => this.#endOf(text, start = at, bytes));
    if (!bytes) return this.#missed();
    this.#misses = 0;
    const dataAt = this.#lastAt - start + this.#fields.length;
    const last = () => eventOfRun(bytes.subarray(dataAt, bytes.length - 2), usual);
    return { bytes, count: this.#count, last };
  }

  #expect(usual: UsualEvent): void {
    this.#usual = usual;
    this.#fields = usual.name === undefined ? "data: " : `event: ${usual.name}\ndata: `;
    this.#before = this.#fields + usual.before;
    this.#after = usual.after;
  }

  #missed(): undefined {
    this.#misses++;
  }

  #endOf(text: string, from: number, bytes: Uint8Array): number {
    const [before, after] = [this.#before, this.#after];
    for (let at = from;;) {
      const start = at + before.length;
      if (text.slice(at, start) !== before) return at;
      const lineEnd = text.indexOf("\n", start);
      const end = lineEnd - after.length;
      if (end < start || text.charCodeAt(lineEnd + 1) !== lf) return at;
      if (text.slice(end, lineEnd) !== after || stringEnd(text, start - 1) !== end + 1) return at;
      this.#add(text.slice(start, end), bytes, start);
      this.#lastAt = at;
      at = lineEnd + 2;
    }
  }

  #add(piece: string, bytes: Uint8Array, start: number): void {
    this.#count++;
    const isText = !nonAscii.test(piece);
    const end = start + piece.length;
    this.#usual?.add(isText ? piece : lenientText(bytes.subarray(start, end)));
  }
}

function eventOfRun(data: Uint8Array, { name }: UsualEvent): ServerSentEvent {
  return { ...name !== undefined && { event: name }, data: lenientText(data) };
}
