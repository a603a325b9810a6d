import { type AnswerPiece, type PlaygroundDialect, textPiece } from "./dialect.ts";
import { parsedJson, type ParsedObject, parsedObject, parsedObjects, parsedText } from "./json.ts";
import {
  isImage,
  type Parameters,
  type PromptTurn,
  type RequestContent,
  thinkingTokens,
  type ToolCall,
  type ToolDefinition,
} from "./prompt.ts";

/** The messages format. */
export const messages: PlaygroundDialect = {
  request: (prompt) => ({ path: "/v1/messages", body: bodyOf(prompt) }),
  readEvent: (data) => readEvent(parsedObject(data)),
  readAnswer: (body) => readMessage(parsedObject(body)),
  without: [],
};

function bodyOf({ model, system, turns, tools, parameters }: RequestContent): ParsedObject {
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

function blocksOf(turn: PromptTurn): readonly ParsedObject[] {
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
  { attachments }: Extract<PromptTurn, { readonly role: "user" }>,
): readonly ParsedObject[] {
  return attachments.map((file) => {
    const source = { type: "base64", media_type: file.mediaType, data: file.base64 };
    return isImage(file)
      ? { type: "image", source }
      : { type: "document", source, title: file.name };
  });
}

function useOf({ id, name, json }: ToolCall): ParsedObject {
  return { type: "tool_use", id, name, input: parsedObject(parsedJson(json)) };
}

function toolOf({ name, description, parameters }: ToolDefinition): ParsedObject {
  const input_schema = { type: "object", ...parameters };
  return { name, ...(description && { description }), input_schema };
}

/** The format requires an output limit, which includes reasoning. */
const answerTokens = 4_096;
function fieldsOf(
  { temperature, topP, maxTokens = answerTokens, effort, stop, schema, stream }: Parameters,
): ParsedObject {
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

function readEvent(event: ParsedObject): readonly AnswerPiece[] {
  const place = typeof event.index === "number" ? event.index : 0;
  const delta = parsedObject(event.delta);
  switch (event.type) {
    case "content_block_start":
      return blockPieces(parsedObject(event.content_block), { place, whole: false });
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

function deltaPieces(delta: ParsedObject, place: number): readonly AnswerPiece[] {
  switch (delta.type) {
    case "text_delta":
      return textPiece("text", delta.text);
    case "thinking_delta":
      return textPiece("reasoning", delta.thinking);
    case "signature_delta":
      return [{ type: "proof", proof: parsedText(delta.signature) }];
    case "input_json_delta":
      return [{ type: "arguments", place, json: parsedText(delta.partial_json) }];
    default:
      return [];
  }
}

/** The input of a starting block arrives in the deltas that follow. */
function blockPieces(
  block: ParsedObject,
  { place, whole }: { readonly place: number; readonly whole: boolean },
): readonly AnswerPiece[] {
  switch (block.type) {
    case "text":
      return textPiece("text", block.text);
    case "thinking":
      return [
        ...textPiece("reasoning", block.thinking),
        ...(block.signature
          ? [{ type: "proof", proof: parsedText(block.signature) } as const]
          : []),
      ];
    case "tool_use": {
      const json = whole ? JSON.stringify(block.input ?? {}) : "";
      return [{
        type: "call",
        place,
        id: parsedText(block.id),
        name: parsedText(block.name),
        json,
      }];
    }
    default:
      return [];
  }
}

function finishPieces({ stop_reason: reason }: ParsedObject): readonly AnswerPiece[] {
  return typeof reason === "string" ? [{ type: "finish", reason }] : [];
}

function readMessage(body: ParsedObject): readonly AnswerPiece[] {
  if (body.type === "error") return [{ type: "error", error: body.error }];
  const blocks = parsedObjects(body.content);
  return [
    ...blocks.flatMap((block, place) => blockPieces(block, { place, whole: true })),
    ...finishPieces(body),
  ];
}
