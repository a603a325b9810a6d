import type { Part } from "./content.ts";
import type { CanonicalEvent } from "./event.ts";
import { eventsOf } from "./events_of.ts";
import type { CanonicalResponse } from "./response.ts";

/**
 * What of an answer went out to its caller: what is charged where no upstream says what it was.
 * Cheap to add to; of an endless answer only the beginning is kept, the rest is a number.
 */
export class Delivered {
  /** What the caller reads: text, refusals, transcripts, the names and arguments of calls. */
  readonly answer = new GrowingText();
  /** What the model thought aloud. */
  readonly reasoning = new GrowingText();
  #media = 0;

  /** Content that is no text, such as a picture. */
  addMedium(): void {
    this.#media++;
  }

  /** Whether any content went out. The opening of an answer, its keep-alives and its errors are none. */
  get begun(): boolean {
    return this.chars > 0 || this.#media > 0;
  }

  /** Characters of all text so far; to be asked at any time. */
  get chars(): number {
    return this.answer.chars + this.reasoning.chars;
  }
}

/** All that a whole answer says. */
export function deliveredBy(response: CanonicalResponse): Delivered {
  const reader = new DeliveryReader();
  for (const event of eventsOf(response)) reader.push(event);
  reader.sent();
  return reader.delivered;
}

/** Longer texts are known by their length; as long as what a tokenizer counts exactly. */
const charsKeptMax = 512 * 1024;
/** So many short pieces are joined to a longer one, or they would weigh more than what they say. */
const piecesMax = 64;

/** A text that grows piece by piece. */
export class GrowingText {
  #joined = "";
  #pieces: string[] = [];
  #kept = 0;
  #chars = 0;

  /** All characters that were added. */
  get chars(): number {
    return this.#chars;
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#chars += piece.length;
    if (this.#kept >= charsKeptMax) return;
    this.#kept += piece.length;
    this.#pieces.push(piece);
    if (this.#pieces.length >= piecesMax) this.#join();
  }

  /** The text, or its beginning where it is very long. */
  text(): string {
    this.#join();
    return this.#joined.slice(0, charsKeptMax);
  }

  #join(): void {
    this.#joined += this.#pieces.join("");
    this.#pieces = [];
  }
}

/**
 * Follows an answer's events on their way to a caller. What they say counts as delivered when
 * `sent` says that something went out behind it: an encoder may hold text back.
 */
export class DeliveryReader {
  readonly delivered = new Delivered();
  readonly #reasoning = new Set<number>();
  #waiting: { readonly kind: "answer" | "reasoning" | "medium"; readonly text: string }[] = [];

  push(event: CanonicalEvent): void {
    if (event.type === "part-start") this.#start(event.index, event.part);
    else if (event.type === "part-delta") this.#add(event.index, event.text);
    else if (event.type === "part-end") this.#reasoning.delete(event.index);
  }

  sent(): void {
    if (this.#waiting.length === 0) return;
    for (const { kind, text } of this.#waiting) {
      if (kind === "medium") this.delivered.addMedium();
      else this.delivered[kind].add(text);
    }
    this.#waiting = [];
  }

  #start(index: number, part: Part): void {
    switch (part.type) {
      case "reasoning":
        this.#reasoning.add(index);
        return this.#add(index, part.text);
      case "text":
      case "refusal":
        return this.#add(index, part.text);
      case "tool-call":
        return this.#add(index, part.name + part.arguments);
      case "audio":
        this.#add(index, part.transcript ?? "");
        return this.#addMedium();
      case "image":
      case "video":
      case "file":
      case "tool-result":
      case "native":
        return this.#addMedium();
      default:
        part satisfies never;
    }
  }

  #add(index: number, text: string): void {
    if (text === "") return;
    this.#waiting.push({ kind: this.#reasoning.has(index) ? "reasoning" : "answer", text });
  }

  #addMedium(): void {
    this.#waiting.push({ kind: "medium", text: "" });
  }
}
