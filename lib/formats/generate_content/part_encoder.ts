import {
  type AudioPart,
  isJsonObject,
  type JsonObject,
  type NativePart,
  type Part,
  type ReasoningPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../canonical/mod.ts";
import { isEmpty, objectIn, objectsOf, restOf } from "../wire_value.ts";
import { encodeFunctionResponse } from "./content.ts";
import { isMadeHere, safeCallId } from "./ids.ts";
import { encodeMedia, isMedia } from "./media.ts";
import { format, keep, ownFields, withOwnFields, wrappedMember } from "./native.ts";
import { ownProof } from "./proof.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";

interface PartContext extends RequestContext {
  readonly keepsEmpty?: boolean;
}

export function encodePart(part: Part, path: string, context: PartContext): JsonObject[] {
  const { notes } = context;
  if (part.type !== "reasoning") notes.foreign(part.native, path);
  switch (part.type) {
    case "text":
      return encodeText(part.text, part, path, context);
    case "refusal":
      notes.add("refusal", path);
      return encodeText(part.text, part, path, context);
    case "image":
    case "audio":
    case "video":
    case "file":
      if (isReplayed(part)) return encodeTranscript(part, path, context);
      if (part.type === "image" && (part.detail ?? "auto") !== "auto") {
        notes.add("imageDetail", `${path}.detail`);
      }
      return [{ ...encodeMedia(part, path), ...ownProof(part.continuation) }];
    case "reasoning":
      return encodeReasoning(part, path, context);
    case "tool-call":
      return [encodeCall(part, path, context)];
    case "tool-result":
      return encodeResult(part, path, context);
    case "native":
      return encodeNative(part, path, context);
    default:
      return part satisfies never;
  }
}

function encodeText(text: string, part: Part, path: string, context: PartContext): JsonObject[] {
  const { own, keepsEmpty } = context;
  const proof = ownProof(part.continuation);
  if (text === "" && !own && !keepsEmpty && isEmpty(proof)) return [];
  noteCitations(part, path, context);
  return [withOwnFields({ text, ...proof }, part)];
}

/** Audio of a former answer, which its caller sends back by the id that only its vendor knows. */
function isReplayed(part: Part): part is AudioPart {
  return part.type === "audio" && part.source.type === "file-id" && part.source.format !== format;
}

function encodeTranscript(part: AudioPart, path: string, context: PartContext): JsonObject[] {
  const { transcript } = part;
  context.notes.add(transcript ? "transcript" : "assistantMedia", path);
  return transcript ? encodeText(transcript, part, path, context) : [];
}

/** Encodes a part of this format unchanged, and a part of another format as text. */
function encodeNative(part: NativePart, path: string, context: PartContext): JsonObject[] {
  if (part.format === format && isJsonObject(part.value)) return [part.value];
  const said = context.notes.asText(part, path);
  return said ? encodeText(said.text, said, path, context) : [];
}

/** The texts of the parts; items of other formats as text, too. */
export function textsOf(parts: readonly Part[], path: string, context: RequestContext): string[] {
  return parts.flatMap((part, index) => {
    const place = `${path}.parts[${index}]`;
    noteCitations(part, place, context);
    if (part.type === "text" || part.type === "refusal") return [part.text];
    if (part.type !== "native" || part.format === format) return [];
    return context.notes.asText(part, place)?.text ?? [];
  });
}

export function noteCitations(part: Part, path: string, { notes }: RequestContext): void {
  if (part.type === "text" && part.citations?.length) notes.add("citations", `${path}.citations`);
}

/** Reasoning of this format is sent back unchanged; other formats' signatures are not valid here. */
function encodeReasoning(part: ReasoningPart, path: string, context: PartContext): JsonObject[] {
  if (!ownFields(part) || (part.continuation && part.continuation.issuer !== format)) {
    context.notes.add("reasoningPart", path);
    return [];
  }
  return [withOwnFields({ text: part.text, thought: true, ...ownProof(part.continuation) }, part)];
}

function encodeCall(part: ToolCallPart, path: string, context: PartContext): JsonObject {
  const { id } = part;
  const functionCall = {
    ...(id !== "" && !isMadeHere(id) && { id: safeCallId(id) }),
    name: sentToolName(part),
    args: argumentsOf(part, path, context),
  };
  return withOwnFields({ functionCall, ...ownProof(part.continuation) }, part);
}

function argumentsOf(part: ToolCallPart, path: string, { notes }: PartContext): JsonObject {
  const text = part.arguments;
  if (part.kind === "custom") {
    notes.add("customCall", path);
    return { input: text };
  }
  const args = text.trim() === "" ? {} : objectIn(text);
  if (args) return args;
  notes.add("argumentsInvalid", `${path}.arguments`);
  return { input: text };
}

function encodeResult(part: ToolResultPart, path: string, context: PartContext): JsonObject[] {
  const { traits, own } = context;
  const media = part.parts.flatMap((inner, index) =>
    isMedia(inner) ? [encodeMedia(inner, `${path}.parts[${index}]`)] : []
  );
  const raw = part.parts.flatMap((inner) =>
    inner.type === "native" && inner.format === format ? objectsOf([inner.value]) : []
  );
  const inside = own || traits.signed ? [...media, ...raw] : [];
  const functionResponse = {
    ...idOf(part),
    name: nameOf(part, context),
    response: responseOf(part, textsOf(part.parts, path, context).join("\n")),
    ...(inside.length > 0 && { parts: inside }),
  };
  const wire = withOwnFields(
    { functionResponse },
    keep(restOf(ownFields(part) ?? {}, [wrappedMember])),
  );
  return inside.length > 0 ? [wire] : [wire, ...media]; // older models accept media only beside the result
}

function idOf(part: ToolResultPart): { id?: string } {
  const own = ownFields(part);
  if (part.callId === "" || isMadeHere(part.callId) || (own && "id" in own)) return {};
  return { id: safeCallId(part.callId) };
}

function nameOf({ callId, name }: ToolResultPart, { calledNames }: RequestContext): string {
  return calledNames.get(callId) ?? (name === undefined ? "unknown" : sentToolName({ name }));
}

function responseOf(part: ToolResultPart, text: string): JsonObject {
  const asWritten = ownFields(part)?.[wrappedMember];
  return isJsonObject(asWritten) ? asWritten : encodeFunctionResponse(text, part.isError);
}
