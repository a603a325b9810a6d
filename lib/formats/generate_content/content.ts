import {
  type Continuation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NativePart,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from "../../canonical/mod.ts";
import { block, line, listing, markdownText, type Piece } from "../answer/item_markdown.ts";
import {
  argumentsText,
  isEmpty,
  objectOf,
  objectsOf,
  restOf,
  textOf,
  textsOf,
} from "../wire_value.ts";
import { decodeMedia } from "./media.ts";
import { format, keep, mark, wrappedMember } from "./native.ts";

/** The author of a part, on which its reading depends. */
export interface PartReader {
  proofOf(signature: string): Continuation | undefined;
  callId(call: JsonObject): string;
  resultId(result: JsonObject): string;
}

/**
 * Decodes one wire part into one or two canonical ones: a signature of another vendor becomes a
 * reasoning part before it.
 */
export function decodePart(part: JsonObject, reader: PartReader): Part[] {
  const decoded = decodeData(part, reader);
  const proof = decoded.type === "native"
    ? undefined
    : reader.proofOf(textOf(part.thoughtSignature));
  if (!proof) return [decoded];
  if (proof.issuer === format || decoded.type === "reasoning") {
    return [{ ...decoded, continuation: proof }];
  }
  return [{ type: "reasoning", text: "", visibility: "redacted", continuation: proof }, decoded];
}

/** True if a finished candidate may still send this part: no text, but perhaps a signature. */
export function hasNoContent(part: JsonObject): boolean {
  return part.text === "" && isEmpty(restOf(part, ["text", "thought", "thoughtSignature"]));
}

function decodeData(part: JsonObject, reader: PartReader): Part {
  const thought = part.thought === true;
  if (typeof part.text === "string") return decodeText(part, part.text, thought);
  if (isJsonObject(part.functionCall)) return decodeCall(part, part.functionCall, reader);
  if (isJsonObject(part.functionResponse)) {
    return decodeResult(part, part.functionResponse, reader);
  }
  const rest = restOf(part, ["inlineData", "fileData", "thoughtSignature", "thought"]);
  if (!thought && (isJsonObject(part.inlineData) || isJsonObject(part.fileData))) {
    return decodeMedia(part, rest); // media inside reasoning are drafts, which no other format has
  }
  if (isEmpty(rest) && typeof part.thoughtSignature === "string") {
    return decodeText(part, "", thought);
  }
  return nativePart(part);
}

function decodeText(part: JsonObject, text: string, thought: boolean): Part {
  const rest = restOf(part, ["text", "thought", "thoughtSignature"]);
  return thought
    ? { type: "reasoning", text, visibility: "summary", ...mark(rest) }
    : { type: "text", text, ...keep(rest) };
}

function decodeCall(part: JsonObject, call: JsonObject, reader: PartReader): ToolCallPart | Part {
  const name = textOf(call.name);
  // fragments are joined elsewhere, and a call without a name calls nothing
  if (call.partialArgs || call.willContinue || name === "") {
    return nativePart(part);
  }
  const inner = restOf(call, ["name", "args", "id"]);
  return {
    type: "tool-call",
    id: reader.callId(call),
    name,
    arguments: JSON.stringify(objectOf(call.args)),
    kind: "function",
    ...keep({
      ...restOf(part, ["functionCall", "thoughtSignature"]),
      ...(!isEmpty(inner) && { functionCall: inner }),
    }),
  };
}

function decodeResult(part: JsonObject, result: JsonObject, reader: PartReader): ToolResultPart {
  const response = objectOf(result.response);
  const { texts, isError } = decodeFunctionResponse(response, textOf(result.name));
  const inner = restOf(result, ["name", "response", "id", "parts"]);
  return {
    type: "tool-result",
    callId: reader.resultId(result),
    ...(typeof result.name === "string" && { name: result.name }),
    kind: "function",
    parts: [
      ...texts.map((text) => ({ type: "text", text }) as const),
      ...objectsOf(result.parts).map((medium) => decodeResultMedium(medium)),
    ],
    isError,
    ...keep({
      ...restOf(part, ["functionResponse", "thoughtSignature"]),
      ...(!isVendorsWay(response) && { [wrappedMember]: response }),
      ...(textOf(result.id) === "" && { id: null }),
      ...(!isEmpty(inner) && { functionResponse: inner }),
    }),
  };
}

function decodeResultMedium(medium: JsonObject): Part {
  if (!isJsonObject(medium.inlineData) && !isJsonObject(medium.fileData)) {
    return nativePart(medium);
  }
  return decodeMedia(medium, restOf(medium, ["inlineData", "fileData"]));
}

/** A part that only this format has, with its content as Markdown. */
function nativePart(wire: JsonObject): NativePart {
  return { type: "native", format, value: wire, isContent: true, ...hostedMarkdown(wire) };
}

/** A hosted tool's part as Markdown; empty for drafts of media and parts of unknown kinds. */
function hostedMarkdown(wire: JsonObject): { text?: string } {
  return markdownText([
    ...executable(objectOf(wire.executableCode)),
    ...executed(objectOf(wire.codeExecutionResult)),
    ...called(objectOf(wire.toolCall)),
    ...answered(objectOf(wire.toolResponse)),
  ]);
}

function executable({ code, language }: JsonObject): Piece[] {
  const known = textOf(language);
  return block("Code", textOf(code), known === "LANGUAGE_UNSPECIFIED" ? "" : known);
}

const failures: Readonly<Record<string, string>> = {
  OUTCOME_FAILED: "The code failed.",
  OUTCOME_DEADLINE_EXCEEDED: "The code timed out.",
};

function executed({ outcome, output }: JsonObject): Piece[] {
  const failed = Object.hasOwn(failures, textOf(outcome)) ? failures[textOf(outcome)] : "";
  return [...line(failed), ...block("Output", textOf(output))];
}

/** A search shows its queries, any other tool all its arguments. */
function called({ toolType, args }: JsonObject): Piece[] {
  const name = textOf(toolType);
  const { query, queries } = objectOf(args);
  const asked = [...textsOf(queries), textOf(query)];
  if (name.startsWith("GOOGLE_SEARCH")) return listing("Web search", asked);
  return [...listing("Tool called", [name]), ...block("Arguments", argumentsText(args), "json")];
}

/** Search suggestions are HTML for a page and have no text for a reader. */
function answered({ response }: JsonObject): Piece[] {
  const said = restOf(objectOf(response), ["search_suggestions", "searchSuggestions"]);
  return isEmpty(said) ? [] : block("Output", argumentsText(said), "json");
}

/** The vendor's wrapper of a successful and of a failed call; any other object is the result itself. */
const outputKey = "output";
const errorKey = "error";

/**
 * Removes the wrapper that a client added: `output` and `error` (vendor), `result` (vendor's
 * automatic calling, LangChain), `content` (vendor's cloud samples), each perhaps beside the tool's
 * `name` (AI SDK), and `error.details` (LangChain). As of 2026-11. Any other object becomes JSON
 * text.
 */
function decodeFunctionResponse(response: JsonObject, toolName: string) {
  const isError = response[errorKey] !== undefined && response[outputKey] === undefined;
  if (isEmpty(response)) return { texts: [], isError };
  const { name, ...rest } = response;
  const inner = name !== undefined && name === toolName ? only(rest) : only(response);
  const details = isError && isJsonObject(inner) ? only(inner, ["details"]) : undefined;
  const [value = response] = [details, inner].filter((value) => value !== undefined);
  return { texts: saidTexts(value), isError };
}

/** Returns true if the vendor's own wrapper gives the same object. */
function isVendorsWay(response: JsonObject): boolean {
  const [value] = [response[outputKey], response[errorKey]].filter((said) => said !== undefined);
  return typeof value === "string" && Object.keys(response).length === 1;
}

export function encodeFunctionResponse(text: string, isError: boolean): JsonObject {
  return { [isError ? errorKey : outputKey]: text };
}

const wrappers = [outputKey, errorKey, "result", "content"];

/** The value of the only member of a wrapper. */
function only(object: JsonObject, names: readonly string[] = wrappers): JsonValue | undefined {
  const [key, ...others] = Object.keys(object);
  return others.length === 0 && names.includes(key) ? object[key] : undefined;
}

function saidTexts(value: JsonValue): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  const isTextList = Array.isArray(value) && value.length > 0 && value.every(isTextBlock);
  return isTextList ? value.map(({ text }) => textOf(text)) : [JSON.stringify(value)];
}

/** A text block of a tool server, without other members. */
function isTextBlock(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && typeof value.text === "string" &&
    (value.type ?? "text") === "text" &&
    isEmpty(restOf(value, ["type", "text"]));
}
