import {
  assertVendorStateFits,
  type CanonicalRequest,
  GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import { atOnce, type Steps } from "../../pace.ts";
import type { EncodedRequest, TokenCountCodec } from "../codec.ts";
import { unwarmable } from "../request/cache.ts";
import { assertContentFits, assertToolsBesideMcp, withFinalSettings } from "../request/fit.ts";
import type { WireRequest } from "../wire.ts";
import { defined, isEmpty, objectOf, restOf } from "../wire_value.ts";
import { withEnumNames } from "./enums.ts";
import { addressOf, pathOf, streamVerb, vendorStateIn } from "./envelope.ts";
import { format, mark, ownFields, withOwnFields } from "./native.ts";
import { Notes } from "./notes.ts";
import { decodeOutput, encodeOutput, outputInstructions } from "./output.ts";
import { noteCitations } from "./part_encoder.ts";
import { decodeReasoning, encodeReasoning } from "./reasoning.ts";
import { contextOf, type RequestContext } from "./request_context.ts";
import { assertRequest } from "./schema.ts";
import {
  decodeSampling,
  decodeSettings,
  encodeSafety,
  encodeSampling,
  encodeServiceTier,
} from "./settings.ts";
import { normalised, protoNumber } from "./spelling.ts";
import { decodeToolChoice, encodeToolConfig, toolConfigRest, validated } from "./tool_choice.ts";
import { decodeTools, encodeTools } from "./tools.ts";
import { decodeInstructions, decodeTurns } from "./turn_decoder.ts";
import { encodeTurns } from "./turn_encoder.ts";

/** Throws `invalid_request` with the field's path in wire spelling. */
export function decodeRequest(wire: WireRequest): CanonicalRequest {
  const { model, verb } = addressOf(wire.path);
  return decodeBody(wire.body, model, verb === streamVerb);
}

function decodeBody(raw: JsonObject, model: string, stream: boolean): CanonicalRequest {
  try {
    const body = withEnumNames(normalised(raw));
    assertRequest(body);
    return decodeSpelled(body, model, stream);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new GatewayError("invalid_request", "Cannot decode request: it is nested too deeply", {
      cause,
    });
  }
}

export function* encodeRequest(whole: CanonicalRequest): Steps<EncodedRequest> {
  assertVendorStateFits(whole, format);
  const notes = new Notes();
  const request = withFinalSettings(whole, format, notes);
  yield;
  assertToolsBesideMcp(request, format);
  assertContentFits(request, format);
  const context = contextOf(request, notes);
  const verb = request.stream ? streamVerb : "generateContent";
  noteAbsent(request, context);
  const config = encodeGenerationConfig(request, context);
  const body = defined({
    ...restOf(objectOf(ownFields(request)), ["generationConfig", "toolConfig"]),
    ...yield* encodeConversation(request, context),
    generationConfig: isEmpty(config) ? undefined : config,
    safetySettings: request.safety?.map(encodeSafety),
    serviceTier: encodeServiceTier(request, context),
    labels: context.own ? request.metadata : undefined,
    store: context.own ? request.store : undefined,
  });
  const wire: WireRequest = {
    path: pathOf({ model: request.model, verb }),
    search: request.stream ? { alt: "sse" } : {},
    headers: {},
    body,
  };
  return { wire, notes: context.notes.list };
}

/** Encodes the members of a request that have tokens. */
function* encodeConversation(
  request: CanonicalRequest,
  context: RequestContext,
): Steps<JsonObject> {
  const tools = encodeTools(request.tools, context);
  return defined({
    contents: yield* encodeTurns(request, context),
    systemInstruction: encodeInstructions(request, context),
    tools: tools.length > 0 ? tools : undefined,
    ...encodeToolConfig(request, context),
  });
}

/** Members of `generationConfig` with a canonical home. */
const canonicalConfig = [
  "temperature",
  "topP",
  "topK",
  "candidateCount",
  "maxOutputTokens",
  "stopSequences",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
  "responseLogprobs",
  "logprobs",
  "thinkingConfig",
];

/** Top-level members with a canonical field; `model` comes from the address. */
const canonicalMembers = [
  "model",
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "safetySettings",
  "serviceTier",
  "labels",
  "store",
];

function decodeSpelled(body: JsonObject, model: string, stream: boolean): CanonicalRequest {
  const config = objectOf(body.generationConfig);
  const { output, taken } = decodeOutput(config);
  const configRest = restOf(config, [...canonicalConfig, ...taken]);
  const maxOutputTokens = protoNumber(config.maxOutputTokens);
  const instructionRest = restOf(objectOf(body.systemInstruction), ["role", "parts"]);
  const vendorState = vendorStateIn(body);
  return {
    model,
    stream,
    instructions: decodeInstructions(body.systemInstruction),
    turns: decodeTurns(body.contents),
    tools: validated(decodeTools(body.tools), body.toolConfig),
    ...decodeToolChoice(body.toolConfig),
    ...(output && { output }),
    sampling: decodeSampling(config),
    limits: maxOutputTokens === undefined ? {} : { maxOutputTokens },
    ...decodeReasoning(config.thinkingConfig),
    ...decodeSettings(body),
    ...(vendorState && { vendorState }),
    ...mark({
      ...restOf(body, canonicalMembers),
      ...toolConfigRest(body.toolConfig),
      ...(!isEmpty(instructionRest) && { systemInstruction: instructionRest }),
      ...(!isEmpty(configRest) && { generationConfig: configRest }),
    }),
  };
}

function encodeInstructions(
  request: CanonicalRequest,
  context: RequestContext,
): JsonObject | undefined {
  const { instructions } = request;
  for (const [index, part] of instructions.entries()) {
    context.notes.foreign(part.native, `instructions[${index}]`);
    noteCitations(part, `instructions[${index}]`, context);
  }
  const parts = instructions.filter(({ text }) => context.own || text !== "")
    .map((part) => withOwnFields({ text: part.text }, part));
  const asked = outputInstructions(request, context).map((text) => ({ text }));
  if (parts.length + asked.length === 0) return undefined;
  return { ...objectOf(ownFields(request)?.systemInstruction), parts: [...parts, ...asked] };
}

function encodeGenerationConfig(
  request: CanonicalRequest,
  context: RequestContext,
): JsonObject {
  const thinkingConfig = encodeReasoning(request, context);
  return defined({
    ...objectOf(ownFields(request)?.generationConfig),
    ...encodeSampling(request, context),
    maxOutputTokens: request.limits.maxOutputTokens,
    ...encodeOutput(request, context),
    thinkingConfig,
  });
}

/** Notes members that this format cannot express. Cache marks cause no note: its cache needs none. */
function noteAbsent(request: CanonicalRequest, { notes, own }: RequestContext): void {
  if (request.caching?.prewarm) throw unwarmable("the generate-content format has none");
  notes.foreign(request.native, "native");
  if (request.sampling.logitBias) notes.add("logitBias");
  if (request.limits.maxToolCalls !== undefined) notes.add("maxToolCalls");
  if (request.parallelToolCalls === false && request.tools.length > 0) {
    notes.add("parallelToolCalls");
  }
  if (request.verbosity !== undefined && request.verbosity !== "medium") notes.add("verbosity");
  if (request.endUser !== undefined) notes.add("endUser");
  if (request.metadata && !own) notes.add("metadata");
  if (request.store === true && !own) notes.add("store");
}

/** `:countTokens`: the contents alone, or the whole generation request. */
export const tokenCount: TokenCountCodec = {
  decodeRequest({ path, body }) {
    const { model } = addressOf(path);
    const { generateContentRequest: inner } = normalised(body);
    return decodeBody(isJsonObject(inner) ? inner : body, model, false);
  },

  /** Sends the whole request: tools and instructions have tokens, too, and are counted only there. */
  encodeRequest(whole: CanonicalRequest): WireRequest {
    const notes = new Notes();
    const request = withFinalSettings(whole, format, notes);
    const { model } = request;
    const { contents, ...others } = atOnce(
      encodeConversation(request, contextOf(request, notes)),
    );
    const generateContentRequest = { model: `models/${model}`, contents, ...others };
    return {
      path: pathOf({ model, verb: "countTokens" }),
      search: {},
      headers: {},
      body: Object.keys(others).length > 0 ? { generateContentRequest } : { contents },
    };
  },

  decodeResponse(body) {
    const total = isJsonObject(body) ? protoNumber(body.totalTokens) : undefined;
    if (total !== undefined && total >= 0) return Math.trunc(total);
    throw new GatewayError(
      "upstream_invalid_response",
      "Cannot decode response: totalTokens must be a number",
    );
  },

  encodeResponse(inputTokens) {
    return { totalTokens: inputTokens };
  },
};
