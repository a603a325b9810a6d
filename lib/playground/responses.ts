import { type AnswerPiece, imagePiece, type PlaygroundDialect, textPiece } from "./dialect.ts";
import { type ParsedObject, parsedObject, parsedObjects, parsedText } from "./json.ts";
import {
  dataUrl,
  isImage,
  type Parameters,
  type PromptTurn,
  type RequestContent,
  type ToolDefinition,
} from "./prompt.ts";

/** The responses format. */
export const responses: PlaygroundDialect = {
  request: (prompt) => ({ path: "/v1/responses", body: bodyOf(prompt) }),
  readEvent: (data) => readEvent(parsedObject(data)),
  readAnswer: (body) => readResponse(parsedObject(body)),
  without: ["stop"],
};

function bodyOf({ model, system, turns, tools, parameters }: RequestContent): ParsedObject {
  return {
    model,
    ...(system && { instructions: system }),
    input: turns.flatMap(itemsOf),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...fieldsOf(parameters),
    store: false,
  };
}

function itemsOf(turn: PromptTurn): readonly ParsedObject[] {
  if (turn.role === "tool") {
    return turn.results.map(({ callId, text }) => ({
      type: "function_call_output",
      call_id: callId,
      output: text,
    }));
  }
  if (turn.role === "user") return [{ role: "user", content: contentOf(turn) }];
  const said = { role: "assistant", content: [{ type: "output_text", text: turn.text }] };
  const calls = turn.calls.map(({ id, name, json }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: json || "{}",
  }));
  return turn.text ? [said, ...calls] : calls;
}

function contentOf(
  { text, attachments }: Extract<PromptTurn, { readonly role: "user" }>,
): readonly ParsedObject[] {
  const files = attachments.map((file) =>
    isImage(file)
      ? { type: "input_image", image_url: dataUrl(file), detail: "auto" }
      : { type: "input_file", filename: file.name, file_data: dataUrl(file) }
  );
  return [...files, { type: "input_text", text }];
}

function toolOf({ name, description, parameters = {} }: ToolDefinition): ParsedObject {
  const about = { name, ...(description && { description }) };
  return { type: "function", ...about, parameters, strict: false };
}

function fieldsOf(
  { temperature, topP, maxTokens, effort, schema, stream }: Parameters,
): ParsedObject {
  const format = { type: "json_schema", name: "answer", schema };
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(effort && { reasoning: { effort, summary: "auto" } }),
    ...(schema && { text: { format } }),
    ...(stream && { stream }),
  };
}

function readEvent(event: ParsedObject): readonly AnswerPiece[] {
  switch (event.type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      return textPiece("text", event.delta);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return textPiece("reasoning", event.delta);
    case "response.output_item.added":
      return callPieces(parsedObject(event.item), placeOf(event));
    case "response.output_item.done": {
      const item = parsedObject(event.item);
      return [...callPieces(item, placeOf(event)), ...drawnPieces(item)];
    }
    case "response.function_call_arguments.delta":
      return [{ type: "arguments", place: placeOf(event), json: parsedText(event.delta) }];
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      return endPieces(parsedObject(event.response));
    case "error":
      return [{ type: "error", error: event.error ?? event }];
    default:
      return [];
  }
}

function placeOf({ output_index: index }: ParsedObject): number {
  return typeof index === "number" ? index : 0;
}

function callPieces(
  { type, call_id: id, name, arguments: json }: ParsedObject,
  place: number,
): readonly AnswerPiece[] {
  if (type !== "function_call") return [];
  return [{
    type: "call",
    place,
    id: parsedText(id),
    name: parsedText(name),
    json: parsedText(json),
  }];
}

/** The image of the built-in tool. */
function drawnPieces(
  { type, result, output_format: format = "png" }: ParsedObject,
): readonly AnswerPiece[] {
  return type === "image_generation_call" ? imagePiece(`image/${format}`, result) : [];
}

function endPieces(
  { status, error, incomplete_details: details }: ParsedObject,
): readonly AnswerPiece[] {
  if (error) return [{ type: "error", error }];
  const reason = parsedText(parsedObject(details).reason) || parsedText(status);
  return reason ? [{ type: "finish", reason }] : [];
}

function readResponse(body: ParsedObject): readonly AnswerPiece[] {
  if (body.error) return [{ type: "error", error: body.error }];
  return [...parsedObjects(body.output).flatMap(itemPieces), ...endPieces(body)];
}

function itemPieces(item: ParsedObject, place: number): readonly AnswerPiece[] {
  const thoughts = [...parsedObjects(item.summary), ...parsedObjects(item.content)];
  if (item.type === "reasoning") {
    return thoughts.flatMap(({ text }) => textPiece("reasoning", text));
  }
  const said = parsedObjects(item.content).flatMap(({ text, refusal }) =>
    textPiece("text", text ?? refusal)
  );
  return [...said, ...callPieces(item, place), ...drawnPieces(item)];
}
