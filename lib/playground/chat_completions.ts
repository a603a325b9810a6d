import { type Dialect, type Piece, textPiece } from "./dialect.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "./json.ts";
import { dataUrl, isImage, type Parameters, type Prompt, type Tool, type Turn } from "./prompt.ts";

/** The chat-completions format. */
export const chatCompletions: Dialect = {
  request: (prompt) => ({ path: "/v1/chat/completions", body: bodyOf(prompt) }),
  readEvent: (data) => readChunk(objectOf(data), "delta"),
  readAnswer: (body) => readChunk(objectOf(body), "message"),
  without: [],
};

function bodyOf({ model, system, turns, tools, parameters }: Prompt): JsonObject {
  return {
    model,
    messages: [...(system ? [{ role: "system", content: system }] : []), ...turns.flatMap(wireOf)],
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...fieldsOf(parameters),
  };
}

function wireOf(turn: Turn): readonly JsonObject[] {
  if (turn.role === "tool") {
    return turn.results.map(({ callId, text }) => ({
      role: "tool",
      tool_call_id: callId,
      content: text,
    }));
  }
  if (turn.role === "user") return [{ role: "user", content: contentOf(turn) }];
  const calls = turn.calls.map(({ id, name, json }) => ({
    id,
    type: "function",
    function: { name, arguments: json || "{}" },
  }));
  return [{
    role: "assistant",
    content: turn.text || null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }];
}

function contentOf({ text, attachments }: Extract<Turn, { readonly role: "user" }>) {
  if (attachments.length === 0) return text;
  const files = attachments.map((file) =>
    isImage(file)
      ? { type: "image_url", image_url: { url: dataUrl(file) } }
      : { type: "file", file: { filename: file.name, file_data: dataUrl(file) } }
  );
  return [...files, { type: "text", text }];
}

function toolOf({ name, description, parameters }: Tool): JsonObject {
  return {
    type: "function",
    function: { name, ...(description && { description }), ...(parameters && { parameters }) },
  };
}

function fieldsOf(
  { temperature, topP, maxTokens, effort, stop, schema, stream }: Parameters,
): JsonObject {
  const json_schema = { name: "answer", schema };
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(effort && { reasoning_effort: effort }),
    ...(stop.length > 0 && { stop }),
    ...(schema && { response_format: { type: "json_schema", json_schema } }),
    ...(stream && { stream, stream_options: { include_usage: true } }),
  };
}

function readChunk(chunk: JsonObject, of: "delta" | "message"): readonly Piece[] {
  if (chunk.error) return [{ type: "error", error: chunk.error }];
  const [choice] = objectsOf(chunk.choices);
  const said = objectOf(choice?.[of]);
  const reason = textOf(choice?.finish_reason);
  return [
    ...textPiece("reasoning", said.reasoning_content ?? said.reasoning),
    ...textPiece("text", said.content ?? said.refusal),
    ...objectsOf(said.tool_calls).flatMap(callPieces),
    ...(reason ? [{ type: "finish", reason } as const] : []),
  ];
}

function callPieces({ index, id, function: called }: JsonObject, at: number): readonly Piece[] {
  const { name, arguments: json } = objectOf(called);
  const place = typeof index === "number" ? index : at;
  const begins: Piece = { type: "call", place, id: textOf(id), name: textOf(name) };
  const goesOn: Piece = { type: "arguments", place, json: textOf(json) };
  return name ? [begins, goesOn] : [goesOn];
}
