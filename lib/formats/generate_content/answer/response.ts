import {
  type Alternative,
  callerToolName,
  type CanonicalResponse,
  collect,
  isJsonObject,
  type JsonObject,
  type Part,
  type TokenLogprob,
} from "../../../canonical/mod.ts";
import { invalidAnswer, withContent } from "../../error.ts";
import type { EncoderContext } from "../../codec.ts";
import { isEmpty, objectOf, objectsOf, textOf } from "../../wire_value.ts";
import { withEnumNames } from "../enums.ts";
import { decodeError, errorOf } from "../error.ts";
import { ownFields } from "../native.ts";
import { sealProof } from "../proof.ts";
import { encodeGrounding, type GroundedText } from "./citations.ts";
import { decodeWhole } from "./event_decoder.ts";
import { encodeTokens } from "./logprobs.ts";
import {
  bareProof,
  encodeCall,
  encodeCandidate,
  encodeWholePart,
  hasReadableArguments,
} from "./part_writer.ts";
import { encodeUsage } from "./usage.ts";

/** Throws `upstream_invalid_response` for a body that is not an answer, or the error within it. */
export function decodeResponse(body: unknown): CanonicalResponse {
  if (!isEmpty(errorOf(body))) throw decodeError({ status: 500, headers: {}, body });
  if (!isJsonObject(body)) throw invalidAnswer("the body must be a JSON object");
  try {
    return withContent(collect(decodeWhole(body)), statesEnd(withEnumNames(body)));
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidAnswer("it is nested too deeply", cause);
    throw cause;
  }
}

export function encodeResponse(response: CanonicalResponse, context: EncoderContext): JsonObject {
  const own = ownFields(response);
  const callerName = callerToolName(context.request.tools);
  const blocked = own && isBlockedPrompt(own, response.alternatives);
  return {
    ...own,
    ...(!blocked && {
      candidates: response.alternatives.map((alternative, index) =>
        encodeAlternative(alternative, { index, own: own !== undefined, callerName, context })
      ),
    }),
    ...(response.usage && { usageMetadata: encodeUsage(response.usage) }),
    modelVersion: own ? response.model : context.model,
    responseId: (own && response.id) || context.requestId,
  };
}

function statesEnd({ candidates }: JsonObject): boolean {
  return objectsOf(candidates).some(({ finishReason }) => textOf(finishReason) !== "");
}

/** A blocked prompt has no candidate, only `promptFeedback`. */
function isBlockedPrompt(own: JsonObject, alternatives: readonly Alternative[]): boolean {
  return textOf(objectOf(own.promptFeedback).blockReason) !== "" &&
    alternatives.every(({ parts, native }) => parts.length === 0 && !native);
}

interface Place {
  readonly index: number;
  readonly own: boolean;
  readonly callerName: (name: string) => string;
  readonly context: EncoderContext;
}

function encodeAlternative(alternative: Alternative, place: Place): JsonObject {
  const { index, own, callerName, context } = place;
  const parts: JsonObject[] = [];
  const texts: GroundedText[] = [];
  let held: string | undefined;
  for (const [position, part] of usableParts(alternative).entries()) {
    const proof = part.continuation && sealProof(part.continuation);
    if (part.type === "reasoning" && part.text === "" && proof !== undefined) {
      if (held !== undefined) parts.push(bareProof(held));
      held = proof;
      continue;
    }
    const bearer = part.type === "text" || part.type === "tool-call";
    const borne = proof ?? (bearer ? held : undefined);
    if (proof === undefined && bearer) held = undefined;
    if (part.type === "text" && part.citations) {
      texts.push({ partIndex: parts.length, text: part.text, citations: part.citations });
    }
    const wire = part.type === "tool-call"
      ? encodeCall(part, {
        own,
        callerName,
        fallbackId: `call_${context.requestId}_${index}_${position}`,
      })
      : encodeWholePart(part);
    if (wire) parts.push(borne === undefined ? wire : { ...wire, thoughtSignature: borne });
  }
  if (held !== undefined) parts.push(bareProof(held));
  const tokens = tokensOf(alternative);
  return encodeCandidate(alternative, {
    index,
    tokens: encodeTokens(tokens, tokens),
    parts: parts.length > 0 || own ? parts : [{ text: "" }],
    grounding: encodeGrounding(texts),
  });
}

function tokensOf({ parts, logprobs = [] }: Alternative): TokenLogprob[] {
  const said = parts.flatMap((part) =>
    part.type === "text" || part.type === "refusal" ? part.logprobs ?? [] : []
  );
  return [...said, ...logprobs];
}

/** A call that the limit cut off looks like a whole one here, so it is left out. */
function usableParts({ parts, finishReason }: Alternative): readonly Part[] {
  const last = parts.at(-1);
  const cut = last?.type === "tool-call" && !hasReadableArguments(last) &&
    (finishReason === "length" || finishReason === "context-full" ||
      finishReason === "content-filter");
  return cut ? parts.slice(0, -1) : parts;
}
