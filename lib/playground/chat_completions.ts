import { type AnswerPiece, imageOfUrl, type PlaygroundDialect, textPiece } from "./dialect.ts";
import { type ParsedObject, parsedObject, parsedObjects, parsedText } from "./json.ts";
import {
  dataUrl,
  isImage,
  type Parameters,
  type PromptTurn,
  type RequestContent,
  type ToolDefinition,
} from "./prompt.ts";

/** The chat-completions format. */
export const chatCompletions: PlaygroundDialect = {
  request: (prompt) => ({ path: "/v1/chat/completions", body: bodyOf(prompt) }),
  readEvent: (data) => readChunk(parsedObject(data), "delta"),
  readAnswer: (body) => readChunk(parsedObject(body), "message"),
  without: [],
};

function bodyOf({ model, system, turns, tools, parameters }: RequestContent): ParsedObject {
  return {
    model,
    messages: [...(system ? [{ role: "system", content: system }] : []), ...turns.flatMap(wireOf)],
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...fieldsOf(parameters),
  };
}

function wireOf(turn: PromptTurn): readonly ParsedObject[] {
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

function contentOf({ text, attachments }: Extract<PromptTurn, { readonly role: "user" }>) {
  if (attachments.length === 0) return text;
  const files = attachments.map((file) =>
    isImage(file)
      ? { type: "image_url", image_url: { url: dataUrl(file) } }
      : { type: "file", file: { filename: file.name, file_data: dataUrl(file) } }
  );
  return [...files, { type: "text", text }];
}

function toolOf({ name, description, parameters }: ToolDefinition): ParsedObject {
  return {
    type: "function",
    function: { name, ...(description && { description }), ...(parameters && { parameters }) },
  };
}

function fieldsOf(
  { temperature, topP, maxTokens, effort, stop, schema, stream }: Parameters,
): ParsedObject {
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

function readChunk(chunk: ParsedObject, of: "delta" | "message"): readonly AnswerPiece[] {
  if (chunk.error) return [{ type: "error", error: chunk.error }];
  const [choice] = parsedObjects(chunk.choices);
  const said = parsedObject(choice?.[of]);
  const reason = parsedText(choice?.finish_reason);
  return [
    ...textPiece("reasoning", said.reasoning_content ?? said.reasoning),
    ...textPiece("text", said.content ?? said.refusal),
    ...parsedObjects(said.images).flatMap(({ image_url: image }) =>
      imageOfUrl(parsedObject(image).url)
    ),
    ...parsedObjects(said.tool_calls).flatMap(callPieces),
    ...(reason ? [{ type: "finish", reason } as const] : []),
  ];
}

function callPieces(
  { index, id, function: called }: ParsedObject,
  at: number,
): readonly AnswerPiece[] {
  const { name, arguments: json } = parsedObject(called);
  const place = typeof index === "number" ? index : at;
  const begins: AnswerPiece = { type: "call", place, id: parsedText(id), name: parsedText(name) };
  const goesOn: AnswerPiece = { type: "arguments", place, json: parsedText(json) };
  return name ? [begins, goesOn] : [goesOn];
}
