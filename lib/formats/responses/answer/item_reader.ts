import type {
  CanonicalEvent,
  JsonObject,
  Part,
  PartPatch,
  ReasoningPart,
} from "../../../canonical/mod.ts";
import { decodeTokens } from "../../answer/logprobs.ts";
import { countOf, listOf, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { decodeAnnotations, outputRest } from "../content.ts";
import {
  callFields,
  decodeCall,
  decodeOutputItem,
  isCallType,
  messageFields,
  withArguments,
  withFields,
} from "../items.ts";
import { keep } from "../native.ts";
import { pieceSeparator } from "../reasoning.ts";
import { lateTokens, PartWriter } from "./part_writer.ts";

type Read = (reader: ItemReader, wire: JsonObject) => CanonicalEvent[];

/** Reads the events of one item. Deltas may be missing; the finished item supplies the rest. */
export class ItemReader {
  readonly #writer: PartWriter;
  #item: JsonObject = {};
  #type = "";
  /** Number of content parts opened. */
  #pieces = 0;
  /** Kinds of reasoning opened. */
  readonly #thoughts = new Set<string>();
  /** Arguments that arrived before the call's name. */
  #early = "";
  #complete = false;
  #closed = false;

  static readonly #readers: ReadonlyMap<string, Read> = new Map<string, Read>([
    ["response.output_item.added", (reader, wire) => reader.#added(objectOf(wire.item))],
    ["response.output_item.done", (reader, wire) => reader.#done(objectOf(wire.item))],
    ["response.content_part.added", (reader, wire) => reader.#contentAdded(wire)],
    ["response.content_part.done", (reader, wire) => reader.#contentDone(objectOf(wire.part))],
    ["response.output_text.delta", (reader, wire) => reader.#text("output_text", wire)],
    [
      "response.output_text.done",
      (reader, wire) => reader.#textDone("output_text", wire.text, wire),
    ],
    ["response.output_text.annotation.added", (reader, wire) => reader.#annotation(wire)],
    ["response.refusal.delta", (reader, wire) => reader.#text("refusal", wire)],
    ["response.refusal.done", (reader, wire) => reader.#textDone("refusal", wire.refusal, wire)],
    [
      "response.function_call_arguments.delta",
      (reader, wire) => reader.#callDelta(textOf(wire.delta)),
    ],
    [
      "response.function_call_arguments.done",
      (reader, wire) => reader.#callDone(textOf(wire.arguments)),
    ],
    [
      "response.custom_tool_call_input.delta",
      (reader, wire) => reader.#callDelta(textOf(wire.delta)),
    ],
    [
      "response.custom_tool_call_input.done",
      (reader, wire) => reader.#callDone(textOf(wire.input)),
    ],
    [
      "response.reasoning_summary_text.delta",
      (reader, wire) => reader.#thought("summary", countOf(wire.summary_index), textOf(wire.delta)),
    ],
    ["response.reasoning_summary_text.done", (reader) => reader.#thoughtDone()],
    [
      "response.reasoning_text.delta",
      (reader, wire) => reader.#thought("raw", countOf(wire.content_index), textOf(wire.delta)),
    ],
    ["response.reasoning_text.done", (reader) => reader.#thoughtDone()],
  ]);

  /**
   * Returns true if this reader uses events of the type. It ignores progress of hosted tools and
   * unknown types.
   */
  static reads(type: string): boolean {
    return ItemReader.#readers.has(type);
  }

  constructor(parts: { count: number }) {
    this.#writer = new PartWriter(parts);
  }

  /** True if only the item's own end is missing: another item may start. */
  get isComplete(): boolean {
    return this.#complete;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  push(wire: JsonObject): CanonicalEvent[] {
    return ItemReader.#readers.get(textOf(wire.type))?.(this, wire) ?? [];
  }

  /** Ends the item with the data known so far. */
  close(): CanonicalEvent[] {
    if (this.#closed) return [];
    this.#closed = true;
    return this.#writer.emitted === 0 && this.#type !== "message"
      ? this.#wholeItem()
      : this.#writer.end(this.#patch());
  }

  #added(item: JsonObject): CanonicalEvent[] {
    if (this.#type !== "") return []; // a duplicate
    this.#item = item;
    this.#type = textOf(item.type);
    return isCallType(this.#type) && textOf(item.name) !== "" ? this.#openCall(item) : [];
  }

  #openCall(item: JsonObject): CanonicalEvent[] {
    const begun = decodeCall(item, this.#type);
    const events = this.#writer.start({ ...begun, arguments: "" }, 0);
    const text = this.#early ||
      (this.#type === "function_call" ? textOf(item.arguments) : textOf(item.input));
    this.#early = "";
    return [...events, ...this.#writer.delta(text)];
  }

  #callDelta(text: string): CanonicalEvent[] {
    if (this.#writer.open) return this.#writer.delta(text);
    this.#early += text;
    return [];
  }

  #callDone(text: string): CanonicalEvent[] {
    this.#complete = true;
    return this.#writer.open ? this.#writer.tail(text) : [];
  }

  #contentAdded(wire: JsonObject): CanonicalEvent[] {
    const part = objectOf(wire.part);
    if (part.type !== "output_text" && part.type !== "refusal") return [];
    return this.#openContent(part.type, countOf(wire.content_index));
  }

  /** Opens a content part unless it is open, also for an item that was never announced. */
  #openContent(type: "output_text" | "refusal", piece: number): CanonicalEvent[] {
    if (this.#type === "") this.#type = "message";
    const kind = type === "refusal" ? "refusal" : "text";
    if (this.#writer.open?.piece === piece && this.#writer.open.part.type === kind) return [];
    if (piece < this.#pieces) return [];
    this.#complete = false;
    const events = this.#writer.end(this.#patch());
    this.#pieces = piece + 1;
    const part: Part = { type: kind, text: "" };
    return [...events, ...this.#writer.start(withFields(part, messageFields(this.#item)), piece)];
  }

  #text(type: "output_text" | "refusal", wire: JsonObject): CanonicalEvent[] {
    const piece = countOf(wire.content_index);
    const opened = this.#openContent(type, piece);
    return this.#writer.open?.piece === piece
      ? [...opened, ...this.#writer.delta(textOf(wire.delta), decodeTokens(wire.logprobs))]
      : opened;
  }

  #textDone(type: "output_text" | "refusal", text: unknown, wire: JsonObject): CanonicalEvent[] {
    const opened = this.#openContent(type, countOf(wire.content_index));
    this.#complete = true;
    return [...opened, ...this.#writer.tail(textOf(text))];
  }

  /** Keeps the finished content part: its members apart from the text are known now. */
  #contentDone(part: JsonObject): CanonicalEvent[] {
    if (this.#writer.open) this.#writer.open.content = part;
    return [];
  }

  #annotation(wire: JsonObject): CanonicalEvent[] {
    this.#writer.open?.annotations.push(objectOf(wire.annotation));
    return [];
  }

  #thought(visibility: "summary" | "raw", piece: number, text: string): CanonicalEvent[] {
    if (this.#type === "") this.#type = "reasoning";
    const open = this.#writer.open;
    if (open?.part.type === "reasoning" && open.part.visibility === visibility) {
      const separator = pieceSeparator.repeat(Math.min(Math.max(0, piece - open.piece), maxGap));
      open.piece = Math.max(open.piece, piece);
      return this.#writer.delta(separator + text);
    }
    this.#thoughts.add(visibility);
    const part: ReasoningPart = {
      type: "reasoning",
      text: "",
      visibility,
      ...(typeof this.#item.id === "string" && keep({ id: this.#item.id })),
    };
    return [
      ...this.#writer.end({}),
      ...this.#writer.start(part, piece),
      ...this.#writer.delta(text),
    ];
  }

  #thoughtDone(): CanonicalEvent[] {
    this.#complete = true;
    return [];
  }

  /** The finished item: writes the rest of the streamed parts, then parts that were not streamed. */
  #done(item: JsonObject): CanonicalEvent[] {
    this.#closed = true;
    if (this.#type === "") this.#type = textOf(item.type);
    this.#item = { ...item, ...(item.type === undefined && { type: this.#type }) };
    if (this.#type === "message") return this.#messageDone();
    if (this.#type === "reasoning") return this.#reasoningDone();
    if (isCallType(this.#type)) return this.#finishCall();
    return [...this.#writer.end(this.#patch()), ...this.#wholeItem()];
  }

  #messageDone(): CanonicalEvent[] {
    const content = typeof this.#item.content === "string"
      ? [{ type: "output_text", text: this.#item.content }]
      : objectsOf(this.#item.content);
    if (this.#writer.emitted === 0 && !this.#writer.open) return this.#wholeItem();
    const last = this.#writer.open ? content[this.#writer.open.piece] : undefined;
    if (this.#writer.open && last) this.#writer.open.content = last;
    const events = [
      ...this.#writer.tail(textOf(last?.text) || textOf(last?.refusal)),
      ...this.#writer.end(this.#patch()),
    ];
    for (const part of decodeOutputItem({ ...this.#item, content: content.slice(this.#pieces) })) {
      if (part.type === "text" || part.type === "refusal") events.push(...this.#writer.whole(part));
    }
    return events;
  }

  /** The continuation belongs to the last part of the item, as in a whole answer. */
  #reasoningDone(): CanonicalEvent[] {
    const parts = decodeOutputItem(this.#item).filter((part) => part.type === "reasoning");
    const open = this.#writer.open?.part;
    if (open?.type !== "reasoning") {
      return [...this.#writer.end(this.#patch()), ...this.#wholeItem()];
    }
    const same = parts.find(({ visibility }) => visibility === open.visibility);
    const rest = parts.filter(({ visibility, text }) =>
      !this.#thoughts.has(visibility) && text !== ""
    );
    const proof = rest.length > 0 ? same?.continuation : parts.at(-1)?.continuation;
    const native = parts[0]?.native;
    return [
      ...this.#writer.tail(same?.text ?? ""),
      ...this.#writer.end({ ...(proof && { continuation: proof }), ...(native && { native }) }),
      ...rest.flatMap((part) => this.#writer.whole(part)),
    ];
  }

  #finishCall(): CanonicalEvent[] {
    const call = decodeCall(this.#item, this.#type);
    if (!this.#writer.open) return this.#wholeItem();
    return [...this.#writer.tail(call.arguments), ...this.#writer.end(this.#patch())];
  }

  /** Writes the whole item, if nothing of it was streamed. */
  #wholeItem(): CanonicalEvent[] {
    if (this.#type === "" || this.#writer.emitted > 0) return [];
    const item = isCallType(this.#type) && this.#early
      ? withArguments(this.#item, this.#early)
      : this.#item;
    return decodeOutputItem(item).flatMap((part) => this.#writer.whole(part));
  }

  /** The fields known at a part's end: the item's own, and those of the finished content part. */
  #patch(): PartPatch {
    const open = this.#writer.open;
    if (!open) return {};
    if (open.part.type === "tool-call") return keep(callFields(this.#item));
    if (open.part.type === "reasoning") return {};
    const { content } = open;
    const annotations = listOf(content.annotations).length > 0
      ? content.annotations
      : open.annotations;
    const { status, ...fields } = messageFields(this.#item);
    return {
      ...decodeAnnotations(annotations),
      ...(open.part.type === "text" && lateTokens(open.tokens, content)),
      ...keep({
        ...fields,
        ...(this.#closed && status !== undefined && { status }),
        ...outputRest(content),
      }),
    };
  }
}

/** Maximum separators: a hostile index must not create a string of gigabytes. */
const maxGap = 16;
