import {
  type Alternative,
  type CanonicalResponse,
  isJsonObject,
  type JsonObject,
  type Part,
  sealContinuation,
  type TextPart,
  type ToolCallPart,
} from "../../../canonical/mod.ts";
import { invalidAnswer, withContent } from "../../error.ts";
import type { EncoderContext } from "../../codec.ts";
import { isEmpty, numberOrNothing, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import {
  callerCalls,
  decodeCalls,
  encodeCall,
  encodeSignature,
  madeCallId,
  wantsFunctionCall,
} from "../calls.ts";
import { decodeStreamError } from "../error.ts";
import { encodeImage } from "../media.ts";
import { extraMembers, format, mark, ownFields } from "../native.ts";
import { decodeThoughts, encodeThoughts } from "../thoughts.ts";
import { assistantMembers, decodeSaid, encodeAnnotations, encodeAudio } from "./part.ts";
import { decodeEnding, encodeFinishReason, nativeOf } from "./finish.ts";
import { encodeLogprobs, withLogprobs } from "./logprobs.ts";
import { decodeUsage, encodeUsage, usageIn } from "./usage.ts";

/** Members of an answer with a canonical home. */
export const answerMembers = new Set([
  "id",
  "object",
  "created",
  "model",
  "choices",
  "usage",
  "obfuscation",
]);

export function decodeResponse(body: unknown): CanonicalResponse {
  const wire = assertAnswer(body);
  const created = numberOrNothing(wire.created);
  const usage = usageIn(wire);
  const choices = inOrder(objectsOf(wire.choices));
  return withContent({
    id: textOf(wire.id),
    model: textOf(wire.model),
    ...(created !== undefined && { createdAtMs: created * 1000 }),
    alternatives: choices.map((choice, index) => decodeChoice(choice, index, textOf(wire.id))),
    ...(usage && { usage: decodeUsage(usage, wire.service_tier) }),
    ...mark(extraMembers(wire, answerMembers)),
  }, choices.some(({ finish_reason }) => textOf(finish_reason) !== ""));
}

export function encodeResponse(response: CanonicalResponse, context: EncoderContext): JsonObject {
  const own = ownFields(response);
  const created = response.createdAtMs ?? context.createdAtMs;
  return {
    ...own,
    id: own && response.id !== "" ? response.id : completionId(context.requestId),
    object: "chat.completion",
    created: Math.floor(created / 1000),
    model: own && response.model !== "" ? response.model : context.model,
    choices: response.alternatives.map((alternative, index) =>
      encodeChoice(alternative, index, { ...context, own: own !== undefined })
    ),
    ...(response.usage && { usage: encodeUsage(response.usage) }),
  };
}

/** Some routers send an error with status 200. */
function assertAnswer(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw invalidAnswer("the body must be an object");
  const choices = objectsOf(body.choices);
  if (choices.length === 0) {
    if (body.error) throw decodeStreamError(body);
    throw invalidAnswer("choices must contain at least one choice");
  }
  const failed = choices.find(({ error }) => isJsonObject(error));
  if (failed) throw decodeStreamError(failed);
  const broken = choices.findIndex(({ message }) => !isJsonObject(message));
  if (broken >= 0) throw invalidAnswer(`choices[${broken}].message must be an object`);
  return body;
}

function inOrder(choices: readonly JsonObject[]): readonly JsonObject[] {
  return choices.length < 2 ? choices : choices.toSorted((a, b) => indexOf(a) - indexOf(b));
}

function indexOf({ index }: JsonObject): number {
  return numberOrNothing(index) ?? 0;
}

function decodeChoice(choice: JsonObject, alternative: number, answer: string): Alternative {
  const message = objectOf(choice.message);
  const parts: Part[] = [...decodeThoughts(message), ...decodeSaid(message)];
  if (message.tool_calls || message.function_call) {
    const calls = decodeCalls(message, (position) => madeCallId(answer, alternative, position));
    parts.push(...calls.filter((call) => isNamed(call, choice)));
  }
  const rest = extraMembers(message, assistantMembers);
  const rated = withLogprobs(parts, choice);
  return { parts: rated.parts, ...decodeEnding(rated.choice, parts, rest), ...rated.stray };
}

/**
 * Returns true if a call has a name. A call that a limit cut off before its name is left out, as in
 * a stream; every other call must have one.
 */
function isNamed(part: Part, { finish_reason }: JsonObject): boolean {
  if (part.type !== "tool-call" || part.name !== "") return true;
  if (finish_reason === "length") return false;
  throw invalidAnswer("a tool call has no name");
}

type AnswerContext = EncoderContext & { readonly own: boolean };

function encodeChoice(
  alternative: Alternative,
  index: number,
  context: AnswerContext,
): JsonObject {
  const native = nativeOf(alternative, context.own);
  const calls = callsOf(alternative.parts, index, context);
  const deprecated = wantsFunctionCall(context);
  const logprobs = encodeLogprobs(alternative);
  return {
    logprobs,
    ...native.choice,
    ...(logprobs && { logprobs: { ...objectOf(native.choice.logprobs), ...logprobs } }),
    index,
    message: { ...native.message, ...encodeMessage(alternative.parts, calls, context) },
    finish_reason: encodeFinishReason(alternative.finishReason, {
      calls: calls.length > 0,
      deprecated,
    }),
  };
}

function encodeMessage(
  parts: readonly Part[],
  calls: readonly ToolCallPart[],
  context: AnswerContext,
): JsonObject {
  const texts = parts.filter((part): part is TextPart => part.type === "text");
  const refusal = parts.flatMap((part) => part.type === "refusal" ? [part.text] : []).join("");
  const annotations = encodeAnnotations(texts);
  const images = parts.flatMap(encodeAnswerImage);
  const audio = parts.find((part) => part.type === "audio");
  const silent = calls.length > 0 || refusal !== "" || audio !== undefined;
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.map(({ text }) => text).join("") : silent ? null : "",
    refusal: refusal === "" ? null : refusal,
    ...encodeThoughts(parts.filter((part) => part.type === "reasoning")),
    ...(annotations.length > 0 && { annotations }),
    ...(audio && { audio: encodeAudio(audio, context) }),
    ...(images.length > 0 && { images }),
    ...encodeSignature(texts.map(proofOf).find((proof) => proof !== undefined)),
    ...encodeCalls(parts, calls, context),
  };
}

