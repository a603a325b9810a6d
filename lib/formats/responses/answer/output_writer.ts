import type { JsonObject, ReasoningPart, ToolCallPart } from "../../../canonical/mod.ts";
import type { CallIdentity } from "../caller_calls.ts";
import type { ContentPart } from "../item_encoder.ts";
import { callItem, type ItemStatus, messageItem, reasoningItem } from "./output_item.ts";

/** The open item with its canonical parts so far. */
export type OpenItem =
  | { readonly type: "message"; readonly id: string; readonly parts: ContentPart[] }
  | { readonly type: "reasoning"; readonly id: string; readonly parts: ReasoningPart[] }
  | {
    readonly type: "call";
    readonly id: string;
    readonly callId: string;
    readonly identity: CallIdentity;
    call: ToolCallPart;
  };

/**
 * Writes events and accumulates the output. An item stays open until the next one is known, because
 * that decides its status.
 */
export class OutputWriter {
  #sequence = 0;
  #item?: OpenItem;
  readonly #output: JsonObject[] = [];
  #events: JsonObject[] = [];

  get item(): OpenItem | undefined {
    return this.#item;
  }

  /** The finished items. */
  get output(): readonly JsonObject[] {
    return [...this.#output];
  }

  /** The events since the last call. */
  taken(): JsonObject[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  open(item: OpenItem): void {
    this.close("completed");
    this.#item = item;
    this.emit("response.output_item.added", {
      output_index: this.#output.length,
      item: beginning(item),
    });
  }

  close(status: ItemStatus): void {
    const item = this.#item;
    const output = this.#output;
    if (!item) return;
    this.#item = undefined;
    const done = finished(item, status);
    this.emit("response.output_item.done", { output_index: output.length, item: done });
    output.push(done);
  }

  whole(item: JsonObject | undefined): void {
    if (!item) return;
    this.close("completed");
    const output_index = this.#output.length;
    this.emit("response.output_item.added", { output_index, item });
    this.emit("response.output_item.done", { output_index, item });
    this.#output.push(item);
  }

  emit(type: string, members: JsonObject): void {
    this.#events.push({ type, sequence_number: this.#sequence++, ...members });
  }

  place(): JsonObject {
    return { item_id: this.#item?.id ?? "", output_index: this.#output.length };
  }

  contentPlace(): JsonObject {
    const item = this.#item;
    const before = item?.type === "message"
      ? item.parts.length
      : item?.type === "reasoning"
      ? item.parts.filter(({ visibility }) => visibility === "raw").length
      : 0;
    return { ...this.place(), content_index: before };
  }

  summaryPlace(): JsonObject {
    const item = this.#item;
    const parts = item?.type === "reasoning" ? item.parts : [];
    return {
      ...this.place(),
      summary_index: parts.filter(({ visibility }) => visibility !== "raw").length,
    };
  }
}

/** The item in its opening event: empty. */
function beginning(item: OpenItem): JsonObject {
  switch (item.type) {
    case "message":
      return messageItem(item.id, [], "in_progress");
    case "reasoning":
      return { id: item.id, type: "reasoning", summary: [] };
    case "call":
      return callItem(item.id, item.callId, { ...item, status: "in_progress" });
    default:
      return item satisfies never;
  }
}

function finished(item: OpenItem, status: ItemStatus): JsonObject {
  switch (item.type) {
    case "message":
      return messageItem(item.id, item.parts, status);
    case "reasoning":
      return reasoningItem(item.id, item.parts);
    case "call":
      return callItem(item.id, item.callId, { ...item, status });
    default:
      return item satisfies never;
  }
}
