import { isEmpty, objectIn, objectsOf, restOf } from "../wire_value.ts";
import {
  type CanonicalRequest,
  continueText,
  isJsonObject,
  type JsonObject,
  type NativePart,
  type Part,
  type ReasoningPart,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../../canonical/mod.ts";
import { encodeFunctionResponse } from "./function_response.ts";
import { isMadeHere, safeCallId } from "./ids.ts";
import { encodeMedia, isMedia } from "./media.ts";
import { format, keep, ownFields, withOwnFields, wrapped } from "./native.ts";
import { noProof, ownProof } from "./proof.ts";
import { type RequestContext, sentToolName } from "./request_context.ts";

interface Content {
  readonly role: "user" | "model";
  readonly parts: JsonObject[];
  readonly turn: Turn;
}

/** The turns as contents that alternate, each result beside its fellows before any other part. */
export function encodeTurns({ turns }: CanonicalRequest, context: RequestContext): JsonObject[] {
  const contents = turns.map((turn, index) => encodeTurn(turn, `turns[${index}]`, context));
  const merged = context.own ? contents : asked(mergedByRole(contents.filter(isSaying)), context);
  if (context.traits.signed) withstandMissingProofs(merged);
  return merged.map((content) =>
    withOwnFields(
      { role: content.role, ...(isSaying(content) && { parts: content.parts }) },
      content.turn,
    )
  );
}

/** The vendor refuses a prompt of system text alone. */
function asked(contents: Content[], { notes }: RequestContext): Content[] {
  if (contents.length > 0) return contents;
  notes.add("userTurn");
  const turn: Turn = { role: "user", parts: [continueText] };
  return [{ role: "user", parts: [{ text: continueText.text }], turn }];
}

/** A truncated answer may have said nothing; the vendor takes it back as it is. */
function isSaying({ parts }: Content): boolean {
  return parts.length > 0;
}

function encodeTurn(turn: Turn, path: string, context: RequestContext): Content {
  const { notes, own } = context;
  notes.foreign(turn.native, path);
  switch (turn.role) {
    case "assistant":
      return { role: "model", parts: encodeSteps(turn.parts, path, context), turn };
    case "user": {
      const parts = encodeUserParts(turn.parts, path, context);
      return { role: "user", parts: own ? parts : resultsFirst(parts), turn };
    }
    case "system":
      notes.add("systemTurn", path);
      return { role: "user", parts: encodeSystemTurn(turn, path, context), turn };
    default:
      return turn.role satisfies never;
  }
}

/** The vendor has no system message between turns; the tag is the one that models know for it. */
function encodeSystemTurn({ parts }: Turn, path: string, context: RequestContext): JsonObject[] {
  const text = textsOf(parts, path, context).join("\n\n");
  const media = parts.flatMap((part, index) =>
    isMedia(part) ? encodePart(part, `${path}.parts[${index}]`, context) : []
  );
  return [
    ...(text === "" ? [] : [{ text: `<system-reminder>\n${text}\n</system-reminder>` }]),
    ...media,
  ];
}

function encodeUserParts(parts: readonly Part[], path: string, context: RequestContext) {
  return parts.flatMap((part, index) => encodePart(part, `${path}.parts[${index}]`, context));
}

/**
 * The parts of a model's turn. A proof of this vendor that came back in a reasoning part of its own
 * (other formats have no other place for it) returns to the part that follows.
 */
function encodeSteps(parts: readonly Part[], path: string, context: RequestContext): JsonObject[] {
  const steps: JsonObject[] = [];
  let held: { thoughtSignature?: string } = {};
  for (const [index, part] of parts.entries()) {
    if (isStrayProof(part)) {
      steps.push(...bareProof(held));
      held = ownProof(part.continuation);
      continue;
    }
    const place = `${path}.parts[${index}]`;
    for (const wire of encodePart(part, place, { ...context, ...heldFor(held) })) {
      const bearer = part.type !== "native" && ("functionCall" in wire || "text" in wire);
      if (bearer && wire.thoughtSignature === undefined && wire.thought !== true) {
        steps.push({ ...wire, ...held });
        held = {};
      } else steps.push(wire);
    }
  }
  return [...steps, ...bareProof(held)];
}

/** An empty text is only kept where it carries a proof. */
function heldFor({ thoughtSignature }: { thoughtSignature?: string }): { keepsEmpty?: boolean } {
  return thoughtSignature === undefined ? {} : { keepsEmpty: true };
}

function isStrayProof(part: Part): part is ReasoningPart {
  return part.type === "reasoning" && !ownFields(part) && part.continuation?.issuer === format;
}

function bareProof(proof: { thoughtSignature?: string }): JsonObject[] {
  return proof.thoughtSignature === undefined ? [] : [{ text: "", ...proof }];
}

interface PartContext extends RequestContext {
  readonly keepsEmpty?: boolean;
}

function encodePart(part: Part, path: string, context: PartContext): JsonObject[] {
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
  const { notes, own, keepsEmpty } = context;
  const proof = ownProof(part.continuation);
  if (text === "" && !own && !keepsEmpty && isEmpty(proof)) return [];
  if (part.type === "text" && part.citations?.length) notes.add("citations", `${path}.citations`);
  return [withOwnFields({ text, ...proof }, part)];
}

/** A part that only this format knows as it was, another format's in words. */
function encodeNative(part: NativePart, path: string, context: PartContext): JsonObject[] {
  if (part.format === format && isJsonObject(part.value)) return [part.value];
  const said = context.notes.asText(part, path);
  return said ? encodeText(said.text, said, path, context) : [];
}

/** All that the parts say in text, items of other formats in words. */
function textsOf(parts: readonly Part[], path: string, { notes }: RequestContext): string[] {
  return parts.flatMap((part, index) => {
    if (part.type === "text" || part.type === "refusal") return [part.text];
    if (part.type !== "native" || part.format === format) return [];
    return notes.asText(part, `${path}.parts[${index}]`)?.text ?? [];
  });
}

/** Thoughts that this format wrote go back as they were; those of others have no proof that counts here. */
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
  const wire = withOwnFields({ functionResponse }, keep(restOf(ownFields(part) ?? {}, [wrapped])));
  return inside.length > 0 ? [wire] : [wire, ...media]; // older models take media beside the result only
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
  const asWritten = ownFields(part)?.[wrapped];
  return isJsonObject(asWritten) ? asWritten : encodeFunctionResponse(text, part.isError);
}

