import {
  calledTool,
  type Continuation,
  type ImagePart,
  type JsonObject,
  type ReasoningPart,
  sealContinuation,
  type Tool,
  type ToolCallPart,
} from "../../../canonical/mod.ts";
import { freeTextIn } from "../../request/tools.ts";
import { defined } from "../../wire_value.ts";
import { defaultLogprobs } from "../content.ts";
import { type ContentPart, encodeContent, encodeMessage, proofMarks } from "../items.ts";
import { format, ownFields } from "../native.ts";
import { encodeReasoningItem } from "../reasoning.ts";

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
  }
  | { readonly type: "compaction"; readonly id: string; value: JsonObject };

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
      item: itemOf(item, "in_progress"),
    });
  }

  close(status: ItemStatus): void {
    const item = this.#item;
    const output = this.#output;
    if (!item) return;
    this.#item = undefined;
    const done = itemOf(item, status);
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

/** The item with its parts so far: in its opening event it has none. */
function itemOf(item: OpenItem, status: ItemStatus): JsonObject {
  switch (item.type) {
    case "message":
      return messageItem(item.id, item.parts, status);
    case "reasoning":
      return item.parts.length === 0
        ? { id: item.id, type: "reasoning", summary: [] }
        : reasoningItem(item.id, item.parts);
    case "call":
      return callItem(item.id, item.callId, { ...item, status });
    case "compaction":
      return status === "completed" ? item.value : { ...item.value, encrypted_content: "" };
    default:
      return item satisfies never;
  }
}

type ItemStatus = "in_progress" | "completed" | "incomplete";

function messageItem(
  id: string,
  parts: readonly ContentPart[],
  status: ItemStatus,
): JsonObject {
  const last = parts.at(-1);
  const own = last && ownFields(last)?.status;
  return encodeMessage(parts, {
    id,
    status: status === "completed" ? own ?? status : status,
    content: parts.map(answerContent),
  });
}

/** A content part of an answer always has its lists, even if empty. */
export function answerContent(part: ContentPart): JsonObject {
  const encoded = encodeContent(part);
  return part.type === "text" ? defaultLogprobs(encoded) : encoded;
}

function reasoningItem(id: string, parts: readonly ReasoningPart[]): JsonObject {
  const proven = parts.find(({ continuation }) => continuation);
  return defined({
    id,
    ...encodeReasoningItem(parts),
    status: ownFields(parts[0])?.status,
    encrypted_content: proven && proofOf(proven),
  });
}

/**
 * Clients return summaries and leave out raw content (@ai-sdk/openai, 2026-11-21), so the
 * continuation carries the text that it signs. Empty text distinguishes a reasoning without text
 * from a redacted one.
 */
function proofOf({ continuation, visibility, text }: ReasoningPart): string | undefined {
  if (!continuation) return undefined;
  const hidden = (visibility === "raw") !== (text === "") && visibility !== "redacted";
  return sealContinuation(format, hidden ? { ...continuation, text } : continuation);
}

/** The continuation of a text or a call, which have no field for it in this format. */
export function proofItem(
  id: string,
  { issuer, data }: Continuation,
  place: keyof typeof proofMarks,
): JsonObject {
  const sealed = sealContinuation(format, { issuer, data, itemId: proofMarks[place] });
  return { id, type: "reasoning", summary: [], encrypted_content: sealed };
}

function callItem(
  id: string,
  callId: string,
  { call, identity, status }: { call: ToolCallPart; identity: CallIdentity; status: ItemStatus },
): JsonObject {
  const { name, namespace, kind } = identity;
  const own = ownFields(call);
  return defined({
    ...own,
    id,
    type: kind === "custom" ? "custom_tool_call" : "function_call",
    status: status === "completed" ? own?.status ?? status : status,
    ...(kind === "custom" ? { input: inputOf(call, identity) } : { arguments: call.arguments }),
    call_id: callId,
    name,
    namespace,
  });
}

export function inputOf(call: ToolCallPart, { wrapped }: CallIdentity): string {
  return wrapped ? freeTextIn(call.arguments) : call.arguments;
}

/** A generated image as a call of the image generation tool. */
export function imageItem(
  id: string,
  { source, mediaType, ...part }: ImagePart,
): JsonObject | undefined {
  if (source.type !== "base64") return undefined;
  return {
    ...ownFields(part) ?? { output_format: (mediaType ?? "image/png").replace(/^image\//, "") },
    id,
    type: "image_generation_call",
    status: "completed",
    result: source.data,
  };
}

export function idOf(part: { readonly native?: ToolCallPart["native"] }): string | undefined {
  const id = ownFields(part)?.id;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The identity of a call for the caller. */
export interface CallIdentity {
  readonly name: string;
  readonly namespace?: string;
  readonly kind: ToolCallPart["kind"];
  /** True if the free text of a custom tool arrived as a function's arguments. */
  readonly wrapped: boolean;
}

/** Restores the caller's own names, namespaces and kinds of tools. */
export function callerCalls(tools: readonly Tool[]): (call: ToolCallPart) => CallIdentity {
  const called = calledTool(tools);
  return (call) => {
    const tool = call.namespace === undefined ? called(call.name) : undefined;
    const namespace = tool?.namespace ?? call.namespace;
    const kind = tool?.type ?? call.kind;
    return {
      name: tool?.name ?? call.name,
      ...(namespace !== undefined && { namespace }),
      kind: call.kind === "custom" ? "custom" : kind,
      wrapped: call.kind === "function" && kind === "custom",
    };
  };
}
