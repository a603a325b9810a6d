import { type Dialect, type Piece, textPiece } from "./dialect.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json.ts";
import { dataUrl, isImage, type Parameters, type Prompt, type Tool, type Turn } from "./prompt.ts";

/** The responses format. */
export const responses: Dialect = {
  request: (prompt) => ({ path: "/v1/responses", body: bodyOf(prompt) }),
  readEvent: (data) => readEvent(objectOf(data)),
  readAnswer: (body) => readResponse(objectOf(body)),
  without: ["stop"],
};

function bodyOf({ model, system, turns, tools, parameters }: Prompt): JsonObject {
  return {
    model,
    ...(system && { instructions: system }),
    input: turns.flatMap(itemsOf),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...fieldsOf(parameters),
    store: false,
  };
}

function itemsOf(turn: Turn): readonly JsonObject[] {
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
  { text, attachments }: Extract<Turn, { readonly role: "user" }>,
): readonly JsonObject[] {
  const files = attachments.map((file) =>
    isImage(file)
      ? { type: "input_image", image_url: dataUrl(file), detail: "auto" }
      : { type: "input_file", filename: file.name, file_data: dataUrl(file) }
  );
  return [...files, { type: "input_text", text }];
}

function toolOf({ name, description, parameters = {} }: Tool): JsonObject {
  const about = { name, ...(description && { description }) };
  return { type: "function", ...about, parameters, strict: false };
}

function fieldsOf(
  { temperature, topP, maxTokens, effort, schema, stream }: Parameters,
): JsonObject {
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

function readEvent(event: JsonObject): readonly Piece[] {
  switch (event.type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      return textPiece("text", event.delta);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return textPiece("reasoning", event.delta);
    case "response.output_item.added":
    case "response.output_item.done":
      return callPieces(objectOf(event.item), placeOf(event));
    case "response.function_call_arguments.delta":
      return [{ type: "arguments", place: placeOf(event), json: textOf(event.delta) }];
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      return endPieces(objectOf(event.response));
    case "error":
      return [{ type: "error", error: event.error ?? event }];
    default:
      return [];
  }
}

function placeOf({ output_index: index }: JsonObject): number {
  return typeof index === "number" ? index : 0;
}

function callPieces(
  { type, call_id: id, name, arguments: json }: JsonObject,
  place: number,
): readonly Piece[] {
  if (type !== "function_call") return [];
  return [{ type: "call", place, id: textOf(id), name: textOf(name), json: textOf(json) }];
}

function endPieces({ status, error, incomplete_details: details }: JsonObject): readonly Piece[] {
  if (error) return [{ type: "error", error }];
  const reason = textOf(objectOf(details).reason) || textOf(status);
  return reason ? [{ type: "finish", reason }] : [];
}

function readResponse(body: JsonObject): readonly Piece[] {
  if (body.error) return [{ type: "error", error: body.error }];
  return [...objectsOf(body.output).flatMap(itemPieces), ...endPieces(body)];
}

function itemPieces(item: JsonObject, place: number): readonly Piece[] {
  const thoughts = [...objectsOf(item.summary), ...objectsOf(item.content)];
  if (item.type === "reasoning") {
    return thoughts.flatMap(({ text }) => textPiece("reasoning", text));
  }
  const said = objectsOf(item.content).flatMap(({ text, refusal }) =>
    textPiece("text", text ?? refusal)
  );
  return [...said, ...callPieces(item, place)];
}
