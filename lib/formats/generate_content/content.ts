import {
  type Continuation,
  isJsonObject,
  type JsonObject,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from "../../canonical/mod.ts";
import { isEmpty, objectOf, objectsOf, restOf, textOf } from "../wire_value.ts";
import { nativePart } from "./answer/hosted_markdown.ts";
import { decodeFunctionResponse, isVendorsWay } from "./function_response.ts";
import { decodeMedia } from "./media.ts";
import { format, keep, mark, wrapped } from "./native.ts";

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
      ...(!isVendorsWay(response) && { [wrapped]: response }),
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
