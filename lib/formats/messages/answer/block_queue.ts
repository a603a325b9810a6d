import {
  type CanonicalEvent,
  isJsonObject,
  type JsonObject,
  type Part,
  type PartPatch,
} from "../../../canonical/mod.ts";
import { parsedSimple } from "../../../json/mod.ts";
import { objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { decodeAnswerBlock, decodeCitations, isNameless } from "../content.ts";
import { issuedProof } from "../thoughts.ts";

/** The state of one stream. The vendor opens one block at a time; other servers open several at once. */
export interface DecoderState {
  started: boolean;
  id: string;
  ended: boolean;
  /** Number of canonical parts opened. */
  parts: number;
  calls: boolean;
  /** Open blocks in the order of their start: the first is being written, the others wait. */
  readonly queue: BlockReader[];
  readonly blocks: Map<number, BlockReader>;
  /** The members of `message_delta` and the usage so far. */
  ending: JsonObject;
  usage: JsonObject;
  /** True while the output's only usage is the placeholder of the start. */
  outputPending: boolean;
}

/** Opens a block that the start of the message contains, such as the call of a program (2026-11). */
export function blockStated(
  state: DecoderState,
  block: JsonObject,
  index: number,
): CanonicalEvent[] {
  const reader = new BlockReader(block, true);
  state.blocks.set(index, reader);
  return enqueued(state, reader);
}

export function blockStarted(state: DecoderState, { index, content_block }: JsonObject) {
  const block = objectOf(content_block);
  const known = state.blocks.get(indexOf(index));
  const goesOn = known?.isSameAs(block) === true;
  const events = statedClosed(state, goesOn ? indexOf(index) : Infinity);
  if (known && goesOn) return [...events, ...known.begin(block)];
  const reader = new BlockReader(block);
  state.blocks.set(indexOf(index), reader);
  return [...events, ...enqueued(state, reader)];
}

/** Closes the blocks of the message's start that precede `before`. */
function statedClosed(state: DecoderState, before: number): CanonicalEvent[] {
  for (const [index, reader] of state.blocks) {
    if (reader.stated && index < before) reader.stop();
  }
  return nextInOrder(state);
}

function enqueued(state: DecoderState, reader: BlockReader): CanonicalEvent[] {
  state.queue.push(reader);
  return state.queue.length === 1 ? reader.open(state.parts++) : [];
}

/** A delta without a block opens one, if the delta says which. */
export function blockGrown(state: DecoderState, { index, delta }: JsonObject): CanonicalEvent[] {
  const wire = objectOf(delta);
  const known = state.blocks.get(indexOf(index));
  const reader = known ?? BlockReader.impliedBy(wire);
  if (!reader) return [];
  if (known) return reader.push(wire);
  state.blocks.set(indexOf(index), reader);
  return [...enqueued(state, reader), ...reader.push(wire)];
}

export function blockStopped(state: DecoderState, { index }: JsonObject): CanonicalEvent[] {
  const reader = state.blocks.get(indexOf(index));
  if (!reader) return [];
  state.blocks.delete(indexOf(index));
  reader.stop();
  return state.queue[0] === reader ? nextInOrder(state) : [];
}

/** Closes the finished blocks at the front and opens the next one. */
export function nextInOrder(state: DecoderState): CanonicalEvent[] {
  const events: CanonicalEvent[] = [];
  while (state.queue[0]?.isStopped) {
    events.push(...closed(state, state.queue[0]));
    state.queue.shift();
    const next = state.queue[0];
    if (next) events.push(...next.open(state.parts++));
  }
  return events;
}

function closed(state: DecoderState, reader: BlockReader): CanonicalEvent[] {
  state.calls ||= reader.isCall;
  return reader.close();
}

function indexOf(value: unknown): number {
  return typeof value === "number" ? value : -1;
}

/**
 * Reads one content block of a stream. Text, thinking and calls grow; all other blocks are complete
 * at their end. Content that arrives before it is the block's turn is kept.
 */
class BlockReader {
  #wire: JsonObject;
  readonly #grows: boolean;
  #index?: number;
  #waiting: string[] = [];
  #chars = 0;
  #json = "";
  #signature: string;
  readonly #citations: JsonObject[];
  #stopped = false;
  readonly stated: boolean;

  /** `stated`: true if the start of the message contains the block. */
  constructor(wire: JsonObject, stated = false) {
    this.#wire = wire;
    this.stated = stated;
    this.#grows = growing.has(wire.type) && !isNameless(wire);
    this.#signature = textOf(wire.signature);
    this.#citations = [...objectsOf(wire.citations)];
    if (!stated) this.#grow(begunText(wire));
  }

  /** The block to which a delta without one belongs; undefined if the delta does not say. */
  static impliedBy({ type }: JsonObject): BlockReader | undefined {
    if (type === "text_delta") return new BlockReader({ type: "text", text: "" });
    if (type !== "thinking_delta") return undefined;
    return new BlockReader({ type: "thinking", thinking: "", signature: "" });
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  get isCall(): boolean {
    return this.#wire.type === "tool_use";
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Returns true if a block that starts at this stated block's index is the same block. */
  isSameAs({ type, id }: JsonObject): boolean {
    return this.stated && !this.#stopped && this.#wire.type === type &&
      textOf(this.#wire.id) === textOf(id);
  }

  /** Starts streaming a stated block: its stated content counts only if the stream leaves it empty. */
  begin(wire: JsonObject): CanonicalEvent[] {
    if (textOf(wire.signature) !== "") this.#signature = textOf(wire.signature);
    return this.#grow(begunText(wire));
  }

  /** Opens the block once it is its turn. */
  open(index: number): CanonicalEvent[] {
    this.#index = index;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (!this.#grows) return [];
    return [
      { type: "part-start", index, part: openedPart(this.#wire) },
      ...waiting.map((text) => ({ type: "part-delta", index, text } as const)),
    ];
  }

  push(delta: JsonObject): CanonicalEvent[] {
    switch (delta.type) {
      case "text_delta":
        return this.#grow(textOf(delta.text));
      case "thinking_delta":
        return this.#grow(textOf(delta.thinking));
      case "input_json_delta":
        return this.#growInput(textOf(delta.partial_json));
      case "signature_delta":
        this.#signature = textOf(delta.signature);
        return [];
      case "citations_delta":
        if (isJsonObject(delta.citation)) this.#citations.push(delta.citation);
        return [];
      default:
        this.#wire = { ...this.#wire, ...restOf(delta, ["type"]) };
        return [];
    }
  }

  close(): CanonicalEvent[] {
    const index = this.#index ?? 0;
    if (!this.#grows) {
      return [{ type: "part-start", index, part: decodeAnswerBlock(this.#whole()) }, {
        type: "part-end",
        index,
      }];
    }
    const last = this.#chars === 0 ? this.#grow(this.#wholeText()) : [];
    const patch = this.#patch();
    return [...last, {
      type: "part-end",
      index,
      ...(Object.keys(patch).length > 0 && { patch }),
    }];
  }

  #grow(text: string): CanonicalEvent[] {
    if (text === "" || !this.#grows) return [];
    this.#chars += text.length;
    if (this.#index !== undefined) return [{ type: "part-delta", index: this.#index, text }];
    this.#waiting.push(text);
    return [];
  }

  #growInput(json: string): CanonicalEvent[] {
    if (this.isCall) return this.#grow(json);
    this.#json += json;
    return [];
  }

  /** A call without arguments sends an empty fragment, or none; some servers send all of them at the start. */
  #wholeText(): string {
    if (!this.isCall) return this.stated ? begunText(this.#wire) : "";
    return isJsonObject(this.#wire.input) ? JSON.stringify(this.#wire.input) : "{}";
  }

  #whole(): JsonObject {
    if (this.#json === "") return this.#wire;
    try {
      return { ...this.#wire, input: parsedSimple(this.#json) };
    } catch {
      return this.#wire;
    }
  }

  #patch(): PartPatch {
    if (this.#wire.type === "text") return decodeCitations(this.#citations, this.#chars);
    const proof = this.#wire.type === "thinking" && this.#signature !== ""
      ? issuedProof(this.#signature)
      : undefined;
    return proof ? { continuation: proof } : {};
  }
}

function begunText({ type, text, thinking }: JsonObject): string {
  return textOf(type === "thinking" ? thinking : text);
}

const growing: ReadonlySet<unknown> = new Set(["text", "thinking", "tool_use"]);

/** The part at its start: empty, without its ending. */
function openedPart(wire: JsonObject): Part {
  const part = decodeAnswerBlock(
    restOf(wire, ["text", "thinking", "signature", "citations", "input"]),
  );
  return part.type === "tool-call" ? { ...part, arguments: "" } : part;
}
