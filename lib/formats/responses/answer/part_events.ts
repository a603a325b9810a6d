import type { ReasoningPart, ToolCallPart } from "../../../canonical/mod.ts";
import { listOf } from "../../wire_value.ts";
import type { ContentPart } from "../items.ts";
import { answerContent, inputOf, type OpenItem, type OutputWriter } from "./output_writer.ts";

/** Events within an item: the start, growth and end of its parts. */

/** Opens a piece of reasoning with its first text: an item without text has no piece. */
export function openPiece(
  writer: OutputWriter,
  visibility: ReasoningPart["visibility"],
): void {
  if (visibility === "raw") {
    writer.emit("response.content_part.added", {
      ...writer.contentPlace(),
      part: { type: "reasoning_text", text: "" },
    });
  } else {
    writer.emit("response.reasoning_summary_part.added", {
      ...writer.summaryPlace(),
      part: { type: "summary_text", text: "" },
    });
  }
}

export function thoughtDelta(
  writer: OutputWriter,
  visibility: ReasoningPart["visibility"],
  delta: string,
): void {
  if (visibility === "raw") {
    writer.emit("response.reasoning_text.delta", { ...writer.contentPlace(), delta });
  } else {
    writer.emit("response.reasoning_summary_text.delta", { ...writer.summaryPlace(), delta });
  }
}

/** The free text of a custom tool is unwrapped only when it is complete. */
export function callDelta(
  writer: OutputWriter,
  delta: string,
): void {
  const { item } = writer;
  if (item?.type !== "call" || item.identity.wrapped) return;
  writer.emit(
    item.identity.kind === "custom"
      ? "response.custom_tool_call_input.delta"
      : "response.function_call_arguments.delta",
    { ...writer.place(), delta },
  );
}

export function closeContent(
  writer: OutputWriter,
  item: Extract<OpenItem, { type: "message" }>,
  part: ContentPart,
): void {
  const encoded = answerContent(part);
  const place = writer.contentPlace();
  if (part.type === "text") {
    for (const [annotation_index, annotation] of listOf(encoded.annotations).entries()) {
      writer.emit("response.output_text.annotation.added", {
        ...place,
        annotation_index,
        annotation,
      });
    }
    const { text, logprobs } = encoded;
    writer.emit("response.output_text.done", { ...place, text, logprobs });
  } else if (part.type === "refusal") {
    writer.emit("response.refusal.done", { ...place, refusal: part.text });
  }
  writer.emit("response.content_part.done", { ...place, part: encoded });
  item.parts.push(part);
}

export function closeReasoning(
  writer: OutputWriter,
  item: Extract<OpenItem, { type: "reasoning" }>,
  part: ReasoningPart,
): void {
  const { text } = part;
  if (text !== "" && part.visibility === "raw") {
    writer.emit("response.reasoning_text.done", { ...writer.contentPlace(), text });
    const done = { type: "reasoning_text", text };
    writer.emit("response.content_part.done", { ...writer.contentPlace(), part: done });
  } else if (text !== "") {
    writer.emit("response.reasoning_summary_text.done", { ...writer.summaryPlace(), text });
    const done = { type: "summary_text", text };
    writer.emit("response.reasoning_summary_part.done", { ...writer.summaryPlace(), part: done });
  }
  item.parts.push(part);
}

export function closeCall(
  writer: OutputWriter,
  item: Extract<OpenItem, { type: "call" }>,
  call: ToolCallPart,
): void {
  const empty = call.kind === "function" && call.arguments === "";
  item.call = empty ? { ...call, arguments: "{}" } : call;
  if (item.identity.kind === "custom") {
    const input = inputOf(item.call, item.identity);
    const place = writer.place();
    if (item.identity.wrapped && input !== "") {
      writer.emit("response.custom_tool_call_input.delta", { ...place, delta: input });
    }
    writer.emit("response.custom_tool_call_input.done", { ...place, input });
    return;
  }
  if (empty) callDelta(writer, "{}");
  writer.emit("response.function_call_arguments.done", {
    ...writer.place(),
    name: item.identity.name,
    arguments: item.call.arguments,
  });
}
