import {
  addTokens,
  type CanonicalEvent,
  type EndEvent,
  type GatewayError,
  type JsonObject,
  keepLogprobs,
  type NativePart,
  noUsage,
  type Part,
  type PartPatch,
  type ReasoningPart,
  type StartEvent,
  type TokenLogprob,
  type ToolCallPart,
  type Usage,
} from "../../../canonical/mod.ts";
import { encodeTokens } from "../../answer/logprobs.ts";
import type { EncoderContext } from "../../codec.ts";
import type { EventEncoder } from "../../stream.ts";
import { objectOf, textOf } from "../../wire_value.ts";
import {
  answerContent,
  callerCalls,
  type CallIdentity,
  idOf,
  imageItem,
  OutputWriter,
  proofItem,
} from "./output_writer.ts";
import { errorBody, failureOf, lateEvent, wireEvent } from "../error.ts";
import { Ids, safeCallId } from "../ids.ts";
import { type ContentPart, isContent, sameItem, sameReasoning } from "../items.ts";
import { format, ownFields } from "../native.ts";
import { echoOf, servedTierOf } from "./echo.ts";
import { type AnswerContents, encodeFinish } from "./finish.ts";
import {
  callDelta,
  closeCall,
  closeContent,
  closeReasoning,
  openPiece,
  thoughtDelta,
} from "./part_events.ts";
import { encodeUsage } from "./usage.ts";

export function eventEncoder(context: EncoderContext): EventEncoder {
  const events = new ResponseEvents(context);
  return {
    push: (event) => events.push(event).map(event.type === "part-delta" ? wireEvent : lateEvent),
  };
}

/** A part that is being written, with its text so far. */
interface OpenPart {
  readonly part: Part;
  text: string;
  readonly tokens: TokenLogprob[];
  /** The tokens of the next delta; those without text of their own wait for one. */
  readonly waiting: TokenLogprob[];
}

function openPart(part: Part): OpenPart {
  return { part, text: "", tokens: [], waiting: [] };
}

/** The state of one answer, apart from its output. */
interface EncoderState {
  /** The response object without output, status and usage. */
  head: JsonObject;
  /** The open part; absent if this format cannot express it. */
  part?: OpenPart;
  /** Its index. Parts of further alternatives, which this format does not have, are ignored. */
  index?: number;
  usage?: Usage;
  readonly contents: AnswerContents;
  phase: "before" | "open" | "ended";
}

