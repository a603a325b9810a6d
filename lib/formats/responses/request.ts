import {
  assertVendorStateFits,
  type CanonicalRequest,
  GatewayError,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import { atOnce, type Steps } from "../../pace.ts";
import type { EncodedRequest, TokenCountCodec } from "../codec.ts";
import { unsupported } from "../error.ts";
import { assertContentFits, withFinalSettings } from "../request/fit.ts";
import { isUnnamedTier } from "../request/settings.ts";
import type { WireRequest } from "../wire.ts";
import { defined, objectOf, restOf, textOf } from "../wire_value.ts";
import { format, mark, ownFields } from "./native.ts";
import { Notes } from "./notes.ts";
import { decodeText, isKnownFormat } from "./output.ts";
import { decodeReasoning } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";
import { assertRequest } from "./schema.ts";
import { decodeSettings, encodeSettings } from "./settings.ts";
import { decodeToolChoice } from "./tool_choice.ts";
import { decodeTools } from "./tools.ts";
import { decodeInput } from "./turn_decoder.ts";
import { encodeConversation } from "./turn_encoder.ts";
import { vendorStateIn } from "./envelope.ts";

/** Members with a canonical field; all others, held state among them, stay in `native`. */
const canonicalMembers = [
  "model",
  "input",
  "instructions",
  "stream",
  "stream_options",
  "max_output_tokens",
  "max_tool_calls",
  "temperature",
  "top_p",
  "top_logprobs",
  "reasoning",
  "text",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "store",
  "metadata",
  "service_tier",
  "prompt_cache_key",
  "safety_identifier",
];

export function decodeRequest({ body }: WireRequest): CanonicalRequest {
  const items = assertRequest(body);
  const conversation = decodeInput(body.instructions, body.input, items);
  const vendorState = vendorStateIn(body);
  return {
    model: textOf(body.model),
    stream: body.stream === true,
    ...conversation,
    tools: [...decodeTools(body.tools), ...conversation.tools],
    ...decodeToolChoice(body.tool_choice),
    ...decodeText(objectOf(body.text)),
    ...decodeReasoning(body.reasoning),
    ...decodeSettings(body),
    ...(vendorState && { vendorState }),
    ...mark(nativeMembers(body)),
  };
}

export function* encodeRequest(whole: CanonicalRequest): Steps<EncodedRequest> {
  assertVendorStateFits(whole, format);
  const notes = new Notes();
  const request = withFinalSettings(whole, format, notes);
  yield;
  const context = { notes, own: ownFields(request) !== undefined };
  assertExpressible(request);
  assertContentFits(request, format);
  noteAbsent(request, notes);
  yield;
  const { instructions, input } = yield* encodeConversation(request, context);
  yield;
  const settings = encodeSettings(request, context);
  const body = defined({
    ...ownFields(request),
    model: request.model,
    ...(instructions !== undefined && { instructions }),
    ...(input.length > 0 || needsInput(request) ? { input } : {}),
    ...settings,
    ...(request.stream && { stream: true }),
    ...encodeStreamOptions(request),
  });
  const wire = {
    path: "/responses",
    search: {},
    headers: {},
    body: withJsonWord(body, request, context),
  };
  return { wire, notes: notes.list };
}

/** Members without a canonical field, also within objects that have one. */
function nativeMembers(body: JsonObject): JsonObject {
  const text = restOf(
    objectOf(body.text),
    isKnownFormat(body.text) ? ["format", "verbosity"] : ["verbosity"],
  );
  const options = restOf(objectOf(body.stream_options), ["include_obfuscation"]);
  return {
    ...restOf(body, canonicalMembers),
    ...(isUnnamedTier(body.service_tier) && { service_tier: body.service_tier }),
    ...(Object.keys(text).length > 0 && { text }),
    ...(Object.keys(options).length > 0 && { stream_options: options }),
  };
}

/** JSON mode is refused unless the word JSON occurs in the prompt. */
function withJsonWord(
  body: JsonObject,
  request: CanonicalRequest,
  { own, notes }: RequestContext,
): JsonObject {
  if (own || request.output?.type !== "json" || saysJson(request)) return body;
  notes.add("jsonMode");
  const instruction = "Respond with JSON.";
  const { instructions } = body;
  return {
    ...body,
    instructions: typeof instructions === "string"
      ? `${instructions}\n\n${instruction}`
      : instruction,
  };
}

function saysJson({ instructions, turns }: CanonicalRequest): boolean {
  const parts = [...instructions, ...turns.flatMap((turn) => turn.parts)];
  return parts.some((part) => part.type === "text" && /json/i.test(part.text));
}

/** Returns false if the prompt or the state that the request continues is stored. */
function needsInput(request: CanonicalRequest): boolean {
  const { prompt, previous_response_id, conversation } = ownFields(request) ?? {};
  return [prompt, previous_response_id, conversation].every((held) => held === undefined);
}

function encodeStreamOptions(request: CanonicalRequest): JsonObject {
  const own = objectOf(ownFields(request)?.stream_options);
  const obfuscation = request.streamOptions?.includeObfuscation;
  const options = defined({ ...own, include_obfuscation: obfuscation });
  return Object.keys(options).length > 0 ? { stream_options: options } : {};
}

function assertExpressible({ sampling }: CanonicalRequest): void {
  if ((sampling.alternatives ?? 1) <= 1) return;
  throw unsupported(
    "sampling.alternatives",
    "is more than 1, but the responses format returns one response",
  );
}

const absentSampling = [
  "topK",
  "seed",
  "presencePenalty",
  "frequencyPenalty",
  "logitBias",
] as const;

function noteAbsent(request: CanonicalRequest, notes: Notes): void {
  const { sampling, safety } = request;
  for (const name of absentSampling) if (sampling[name] !== undefined) notes.add(name);
  if (sampling.stopSequences?.length) notes.add("stopSequences");
  if (safety?.length) notes.add("safety");
  notes.foreign(request.native, "native");
}

/** The members that the counter accepts; it refuses those that only affect the answer. */
const members = [
  "model",
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning",
  "text",
  "truncation",
  "previous_response_id",
  "conversation",
  "personality",
];

export const tokenCount: TokenCountCodec = {
  decodeRequest,
  encodeRequest(request) {
    const { wire } = atOnce(encodeRequest(request));
    const body = Object.fromEntries(
      members.flatMap((name) => wire.body[name] === undefined ? [] : [[name, wire.body[name]]]),
    );
    return { ...wire, path: "/responses/input_tokens", body };
  },
  decodeResponse(body) {
    const tokens = isJsonObject(body) ? body.input_tokens : undefined;
    if (typeof tokens === "number" && Number.isInteger(tokens) && tokens >= 0) return tokens;
    throw new GatewayError(
      "upstream_invalid_response",
      "Cannot decode the upstream's token count: input_tokens is not a count",
    );
  },
  encodeResponse: (inputTokens) => ({ object: "response.input_tokens", input_tokens: inputTokens }),
};