/** Results stand first, whatever else the user said with them; media of older models follow them. */
function resultsFirst(parts: readonly JsonObject[]): JsonObject[] {
  const results = parts.filter((part) => "functionResponse" in part);
  return [...results, ...parts.filter((part) => !("functionResponse" in part))];
}

function mergedByRole(contents: readonly Content[]): Content[] {
  const merged: Content[] = [];
  for (const content of contents) {
    const last = merged.at(-1);
    if (last?.role !== content.role) merged.push({ ...content, parts: [...content.parts] });
    else for (const part of content.parts) last.parts.push(part);
  }
  return merged.map((content) =>
    content.role === "user" ? { ...content, parts: resultsFirst(content.parts) } : content
  );
}

/**
 * Models of the third generation refuse a step of the current turn whose first call lacks its
 * signature (2025-11). Where it is lost, the vendor's own stand-in says so.
 */
function withstandMissingProofs(contents: readonly Content[]): void {
  const asked = contents.findLastIndex(({ role, parts }) =>
    role === "user" && !parts.some((part) => "functionResponse" in part)
  );
  for (const { role, parts } of contents.slice(asked + 1)) {
    if (role !== "model") continue;
    const first = parts.findIndex((part) => "functionCall" in part);
    if (first >= 0 && parts[first].thoughtSignature === undefined) {
      parts[first] = { ...parts[first], thoughtSignature: noProof };
    }
  }
}
