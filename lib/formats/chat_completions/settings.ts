import {
  asksLogprobs,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NativeFields,
  type OutputLimits,
  type Sampling,
} from "../../canonical/mod.ts";
import type { ReadText } from "../../json/mod.ts";
import { type Dialect, takesMember } from "../codec.ts";
import { noteSteering } from "../notes.ts";
import { decodeCacheOptions } from "../request/cache.ts";
import { withLimit } from "../request/envelope.ts";
import { decodeServiceTier, encodeSafetyId, encodeServiceTier } from "../request/settings.ts";
import {
  defined,
  flagOrNothing,
  isEmpty,
  noMembers,
  numberOrNothing,
  objectOf,
  textOrNothing,
} from "../wire_value.ts";
import { statedCost } from "./answer/usage_reader.ts";
import { encodeCaching } from "./cache.ts";
import { format } from "./native.ts";
import { effortOf } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";

type Settings = Pick<
  CanonicalRequest,
  | "sampling"
  | "limits"
  | "streamOptions"
  | "parallelToolCalls"
  | "store"
  | "metadata"
  | "serviceTier"
  | "verbosity"
  | "cacheKey"
  | "cache"
  | "caching"
  | "endUser"
>;

/** Reads the members of a request that are one number, flag or name. */
export function decodeSettings(body: JsonObject): Settings {
  const options = defined({
    includeUsage: flagOrNothing(objectOf(body.stream_options).include_usage) ??
      (statedCost.isAsked(body) || undefined),
    includeObfuscation: flagOrNothing(objectOf(body.stream_options).include_obfuscation),
  });
  return {
    sampling: decodeSampling(body),
    limits: decodeLimits(body),
    ...(!isEmpty(options) && { streamOptions: options }),
    ...decodeCacheOptions(body),
    ...defined({
      parallelToolCalls: flagOrNothing(body.parallel_tool_calls),
      store: flagOrNothing(body.store),
      metadata: membersThat(body.metadata, (text) => typeof text === "string"),
      serviceTier: decodeServiceTier(body),
      verbosity: verbosities.find((name) => name === body.verbosity),
      cacheKey: textOrNothing(body.prompt_cache_key),
      endUser: textOrNothing(body.safety_identifier) ?? textOrNothing(body.user),
    }),
  };
}

export function encodeSettings(request: CanonicalRequest, context: RequestContext): JsonObject {
  return defined({
    ...encodeSampling(request, context),
    ...encodeLimits(request, context),
    ...encodeEndUser(request, context),
    verbosity: request.verbosity,
    metadata: request.metadata,
    store: context.own || request.store ? request.store : undefined, // nothing is stored by default
    service_tier: encodeServiceTier(request, context),
    prompt_cache_key: request.cacheKey,
    prompt_cache_options: encodeCaching(request, context),
    stream_options: encodeStreamOptions(request, context),
  });
}

const verbosities = ["low", "medium", "high"] as const;

/** Aliases of one setting, highest precedence first. */
const limitNames = ["max_completion_tokens", "max_tokens"];

const endUserNames = ["safety_identifier", "user"];

/** Keeps the caller's own name for the limit; a server of another dialect may know only one of them. */
export function withOutputLimit(
  read: ReadText,
  tokens: number,
  dialect?: Dialect,
): ReadText {
  const [name] = limitNames;
  const names = { all: limitNames, unstated: dialect?.renames?.[name] ?? name };
  return withLimit(read, names, tokens);
}

/** Settings that the caller stated by an alias; kept with the request. */
export function aliasesIn(body: JsonObject): JsonObject {
  return Object.assign(
    {},
    ...[limitNames, endUserNames, topKNames].map((names) => {
      const said = names.filter((name) => body[name] !== undefined && body[name] !== null);
      const unusual = said.length > 1 || (said.length === 1 && said[0] !== names[0]);
      return unusual ? Object.fromEntries(said.map((name) => [name, body[name]])) : {};
    }),
  );
}

function decodeLimits(body: JsonObject): OutputLimits {
  return defined({
    maxOutputTokens: numberOrNothing(body.max_completion_tokens) ??
      numberOrNothing(body.max_tokens),
  });
}

/** A call without an answer still states a limit that servers accept. */
const prewarmTokens = 16;

function encodeLimits(request: CanonicalRequest, { own, notes }: RequestContext) {
  const { maxOutputTokens, maxToolCalls } = request.limits;
  if (maxToolCalls !== undefined) notes.add("maxToolCalls");
  if (!own && request.caching?.prewarm) return { max_completion_tokens: prewarmTokens };
  return spelled(request, limitNames, maxOutputTokens) ??
    { max_completion_tokens: maxOutputTokens };
}

