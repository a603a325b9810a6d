import {
  assertVendorStateFits,
  type CanonicalRequest,
  type JsonObject,
} from "../../canonical/mod.ts";
import type { Steps } from "../../pace.ts";
import type { Dialect, EncodedRequest } from "../codec.ts";
import { assertContentFits, assertToolsBesideMcp, withFinalSettings } from "../request/fit.ts";
import { isUnnamedTier, traitsOf } from "../request/settings.ts";
import type { WireRequest } from "../wire.ts";
import { defined, isEmpty, objectOf, statesOnly, textOf } from "../wire_value.ts";
import { fittedToDialect, inDialect } from "./dialect.ts";
import { extraMembers, format, mark, ownFields } from "./native.ts";
import { Notes } from "./notes.ts";
import { decodeOutput, encodeOutput, isKnownOutput, withJsonWord } from "./output.ts";
import { decodeReasoning, encodeReasoning, reasoningExtensions } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";
import { assertRequest } from "./schema.ts";
import { aliasesIn, decodeSettings, encodeSettings } from "./settings.ts";
import { decodeToolChoice, encodeToolChoice } from "./tool_choice.ts";
import { decodeTools, encodeTools, usesFunctions } from "./tools.ts";
import { decodeMessages } from "./turn_decoder.ts";
import { encodeMessages } from "./turn_encoder.ts";

/** Members with a canonical home; all others stay in `native`. */
const canonicalMembers = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_completion_tokens",
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "n",
  "stop",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "seed",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning_effort",
  ...reasoningExtensions,
  "verbosity",
  "metadata",
  "store",
  "service_tier",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "web_search_options",
  "usage",
]);
const streamMembers = new Set(["include_usage", "include_obfuscation"]);

export function decodeRequest({ body }: WireRequest): CanonicalRequest {
  const messages = assertRequest(body);
  const spelling = spellingOf(body);
  return {
    model: textOf(body.model),
    stream: body.stream === true,
    ...decodeMessages(messages),
    tools: decodeTools(body),
    ...decodeToolChoice(body),
    ...decodeOutput(body.response_format),
    ...decodeReasoning(body),
    ...decodeSettings(body),
    ...mark(nativeMembers(body)),
    ...(!isEmpty(spelling) && { spelling: { format, fields: spelling } }),
  };
}

export function* encodeRequest(asked: CanonicalRequest, dialect?: Dialect): Steps<EncodedRequest> {
  assertVendorStateFits(asked, format);
  const notes = new Notes();
  const whole = withFinalSettings(asked, format, notes);
  assertToolsBesideMcp(whole, format);
  yield;
  assertContentFits(whole, format);
  yield;
  const own = ownFields(whole);
  const context: RequestContext = {
    notes,
    own: own !== undefined,
    traits: traitsOf(whole.model),
    ...(dialect && { dialect }),
  };
  const request = fittedToDialect(whole, context);
  const messages = encodeMessages(request, context);
  yield;
  const tools = encodeTools(request, context);
  const body: JsonObject = {
    ...own,
    model: request.model,
    messages: withJsonWord(messages, request, context),
    ...(request.stream && { stream: true }),
    ...tools,
    ...encodeToolChoice(request, tools, context),
    ...encodeOutput(request, context),
    ...encodeReasoning(request, context),
    ...extensions(request),
    ...withOwnOptions(encodeSettings(request, context), own),
  };
  noteAbsent(request, context);
  const sent = inDialect(body, context);
  const wire = { path: "/chat/completions", search: {}, headers: {}, body: sent };
  return { wire, notes: context.notes.list };
}

/** The caller's choice among equivalent members: aliases, extensions, deprecated functions. */
function spellingOf(body: JsonObject): JsonObject {
  const extended = reasoningExtensions.filter((name) =>
    body[name] !== undefined && body[name] !== null
  );
  return {
    ...aliasesIn(body),
    ...Object.fromEntries(extended.map((name) => [name, body[name]])),
    ...(usesFunctions(body) && { functions: true }),
  };
}

function extensions({ spelling }: CanonicalRequest): JsonObject {
  if (spelling?.format !== format) return {};
  return Object.fromEntries(
    reasoningExtensions.filter((name) => spelling.fields[name] !== undefined)
      .map((name) => [name, spelling.fields[name]]),
  );
}

function nativeMembers(body: JsonObject): JsonObject {
  const options = extraMembers(objectOf(body.stream_options), streamMembers);
  const { functions, function_call, response_format, ...rest } = extraMembers(
    body,
    canonicalMembers,
  );
  return {
    ...rest,
    ...(!isEmpty(options) && { stream_options: options }),
    ...(isUnnamedTier(body.service_tier) && { service_tier: body.service_tier }),
    ...(!usesFunctions(body) && defined({ functions, function_call })),
    ...(response_format !== undefined && !isKnownOutput(response_format) && { response_format }),
    ...(!statesOnly(objectOf(body.usage), ["include"]) && { usage: body.usage }),
  };
}

function withOwnOptions(settings: JsonObject, own: JsonObject | undefined): JsonObject {
  if (!own?.stream_options) return settings;
  return {
    ...settings,
    stream_options: { ...objectOf(own.stream_options), ...objectOf(settings.stream_options) },
  };
}

function noteAbsent(request: CanonicalRequest, { notes }: RequestContext): void {
  if (request.safety?.length) notes.add("safety");
  notes.foreign(request.native, "native");
}
