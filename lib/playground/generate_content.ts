import { type Dialect, type Piece, textPiece } from "./dialect.ts";
import { type JsonObject, objectOf, objectsOf, readJson, textOf } from "./json.ts";
import type { Effort, Parameters, Prompt, Tool, ToolCall, Turn } from "./prompt.ts";

/** The generate-content format, in which a complete answer looks like one stream event. */
export const generateContent: Dialect = {
  request: (prompt) => ({ path: pathOf(prompt), body: bodyOf(prompt) }),
  readEvent: (data) => readChunk(objectOf(data)),
  readAnswer: (body) => readChunk(objectOf(body)),
  without: [],
};

function pathOf({ model, parameters: { stream } }: Prompt): string {
  const verb = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return `/v1beta/models/${encodeURIComponent(model)}:${verb}`;
}

function bodyOf({ system, turns, tools, parameters }: Prompt): JsonObject {
  const config = configOf(parameters);
  return {
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    contents: turns.map((turn) => ({
      role: turn.role === "assistant" ? "model" : "user",
      parts: partsOf(turn),
    })),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toolOf) }] }),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
  };
}

function partsOf(turn: Turn): readonly JsonObject[] {
  if (turn.role === "tool") {
    return turn.results.map(({ callId: id, name, text }) => ({
      functionResponse: { id, name, response: { result: text } },
    }));
  }
  if (turn.role === "user") {
    const files = turn.attachments.map(({ mediaType, base64 }) => ({
      inlineData: { mimeType: mediaType, data: base64 },
    }));
    return [...files, { text: turn.text }];
  }
  return [...(turn.text ? [{ text: turn.text }] : []), ...turn.calls.map(callOf)];
}

function callOf({ id, name, json, proof }: ToolCall): JsonObject {
  const functionCall = { ...(id && { id }), name, args: objectOf(readJson(json)) };
  return { functionCall, ...(proof && { thoughtSignature: proof }) };
}

function toolOf({ name, description, parameters }: Tool): JsonObject {
  return {
    name,
    ...(description && { description }),
    ...(parameters && { parametersJsonSchema: parameters }),
  };
}

const thinkingTokens = { low: 2_048, medium: 8_192, high: 16_384 } as const satisfies Record<
  Effort,
  number
>;

function configOf(
  { temperature, topP, maxTokens, effort, stop, schema }: Parameters,
): JsonObject {
  const thinkingConfig = effort &&
    { thinkingBudget: thinkingTokens[effort], includeThoughts: true };
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(thinkingConfig && { thinkingConfig }),
    ...(stop.length > 0 && { stopSequences: stop }),
    ...(schema && { responseMimeType: "application/json", responseJsonSchema: schema }),
  };
}

function readChunk(chunk: JsonObject): readonly Piece[] {
  if (chunk.error) return [{ type: "error", error: chunk.error }];
  const [candidate] = objectsOf(chunk.candidates);
  const parts = objectsOf(objectOf(candidate?.content).parts);
  const reason = textOf(candidate?.finishReason) ||
    textOf(objectOf(chunk.promptFeedback).blockReason);
  return [...parts.flatMap(partPieces), ...(reason ? [{ type: "finish", reason } as const] : [])];
}

/** Calls arrive complete, and without an index. */
function partPieces(
  { text, thought, functionCall, thoughtSignature: proof }: JsonObject,
): readonly Piece[] {
  if (!functionCall) return textPiece(thought === true ? "reasoning" : "text", text);
  const { id, name, args } = objectOf(functionCall);
  return [{
    type: "call",
    id: textOf(id),
    name: textOf(name),
    json: JSON.stringify(args ?? {}),
    ...(typeof proof === "string" && { proof }),
  }];
}
