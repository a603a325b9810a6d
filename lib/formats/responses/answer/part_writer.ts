import {
  type CanonicalEvent,
  type JsonObject,
  type Part,
  partEvents,
  type PartPatch,
} from "../../../canonical/mod.ts";

/** The part of an item that is open. */
interface OpenPart {
  readonly index: number;
  readonly part: Part;
  /** Which piece of the item it is: a content index; of reasoning, the last piece seen. */
  piece: number;
  text: string;
  readonly annotations: JsonObject[];
  /** The content part as its end states it. */
  content: JsonObject;
}

/** Writes the parts of one item, one open at a time. `parts` counts those of the whole answer. */
export class PartWriter {
  readonly #parts: { count: number };
  open?: OpenPart;
  /** How many parts were opened. */
  emitted = 0;

  constructor(parts: { count: number }) {
    this.#parts = parts;
  }

  whole(part: Part): CanonicalEvent[] {
    this.emitted++;
    return [...partEvents(part, this.#parts.count++)];
  }

  start(part: Part, piece: number): CanonicalEvent[] {
    this.emitted++;
    this.open = {
      index: this.#parts.count++,
      part,
      piece,
      text: "",
      annotations: [],
      content: {},
    };
    return [{ type: "part-start", index: this.open.index, part }];
  }

  delta(text: string): CanonicalEvent[] {
    if (!this.open || text === "") return [];
    this.open.text += text;
    return [{ type: "part-delta", index: this.open.index, text }];
  }

  /** What `whole` has beyond the deltas. Where the two disagree, what was sent stands. */
  tail(whole: string): CanonicalEvent[] {
    const sent = this.open?.text ?? "";
    return whole.length > sent.length && whole.startsWith(sent)
      ? this.delta(whole.slice(sent.length))
      : [];
  }

  end(patch: PartPatch): CanonicalEvent[] {
    const open = this.open;
    if (!open) return [];
    const empty = open.part.type === "tool-call" && open.part.kind === "function" &&
      open.text === "";
    const events = empty ? this.delta("{}") : [];
    this.open = undefined;
    const said = Object.keys(patch).length > 0;
    return [...events, { type: "part-end", index: open.index, ...(said && { patch }) }];
  }
}