function encodeEndUser(request: CanonicalRequest, context: RequestContext): JsonObject {
  return spelled(request, endUserNames, request.endUser) ?? encodeSafetyId(request, context);
}

/**
 * Requests usage wherever possible: the gateway meters every answer, and states it to a caller that
 * requested it.
 */
function encodeStreamOptions(
  { stream, streamOptions }: CanonicalRequest,
  { dialect }: RequestContext,
): JsonObject | undefined {
  if (!stream && !streamOptions) return undefined;
  const obfuscation = streamOptions?.includeObfuscation;
  const said = obfuscation === undefined ? {} : { include_obfuscation: obfuscation };
  if (stream && takesMember(dialect, "stream_options")) return { include_usage: true, ...said };
  const usage = streamOptions?.includeUsage;
  const all = { ...(usage !== undefined && { include_usage: usage }), ...said };
  return isEmpty(all) ? undefined : all;
}

/** The name that a caller of this format used among several aliases; undefined if it used the first. */
function spelled(
  { spelling }: { readonly spelling?: NativeFields },
  names: readonly string[],
  value: unknown,
): JsonObject | undefined {
  if (spelling?.format !== format) return undefined;
  const said = names.filter((name) => spelling.fields[name] !== undefined);
  if (said.length === 0 || spelling.fields[said[0]] !== value) return undefined;
  return Object.fromEntries(said.map((name) => [name, spelling.fields[name]]));
}

/** The vendor has no name for it, so the extension's name is always kept. */
const topKNames = ["", "top_k"];

function decodeSampling(body: JsonObject): Sampling {
  const { stop } = body;
  return defined({
    temperature: numberOrNothing(body.temperature),
    topP: numberOrNothing(body.top_p),
    topK: numberOrNothing(body.top_k),
    stopSequences: typeof stop === "string"
      ? [stop]
      : Array.isArray(stop)
      ? stop.filter((sequence) => typeof sequence === "string")
      : undefined,
    seed: numberOrNothing(body.seed),
    presencePenalty: numberOrNothing(body.presence_penalty),
    frequencyPenalty: numberOrNothing(body.frequency_penalty),
    logitBias: membersThat(body.logit_bias, (bias) => typeof bias === "number"),
    logprobs: flagOrNothing(body.logprobs),
    topLogprobs: numberOrNothing(body.top_logprobs),
    alternatives: numberOrNothing(body.n),
  });
}

function encodeSampling(request: CanonicalRequest, context: RequestContext) {
  const { notes } = context;
  const { sampling } = request;
  if (isEmpty(sampling)) return noMembers;
  const topK = spelled(request, topKNames, sampling.topK);
  if (sampling.topK !== undefined && !topK) notes.add("topK");
  return {
    ...encodeSteering(request, context),
    ...topK,
    stop: stopSequences(sampling, context),
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    n: sampling.alternatives,
  };
}

/**
 * Reasoning models refuse other sampling settings (2025-11); a caller of this format gets the
 * vendor's own error.
 */
function encodeSteering(request: CanonicalRequest, { own, notes, traits }: RequestContext) {
  const { sampling } = request;
  const { temperature, topP } = sampling;
  const takes = own || traits.sampling || effortOf(request) === "none";
  if (takes) return { temperature, top_p: topP, ...encodeLogprobs(sampling, own) };
  noteSteering(sampling, notes);
  return {};
}

/** The vendor refuses `top_logprobs` without `logprobs`. */
function encodeLogprobs(sampling: Sampling, own: boolean): JsonObject {
  const { logprobs, topLogprobs: top_logprobs } = sampling;
  if (own) return { logprobs, top_logprobs };
  return asksLogprobs(sampling) ? { logprobs: true, top_logprobs } : {};
}

const stopSequencesMax = 4;

function stopSequences({ stopSequences: all }: Sampling, { own, notes }: RequestContext) {
  if (own || !all || all.length === 0) return own ? all : undefined;
  if (all.length > stopSequencesMax) notes.add("stopSequences");
  return all.slice(0, stopSequencesMax);
}

/** The members of a value for which a test is true; undefined if it is no object. */
function membersThat<Value extends JsonValue>(
  value: unknown,
  isWanted: (member: unknown) => member is Value,
): Readonly<Record<string, Value>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => isWanted(member) ? [[key, member]] : []),
  );
}
