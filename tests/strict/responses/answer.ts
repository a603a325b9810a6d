import type { JsonObject, JsonValue } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { piecesOf, type Reply, type ToolCall } from "../small_model.ts";
import type { Answering } from "../vendor.ts";
import { annotationsOf, hostedEvents, hostedItems } from "./hosted.ts";
import { encryption } from "./rules.ts";
import { responsesBody } from "./schema.ts";

/** The finished items of an answer, in order. */
export function outputOf(reply: Reply, answering: Answering): JsonObject[] {
  const { text, thought, calls } = reply;
  const { id } = answering;
  return [
    ...(thought === undefined ? [] : [reasoningItem(thought, answering)]),
    ...hostedItems(reply, id),
    ...(text === undefined ? [] : [messageItem(reply, id)]),
    ...calls.map((call, index) => callItem(call, `${id}_${index}`)),
  ];
}

function callItem({ name, namespace, args, input }: ToolCall, id: string): JsonObject {
  const common = {
    status: "completed",
    call_id: `call_${id}`,
    name,
    ...(namespace !== undefined && { namespace }),
  };
  return input === undefined
    ? { id: `fc_${id}`, type: "function_call", arguments: JSON.stringify(args), ...common }
    : { id: `ctc_${id}`, type: "custom_tool_call", input, ...common };
}

function messageItem(reply: Reply, id: string): JsonObject {
  const annotations = annotationsOf(reply);
  const content = [{ type: "output_text", text: reply.text, annotations, logprobs: [] }];
  return { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content };
}

/** The summary only on request, the signature only if the request includes it. */
function reasoningItem(thought: string, { id, asked }: Answering): JsonObject {
  const { reasoning, include } = responsesBody.parse(asked.body);
  const shown = reasoning?.summary != null;
  return {
    id: `rs_${id}`,
    type: "reasoning",
    summary: shown ? [{ type: "summary_text", text: thought }] : [],
    ...(include?.includes("reasoning.encrypted_content") &&
      { encrypted_content: encryption.sign(thought) }),
  };
}

/** The events of a stream, in the order in which the vendor sends them. */
export function streamOf(
  output: readonly JsonObject[],
  { started, ended }: { readonly started: JsonObject; readonly ended: JsonObject },
): ServerSentEvent[] {
  const events: JsonObject[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...output.flatMap(itemEvents),
    { type: "response.completed", response: ended },
  ];
  return events.map((event, sequence_number) => ({
    event: String(event.type),
    data: JSON.stringify({ ...event, sequence_number }),
  }));
}

function itemEvents(item: JsonObject, output_index: number): JsonObject[] {
  const place = { item_id: item.id, output_index };
  return [
    { type: "response.output_item.added", output_index, item: openedItem(item) },
    ...innerEvents(item, place),
    { type: "response.output_item.done", output_index, item },
  ];
}

function openedItem(item: JsonObject): JsonObject {
  switch (item.type) {
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...item, status: "in_progress", input: "" };
    case "reasoning":
      return { ...item, summary: [] };
    default:
      return { ...item, ...("status" in item && { status: "in_progress" }) };
  }
}

function innerEvents(item: JsonObject, place: JsonObject): JsonObject[] {
  switch (item.type) {
    case "message":
      return objects(item.content).flatMap((part, content_index) =>
        textEvents(part, { ...place, content_index })
      );
    case "function_call":
      return callEvents(item, place);
    case "custom_tool_call":
      return inputEvents(item, place);
    case "reasoning":
      return objects(item.summary).flatMap((part, summary_index) =>
        summaryEvents(part, { ...place, summary_index })
      );
    default:
      return hostedEvents(item, place);
  }
}

function textEvents(part: JsonObject, place: JsonObject): JsonObject[] {
  const { text, annotations } = part;
  const opened = { ...part, text: "", annotations: [] };
  return [
    { type: "response.content_part.added", ...place, part: opened },
    ...piecesOf(String(text)).map((delta) => ({
      type: "response.output_text.delta",
      ...place,
      delta,
      logprobs: [],
      obfuscation: "x7",
    })),
    ...objects(annotations).map((annotation, annotation_index) => ({
      type: "response.output_text.annotation.added",
      ...place,
      annotation_index,
      annotation,
    })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part },
  ];
}

function callEvents(item: JsonObject, place: JsonObject): JsonObject[] {
  return [
    ...piecesOf(String(item.arguments)).map((delta) => ({
      type: "response.function_call_arguments.delta",
      ...place,
      delta,
    })),
    {
      type: "response.function_call_arguments.done",
      ...place,
      name: item.name,
      arguments: item.arguments,
    },
  ];
}

function inputEvents({ input }: JsonObject, place: JsonObject): JsonObject[] {
  const type = "response.custom_tool_call_input";
  return [
    ...piecesOf(String(input)).map((delta) => ({ type: `${type}.delta`, ...place, delta })),
    { type: `${type}.done`, ...place, input },
  ];
}

function summaryEvents(part: JsonObject, place: JsonObject): JsonObject[] {
  const { text } = part;
  return [
    { type: "response.reasoning_summary_part.added", ...place, part: { ...part, text: "" } },
    ...piecesOf(String(text)).map((delta) => ({
      type: "response.reasoning_summary_text.delta",
      ...place,
      delta,
    })),
    { type: "response.reasoning_summary_text.done", ...place, text },
    { type: "response.reasoning_summary_part.done", ...place, part },
  ];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value : [];
}