function callsOf(
  parts: readonly Part[],
  alternative: number,
  context: AnswerContext,
): ToolCallPart[] {
  const { named, whole } = callerCalls(context);
  return parts.filter((part) => part.type === "tool-call").map((part, position) => ({
    ...whole(named(part)),
    id: part.id || madeCallId(context.requestId, alternative, position),
  }));
}

function encodeCalls(
  parts: readonly Part[],
  calls: readonly ToolCallPart[],
  context: AnswerContext,
): JsonObject {
  const [first] = calls;
  if (first && wantsFunctionCall(context)) {
    return { function_call: { name: first.name, arguments: first.arguments } };
  }
  const unknown = parts.filter((part) => part.type === "native" && part.format === format)
    .flatMap((part) => part.type === "native" ? objectsOf([part.value]) : []);
  const wire = [...calls.map((call) => encodeCall(call, call.name, proofOf(call))), ...unknown];
  return isEmpty(wire) ? {} : { tool_calls: wire };
}

/**
 * The images of an answer in the member that routers of this format use; an image that only its
 * vendor can read is left out.
 */
export function encodeAnswerImage(part: Part): JsonObject[] {
  if (part.type !== "image") return [];
  const { type } = part.source;
  return type === "base64" || type === "url" ? [encodeImage(part, "image")] : [];
}

/** The opaque string of a part's continuation. */
export function proofOf({ continuation }: TextPart | ToolCallPart): string | undefined {
  return continuation && sealContinuation(format, continuation);
}

export function completionId(requestId: string): string {
  return `chatcmpl-${requestId.replace(/^req_/, "")}`;
}
