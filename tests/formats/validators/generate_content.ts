import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { objectIn, objectOf, textOf } from "../../../lib/formats/wire_value.ts";
import { withEnumNames } from "../../../lib/formats/generate_content/enums.ts";
import { isPartial } from "../../../lib/formats/generate_content/answer/state.ts";
import type { StreamValidator } from "./stream_validator.ts";

interface ValidatorState {
  readonly violations: string[];
  events: number;
  responseId?: string;
  failed: boolean;
  blocked: boolean;
  /** Candidates by index; true once a candidate has finished. */
  readonly candidates: Map<number, boolean>;
}

/** Maximum violations listed, each once, so that a long stream cannot fill the memory. */
const violationsMax = 50;

/**
 * Checks a stream: unnamed events with one JSON object each, no end marker, parts with one kind of
 * data, no content after a candidate's finish reason, and one such reason per candidate.
 */
export function streamValidator(): StreamValidator {
  const state: ValidatorState = {
    violations: [],
    events: 0,
    failed: false,
    blocked: false,
    candidates: new Map(),
  };
  return {
    push: (event) => checkEvent(state, event),
    end: () => {
      checkEnd(state);
      return state.violations;
    },
  };
}

function violate(state: ValidatorState, violation: string): void {
  if (state.violations.length < violationsMax) {
    state.violations.push(`event ${state.events}: ${violation}`);
  }
}

function checkEvent(state: ValidatorState, { event, data }: ServerSentEvent): void {
  state.events++;
  if (event !== undefined) violate(state, "has a name");
  if (state.failed) violate(state, "comes after the error");
  const chunk = objectIn(data);
  if (chunk) checkChunk(state, withEnumNames(chunk));
  else violate(state, data === "[DONE]" ? "is an end marker" : "is not a JSON object");
}

function checkChunk(state: ValidatorState, chunk: JsonObject): void {
  if (chunk.error !== undefined) return checkError(state, objectOf(chunk.error));
  const { responseId, candidates, usageMetadata, promptFeedback } = chunk;
  if (typeof responseId === "string") {
    if (state.responseId !== undefined && state.responseId !== responseId) {
      violate(state, "changes responseId");
    }
    state.responseId = responseId;
  }
  if (textOf(objectOf(promptFeedback).blockReason) !== "") state.blocked = true;
  if (usageMetadata !== undefined) checkUsage(state, usageMetadata);
  if (candidates === undefined) return;
  if (!Array.isArray(candidates)) return violate(state, "candidates is not an array");
  for (const candidate of candidates) checkCandidate(state, candidate);
}

function checkError(state: ValidatorState, { code, message, status }: JsonObject): void {
  state.failed = true;
  if (typeof code !== "number" || code < 400 || code > 599) {
    violate(state, "error.code is not a number from 400 to 599");
  }
  if (typeof message !== "string") violate(state, "error.message is not a string");
  if (typeof status !== "string") violate(state, "error.status is not a string");
}

function checkUsage(state: ValidatorState, usage: JsonValue): void {
  if (!isJsonObject(usage)) return violate(state, "usageMetadata is not an object");
  for (const [name, count] of Object.entries(usage)) {
    if (name.endsWith("TokenCount") && (!Number.isInteger(count) || Number(count) < 0)) {
      violate(state, `usageMetadata.${name} is not a count`);
    }
  }
}

function checkCandidate(state: ValidatorState, candidate: JsonValue): void {
  if (!isJsonObject(candidate)) return violate(state, "a candidate is not an object");
  const { index = 0, content } = candidate;
  const finishReason = candidate.finishReason ?? undefined;
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0) {
    return violate(state, "index of a candidate is not a count");
  }
  const finished = state.candidates.get(index) ?? false;
  state.candidates.set(index, finished || finishReason !== undefined);
  if (content !== undefined) checkContent(state, content, finished);
  if (finishReason === undefined) return;
  if (finished) violate(state, `candidate ${index} finishes twice`);
  if (typeof finishReason !== "string" || !/^[A-Z][A-Z_]*$/.test(finishReason)) {
    violate(state, "finishReason is not one of the format's names");
  }
}

function checkContent(state: ValidatorState, content: JsonValue, finished: boolean): void {
  if (!isJsonObject(content)) return violate(state, "content is not an object");
  const { role, parts } = content;
  if (role !== undefined && role !== "model") violate(state, "role is not model");
  if (parts === undefined) return;
  if (!Array.isArray(parts)) return violate(state, "parts is not an array");
  for (const part of parts) {
    if (finished && objectOf(part).text !== "") violate(state, "says more after the finish reason");
    checkPart(state, part);
  }
}

const dataMembers = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
  "audioTranscription",
];

function checkPart(state: ValidatorState, part: JsonValue): void {
  if (!isJsonObject(part)) return violate(state, "a part is not an object");
  const data = dataMembers.filter((member) => part[member] !== undefined);
  if (data.length > 1) violate(state, `a part holds ${data.join(" and ")}`);
  if (Object.keys(part).length === 0) violate(state, "a part is empty");
  if (part.text !== undefined && typeof part.text !== "string") {
    violate(state, "text is not a string");
  }
  if (part.thoughtSignature !== undefined && typeof part.thoughtSignature !== "string") {
    violate(state, "thoughtSignature is not a string");
  }
  if (part.functionCall !== undefined) checkCall(state, part.functionCall);
}

function checkCall(state: ValidatorState, call: JsonValue): void {
  if (!isJsonObject(call)) return violate(state, "functionCall is not an object");
  if (isPartial(call)) return;
  if (textOf(call.name) === "") violate(state, "functionCall has no name");
  if (call.args !== undefined && !isJsonObject(call.args)) {
    violate(state, "functionCall.args is not an object");
  }
  if (call.id !== undefined && textOf(call.id) === "") violate(state, "functionCall.id is empty");
}

function checkEnd(state: ValidatorState): void {
  if (state.failed) return;
  if (state.candidates.size === 0 && !state.blocked) violate(state, "the stream has no candidates");
  for (const [index, finished] of state.candidates) {
    if (!finished) violate(state, `candidate ${index} has no finish reason`);
  }
}