/** Converts canonical events to events of this format, as objects. */
export class ResponseEvents {
  readonly #context: EncoderContext;
  readonly #ids: Ids;
  readonly #identify: (call: ToolCallPart) => CallIdentity;
  readonly #writer = new OutputWriter();
  readonly #state: EncoderState = {
    head: {},
    contents: { calls: false, refusal: false },
    phase: "before",
  };

  constructor(context: EncoderContext) {
    this.#context = context;
    this.#ids = new Ids(context.requestId);
    this.#identify = callerCalls(context.request.tools);
  }

  push(event: CanonicalEvent): JsonObject[] {
    if (this.#state.phase === "ended") return [];
    this.#encode(event);
    return this.#writer.taken();
  }

  #encode(event: CanonicalEvent): void {
    switch (event.type) {
      case "start":
        return this.#start(event);
      case "part-start":
        if (!event.alternative) this.#openPart(event.part, event.index);
        return;
      case "part-delta":
        if (event.index === this.#state.index) this.#delta(event.text, event.logprobs);
        return;
      case "part-end":
        if (event.index === this.#state.index) this.#closePart(event.patch ?? {});
        return;
      case "usage":
        this.#state.usage = event.usage;
        return;
      case "end":
        return this.#end(event);
      case "error":
        return this.#fail(event.error);
      default:
        event satisfies never;
    }
  }

  #start(event: StartEvent): void {
    const state = this.#state;
    if (state.phase !== "before") return;
    state.phase = "open";
    state.head = this.#headOf(event);
    const response = { ...state.head, status: "in_progress", output: [], usage: null };
    this.#writer.emit("response.created", { response });
    this.#writer.emit("response.in_progress", { response });
  }

  #headOf(event: StartEvent): JsonObject {
    const { requestId: _, model, createdAtMs, request } = this.#context;
    const own = ownFields(event);
    return {
      id: own && event.id !== "" ? event.id : this.#ids.response(),
      object: "response",
      created_at: Math.floor((event.createdAtMs || createdAtMs) / 1000),
      model: own && event.model !== "" ? event.model : model,
      ...(own && Object.keys(own).length > 0 ? own : echoOf(request)),
    };
  }

  #openPart(part: Part, index: number): void {
    this.#state.part = undefined;
    this.#state.index = index;
    if ((part.type === "text" || part.type === "tool-call") && part.continuation) {
      this.#writer.whole(proofItem(this.#ids.item("rs"), part.continuation, "next"));
    }
    if (isContent(part)) this.#openContent(part);
    else if (part.type === "reasoning") this.#openReasoning(part);
    else if (part.type === "tool-call") this.#openCall(part);
    else if (part.type === "native" && part.format === format) {
      this.#openItem(part, objectOf(part.value));
    } else if (part.type === "image") {
      this.#writer.whole(imageItem(idOf(part) ?? this.#ids.item("ig"), part));
    }
    // Audio, video, files and items of other formats have no item here.
  }

  #openContent(part: ContentPart): void {
    const state = this.#state;
    const { item } = this.#writer;
    if (part.type === "refusal") state.contents.refusal = true;
    if (item?.type !== "message" || !sameItem(item.parts[0] ?? part, part)) {
      this.#writer.open({ type: "message", id: idOf(part) ?? this.#ids.item("msg"), parts: [] });
    }
    state.part = { ...openPart(part), text: part.type === "native" ? "" : part.text };
    this.#writer.emit("response.content_part.added", {
      ...this.#writer.contentPlace(),
      part: answerContent(part),
    });
  }

  #openReasoning(part: ReasoningPart): void {
    const { item } = this.#writer;
    if (item?.type !== "reasoning" || !sameReasoning(item.parts[0] ?? part, part)) {
      this.#writer.open({ type: "reasoning", id: idOf(part) ?? this.#ids.item("rs"), parts: [] });
    }
    this.#state.part = openPart(part);
    if (part.text !== "") this.#delta(part.text);
  }

  #openCall(call: ToolCallPart): void {
    this.#state.contents.calls = true;
    const identity = this.#identify(call);
    this.#writer.open({
      type: "call",
      id: idOf(call) ?? this.#ids.item(identity.kind === "custom" ? "ctc" : "fc"),
      callId: ownFields(call) ? call.id : call.id === "" ? this.#ids.call() : safeCallId(call.id),
      identity,
      call: { ...call, arguments: "" },
    });
    this.#state.part = openPart(call);
    if (call.arguments !== "") this.#delta(call.arguments);
  }

  /** A compaction stays open while the gateway makes it. */
  #openItem(part: NativePart, value: JsonObject): void {
    if (value.type !== "compaction") return this.#writer.whole(value);
    this.#writer.open({ type: "compaction", id: textOf(value.id), value });
    this.#state.part = openPart(part);
    this.#delta("");
  }

  #delta(delta: string, tokens: readonly TokenLogprob[] = []): void {
    const { part } = this.#state;
    const { item } = this.#writer;
    if (!part || !item) return;
    if (item.type === "compaction") {
      return this.#writer.emit("response.compaction.compacting", this.#writer.place());
    }
    addTokens(part.tokens, tokens);
    addTokens(part.waiting, tokens);
    if (delta === "") return;
    const first = part.text === "";
    part.text += delta;
    switch (part.part.type) {
      case "text":
        return this.#writer.emit("response.output_text.delta", {
          ...this.#writer.contentPlace(),
          delta,
          logprobs: encodeTokens(part.waiting.splice(0), []),
        });
      case "refusal":
        return this.#writer.emit("response.refusal.delta", {
          ...this.#writer.contentPlace(),
          delta,
        });
      case "reasoning":
        if (first) openPiece(this.#writer, part.part.visibility);
        return thoughtDelta(this.#writer, part.part.visibility, delta);
      case "tool-call":
        return callDelta(this.#writer, delta);
    }
  }

  #closePart(patch: PartPatch): void {
    const { part } = this.#state;
    const { item } = this.#writer;
    if (!part || !item) return;
    this.#state.part = undefined;
    const closed = { ...part.part, ...keepLogprobs(part.tokens), ...patch };
    if (item.type === "message" && isContent(closed)) {
      closeContent(this.#writer, item, withText(closed, part.text));
    } else if (item.type === "reasoning" && closed.type === "reasoning") {
      closeReasoning(this.#writer, item, { ...closed, text: part.text });
    } else if (item.type === "call" && closed.type === "tool-call") {
      closeCall(this.#writer, item, { ...closed, arguments: part.text });
    } else if (item.type === "compaction" && closed.type === "native") {
      item.value = objectOf(closed.value);
      this.#writer.close("completed");
    }
    this.#proveAfter(part.part, patch);
  }

  /** A continuation that arrived at the end of a text or a call follows it. */
  #proveAfter(part: Part, { continuation }: PartPatch): void {
    if (!continuation || part.continuation) return;
    if (part.type !== "text" && part.type !== "tool-call") return;
    this.#writer.whole(proofItem(this.#ids.item("rs"), continuation, "previous"));
  }

  #end(event: EndEvent): void {
    const state = this.#state;
    const finish = encodeFinish(event.endings[0]?.finishReason ?? "stop", state.contents);
    this.#writer.close(finish.status);
    const head = { ...state.head, ...(ownFields(event) ?? servedTierOf(state.usage)) };
    const stated = head.status === "completed" || head.status === "incomplete";
    const response = {
      ...head,
      ...(stated ? {} : finish),
      output: this.#writer.output,
      usage: encodeUsage(state.usage ?? noUsage),
    };
    this.#writer.emit(`response.${stated ? head.status : finish.status}`, { response });
    state.phase = "ended";
  }

  /** The open item stays open, because it has no end. */
  #fail(error: GatewayError): void {
    const { requestId, model } = this.#context;
    if (this.#state.phase === "before") this.#start({ type: "start", id: requestId, model });
    this.#writer.emit("error", { error: errorBody(error, requestId) });
    const response = {
      ...this.#state.head,
      status: "failed",
      error: failureOf(error),
      output: this.#writer.output,
      usage: this.#state.usage ? encodeUsage(this.#state.usage) : null,
    };
    this.#writer.emit("response.failed", { response });
    this.#state.phase = "ended";
  }
}

function withText(part: ContentPart, text: string): ContentPart {
  return part.type === "native" ? part : { ...part, text };
}
