import type { Part } from "./content.ts";
import type { CanonicalEvent, CanonicalResponse } from "./answer.ts";
import { eventsOf } from "./fold.ts";

/**
 * Content of an answer that was sent to its caller: the basis of the charge if the upstream states
 * no usage. Cheap to append to; keeps only the beginning of an endless answer, and counts the rest.
 */
export class Delivered {
  /** Visible content: text, refusals, transcripts, names and arguments of calls. */
  readonly answer = new GrowingText();
  /** Visible reasoning. */
  readonly reasoning = new GrowingText();
  #media = 0;

  /** Counts content that is not text, such as an image. */
  addMedium(): void {
    this.#media++;
  }

  /** True once any content was sent. Openings, keep-alives and errors do not count. */
  get begun(): boolean {
    return this.chars > 0 || this.#media > 0;
  }

  /** Characters of all text so far. */
  get chars(): number {
    return this.answer.chars + this.reasoning.chars;
  }
}

/** The content of a whole answer. */
export function deliveredBy(response: CanonicalResponse): Delivered {
  const reader = new DeliveryReader();
  for (const event of eventsOf(response)) reader.push(event);
  reader.sent();
  return reader.delivered;
}

/**
 * Maximum UTF-16 units kept, since the tokenizer does not count longer texts exactly. Further text
 * is only counted.
 */
const charsKeptMax = 512 * 1024;
/** Pieces to collect before they are joined, to limit the memory per piece. */
const piecesMax = 64;

class GrowingText {
  #joined = "";
  #pieces: string[] = [];
  #kept = 0;
  #chars = 0;

  /** Total UTF-16 units added. */
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

  /** The text, or its beginning if it is very long. */
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
 * Follows an answer's events on their way to a caller. Their content counts as delivered once
 * `sent` reports bytes after them, because an encoder may hold text back.
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
