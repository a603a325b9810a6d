import { type AnswerPiece, imagePiece, type PlaygroundDialect, textPiece } from "./dialect.ts";
import { parsedJson, type ParsedObject, parsedObject, parsedObjects, parsedText } from "./json.ts";
import {
  type Parameters,
  type PromptTurn,
  type RequestContent,
  thinkingTokens,
  type ToolCall,
  type ToolDefinition,
} from "./prompt.ts";

/** The generate-content format, in which a complete answer looks like one stream event. */
export const generateContent: PlaygroundDialect = {
  request: (prompt) => ({ path: pathOf(prompt), body: bodyOf(prompt) }),
  readEvent: (data) => readChunk(parsedObject(data)),
  readAnswer: (body) => readChunk(parsedObject(body)),
  without: [],
};

function pathOf({ model, parameters: { stream } }: RequestContent): string {
  const verb = stream ? "streamGenerateContent?alt=sse" : "generateContent";
  return `/v1beta/models/${encodeURIComponent(model)}:${verb}`;
}

function bodyOf({ system, turns, tools, parameters }: RequestContent): ParsedObject {
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

function partsOf(turn: PromptTurn): readonly ParsedObject[] {
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

function callOf({ id, name, json, proof }: ToolCall): ParsedObject {
  const functionCall = { ...(id && { id }), name, args: parsedObject(parsedJson(json)) };
  return { functionCall, ...(proof && { thoughtSignature: proof }) };
}

function toolOf({ name, description, parameters }: ToolDefinition): ParsedObject {
  return {
    name,
    ...(description && { description }),
    ...(parameters && { parametersJsonSchema: parameters }),
  };
}

function configOf(
  { temperature, topP, maxTokens, effort, stop, schema }: Parameters,
): ParsedObject {
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

function readChunk(chunk: ParsedObject): readonly AnswerPiece[] {
  if (chunk.error) return [{ type: "error", error: chunk.error }];
  const [candidate] = parsedObjects(chunk.candidates);
  const parts = parsedObjects(parsedObject(candidate?.content).parts);
  const reason = parsedText(candidate?.finishReason) ||
    parsedText(parsedObject(chunk.promptFeedback).blockReason);
  return [...parts.flatMap(partPieces), ...(reason ? [{ type: "finish", reason } as const] : [])];
}

/** Calls arrive complete, and without an index. */
function partPieces(
  { text, thought, functionCall, inlineData, thoughtSignature: proof }: ParsedObject,
): readonly AnswerPiece[] {
  if (inlineData && thought !== true) {
    const { mimeType, data } = parsedObject(inlineData);
    return imagePiece(mimeType, data);
  }
  if (!functionCall) return textPiece(thought === true ? "reasoning" : "text", text);
  const { id, name, args } = parsedObject(functionCall);
  return [{
    type: "call",
    id: parsedText(id),
    name: parsedText(name),
    json: JSON.stringify(args ?? {}),
    ...(typeof proof === "string" && { proof }),
  }];
}
