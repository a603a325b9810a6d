import { type Dialect, type Piece, textPiece } from "./dialect.ts";
import { type JsonObject, objectOf, objectsOf, readJson, textOf } from "./json.ts";
import {
  type Effort,
  isImage,
  type Parameters,
  type Prompt,
  type Tool,
  type ToolCall,
  type Turn,
} from "./prompt.ts";

/** The messages format. */
export const messages: Dialect = {
  request: (prompt) => ({ path: "/v1/messages", body: bodyOf(prompt) }),
  readEvent: (data) => readEvent(objectOf(data)),
  readAnswer: (body) => readMessage(objectOf(body)),
  without: [],
};

function bodyOf({ model, system, turns, tools, parameters }: Prompt): JsonObject {
  return {
    model,
    ...(system && { system }),
    messages: turns.map((turn) => ({
      role: turn.role === "assistant" ? "assistant" : "user",
      content: blocksOf(turn),
    })),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...fieldsOf(parameters),
  };
}

function blocksOf(turn: Turn): readonly JsonObject[] {
  if (turn.role === "tool") {
    return turn.results.map(({ callId, text }) => ({
      type: "tool_result",
      tool_use_id: callId,
      content: text,
    }));
  }
  if (turn.role === "user") return [...filesOf(turn), { type: "text", text: turn.text }];
  const { thought, text, calls } = turn;
  return [
    ...(thought ? [{ type: "thinking", thinking: thought.text, signature: thought.proof }] : []),
    ...(text ? [{ type: "text", text }] : []),
    ...calls.map(useOf),
  ];
}

function filesOf(
  { attachments }: Extract<Turn, { readonly role: "user" }>,
): readonly JsonObject[] {
  return attachments.map((file) => {
    const source = { type: "base64", media_type: file.mediaType, data: file.base64 };
    return isImage(file)
      ? { type: "image", source }
      : { type: "document", source, title: file.name };
  });
}

function useOf({ id, name, json }: ToolCall): JsonObject {
  return { type: "tool_use", id, name, input: objectOf(readJson(json)) };
}

function toolOf({ name, description, parameters }: Tool): JsonObject {
  const input_schema = { type: "object", ...parameters };
  return { name, ...(description && { description }), input_schema };
}

/** The format requires an output limit, which includes reasoning. */
const answerTokens = 4_096;
const thinkingTokens = { low: 2_048, medium: 8_192, high: 16_384 } as const satisfies Record<
  Effort,
  number
>;

function fieldsOf(
  { temperature, topP, maxTokens = answerTokens, effort, stop, schema, stream }: Parameters,
): JsonObject {
  const budget = effort ? thinkingTokens[effort] : 0;
  return {
    max_tokens: maxTokens > budget ? maxTokens : maxTokens + budget,
    ...(effort && { thinking: { type: "enabled", budget_tokens: budget } }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(stop.length > 0 && { stop_sequences: stop }),
    ...(schema && { output_config: { format: { type: "json_schema", schema } } }),
    ...(stream && { stream }),
  };
}

function readEvent(event: JsonObject): readonly Piece[] {
  const place = typeof event.index === "number" ? event.index : 0;
  const delta = objectOf(event.delta);
  switch (event.type) {
    case "content_block_start":
      return blockPieces(objectOf(event.content_block), { place, whole: false });
    case "content_block_delta":
      return deltaPieces(delta, place);
    case "message_delta":
      return finishPieces(delta);
    case "error":
      return [{ type: "error", error: event.error }];
    default:
      return [];
  }
}

function deltaPieces(delta: JsonObject, place: number): readonly Piece[] {
  switch (delta.type) {
    case "text_delta":
      return textPiece("text", delta.text);
    case "thinking_delta":
      return textPiece("reasoning", delta.thinking);
    case "signature_delta":
      return [{ type: "proof", proof: textOf(delta.signature) }];
    case "input_json_delta":
      return [{ type: "arguments", place, json: textOf(delta.partial_json) }];
    default:
      return [];
  }
}

/** The input of a starting block arrives in the deltas that follow. */
function blockPieces(
  block: JsonObject,
  { place, whole }: { readonly place: number; readonly whole: boolean },
): readonly Piece[] {
  switch (block.type) {
    case "text":
      return textPiece("text", block.text);
    case "thinking":
      return [
        ...textPiece("reasoning", block.thinking),
        ...(block.signature ? [{ type: "proof", proof: textOf(block.signature) } as const] : []),
      ];
    case "tool_use": {
      const json = whole ? JSON.stringify(block.input ?? {}) : "";
      return [{ type: "call", place, id: textOf(block.id), name: textOf(block.name), json }];
    }
    default:
      return [];
  }
}

function finishPieces({ stop_reason: reason }: JsonObject): readonly Piece[] {
  return typeof reason === "string" ? [{ type: "finish", reason }] : [];
}

function readMessage(body: JsonObject): readonly Piece[] {
  if (body.type === "error") return [{ type: "error", error: body.error }];
  const blocks = objectsOf(body.content);
  return [
    ...blocks.flatMap((block, place) => blockPieces(block, { place, whole: true })),
    ...finishPieces(body),
  ];
}
