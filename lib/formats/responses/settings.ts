import {
  asksLogprobs,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
} from "../../canonical/mod.ts";
import { noteSteering } from "../notes.ts";
import { decodeCacheOptions } from "../request/cache.ts";
import {
  decodeServiceTier,
  encodeSafetyId,
  encodeServiceTier,
  sharedTiers,
  traitsOf,
} from "../request/settings.ts";
import {
  defined,
  flagOrNothing,
  listOf,
  numberOrNothing,
  objectOf,
  textOrNothing,
} from "../wire_value.ts";
import { isAdditional } from "./conversation_changes.ts";
import { encodeCaching } from "./cache.ts";
import { ownFields } from "./native.ts";
import { encodeText } from "./output.ts";
import { encodeReasoning } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";
import { encodeToolChoice, isForcing } from "./tool_choice.ts";
import { encodeTools } from "./tools.ts";

const logprobsInclude = "message.output_text.logprobs";
const reasoningInclude = "reasoning.encrypted_content";

/** Sampling, limits, routing, names and storage of a request. */
export function decodeSettings(body: JsonObject) {
  const obfuscation = objectOf(body.stream_options).include_obfuscation;
  return {
    sampling: decodeSampling(body),
    limits: defined({
      maxOutputTokens: numberOrNothing(body.max_output_tokens),
      maxToolCalls: numberOrNothing(body.max_tool_calls),
    }),
    ...defined({
      parallelToolCalls: flagOrNothing(body.parallel_tool_calls),
      store: flagOrNothing(body.store),
      serviceTier: decodeServiceTier(body),
      cacheKey: textOrNothing(body.prompt_cache_key),
      endUser: textOrNothing(body.safety_identifier) ?? textOrNothing(body.user),
    }),
    ...(isJsonObject(body.metadata) &&
      { metadata: body.metadata as Readonly<Record<string, string>> }), // sound: the schema allows only strings
    ...decodeCacheOptions(body),
    ...(typeof obfuscation === "boolean" && { streamOptions: { includeObfuscation: obfuscation } }),
  };
}

function decodeSampling(body: JsonObject) {
  return {
    ...defined({
      temperature: numberOrNothing(body.temperature),
      topP: numberOrNothing(body.top_p),
      topLogprobs: numberOrNothing(body.top_logprobs),
    }),
    ...decodeLogprobs(body),
  };
}

/** The vendor answers `top_logprobs` only if `include` asks for it, too (2025-09). */
function decodeLogprobs({ include, top_logprobs }: JsonObject): { logprobs?: boolean } {
  if (listOf(include).includes(logprobsInclude)) return { logprobs: true };
  return typeof top_logprobs === "number" ? { logprobs: false } : {};
}

/** The members of a request apart from its conversation; answers repeat them. */
export function encodeSettings(request: CanonicalRequest, context: RequestContext): JsonObject {
  const { notes, own } = context;
  const tools = encodeTools(request.tools.filter((tool) => !isAdditional(tool)), context);
  const { limits } = request;
  const reasoning = encodeReasoning(request, notes);
  const hasTools = tools.length > 0 || own;
  if (!hasTools && isForcing(request.toolChoice)) notes.add("toolChoice");
  return defined({
    ...(tools.length > 0 && { tools }),
    ...(hasTools ? encodeToolChoice(request.toolChoice, context) : {}),
    parallel_tool_calls: hasTools ? request.parallelToolCalls : undefined,
    ...encodeText(request, notes),
    ...reasoning,
    max_output_tokens: maxOutputTokens(request, context),
    max_tool_calls: limits.maxToolCalls,
    ...encodeSteering(request, objectOf(reasoning.reasoning).effort, context),
    store: encodeStore(request, context),
    metadata: request.metadata,
    service_tier: encodeServiceTier(request, context, serviceTiers),
    prompt_cache_key: request.cacheKey,
    prompt_cache_options: encodeCaching(request, context),
    ...encodeEndUser(request, context),
  });
}

/**
 * Reasoning models refuse other sampling settings (2025-11); a caller of this format gets the
 * vendor's own error.
 */
function encodeSteering(
  { model, sampling }: CanonicalRequest,
  effort: unknown,
  { own, notes }: RequestContext,
): JsonObject {
  const { temperature, topP } = sampling;
  const asks = asksLogprobs(sampling);
  if (own || effort === "none" || traitsOf(model).sampling) {
    return {
      temperature,
      top_p: topP,
      top_logprobs: own || asks ? sampling.topLogprobs : undefined,
      ...(!own && { include: includes(asks) }),
    };
  }
  noteSteering(sampling, notes);
  return { include: includes(false) };
}

const outputTokensMin = 16;

/** The vendor refuses less than 16; a caller of this format gets the vendor's own error. */
function maxOutputTokens({ limits, caching }: CanonicalRequest, { own, notes }: RequestContext) {
  const tokens = limits.maxOutputTokens;
  if (!own && caching?.prewarm) return outputTokensMin; // it has no answer
  if (own || tokens === undefined || tokens >= outputTokensMin) return tokens;
  notes.add("maxOutputTokens");
  return outputTokensMin;
}

/** Answers for callers of another format are not stored: those callers could never fetch or delete them. */
function encodeStore({ store }: CanonicalRequest, { own, notes }: RequestContext) {
  if (own) return store;
  if (store) notes.add("store");
  return false;
}

/** Requests for callers of another format are not stored, so the reasoning must come back sealed. */
function includes(logprobs: boolean): readonly string[] {
  return [reasoningInclude, ...(logprobs ? [logprobsInclude] : [])];
}

const serviceTiers = new Map([...sharedTiers, ["ultrafast", "ultrafast"]]);

/** Callers of this format keep the name that they used. */
function encodeEndUser(request: CanonicalRequest, context: RequestContext): JsonObject {
  const isKept = request.endUser !== undefined && ownFields(request)?.user === request.endUser;
  return isKept ? {} : encodeSafetyId(request, context);
}
