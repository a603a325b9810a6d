import {
  type CanonicalRequest,
  digest,
  isJsonObject,
  type JsonObject,
  type Limits,
  type NativeFields,
  type ReadText,
  type Sampling,
} from "../../canonical/mod.ts";
import { decodeCacheOptions } from "../request/cache_options.ts";
import { type Dialect, takesMember } from "../dialect.ts";
import { encodeCaching } from "./cache.ts";
import { withLimit } from "../request/output_limit.ts";
import { decodeServiceTier } from "../request/service_tier.ts";
import { format } from "./native.ts";
import { effortOf } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";
import { statedCost } from "./answer/stated_cost.ts";
import {
  defined,
  flagOrNothing,
  isEmpty,
  numberOrNothing,
  objectOf,
  textOrNothing,
} from "../wire_value.ts";

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

/** Everything of a request that is one number, flag or name. */
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
      metadata: textsOrNothing(body.metadata),
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
    service_tier: serviceTier(request, context),
    prompt_cache_key: request.cacheKey,
    prompt_cache_options: encodeCaching(request, context),
    stream_options: encodeStreamOptions(request, context),
  });
}

/** Which of several names of one thing a caller of this format used; undefined where the first of them says it. */
export function spelled(
  { spelling }: { readonly spelling?: NativeFields },
  names: readonly string[],
  value: unknown,
): JsonObject | undefined {
  if (spelling?.format !== format) return undefined;
  const said = names.filter((name) => spelling.fields[name] !== undefined);
  if (said.length === 0 || spelling.fields[said[0]] !== value) return undefined;
  return Object.fromEntries(said.map((name) => [name, spelling.fields[name]]));
}

const verbosities = ["low", "medium", "high"] as const;
/** Names of one thing, the one that counts first. */
const limitNames = ["max_completion_tokens", "max_tokens"];
const endUserNames = ["safety_identifier", "user"];

/** The vendor has no name for it, so the extension's is always worth keeping. */
const topKNames = ["", "top_k"];

/** A caller's own name for the limit stays; a server of another dialect may know only one of them. */
export function withOutputLimit(
  read: ReadText,
  tokens: number,
  dialect?: Dialect,
): ReadText {
  const [name] = limitNames;
  const names = { all: limitNames, unstated: dialect?.renames?.[name] ?? name };
  return withLimit(read, names, tokens);
}

/** To be kept as the request's spelling: what is said by another name than the first one. */
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
    logitBias: numbersOrNothing(body.logit_bias),
    logprobs: flagOrNothing(body.logprobs),
    topLogprobs: numberOrNothing(body.top_logprobs),
    alternatives: numberOrNothing(body.n),
  });
}

function encodeSampling(request: CanonicalRequest, context: RequestContext) {
  const { own, notes } = context;
  const { sampling } = request;
  const topK = spelled(request, topKNames, sampling.topK);
  if (sampling.topK !== undefined && !topK) notes.add("topK");
  // the vendor refuses a count of alternatives for each token without the switch
  const logprobs = sampling.logprobs ??
    (own || sampling.topLogprobs === undefined ? undefined : true);
  return {
    ...encodeSteering(request, context),
    ...topK,
    stop: stopSequences(sampling, context),
    seed: sampling.seed,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: sampling.logitBias,
    logprobs,
    top_logprobs: sampling.topLogprobs,
    n: sampling.alternatives,
  };
}

/** Models that think refuse to be steered otherwise (2025-11); a caller of this format is told so by the vendor. */
function encodeSteering(request: CanonicalRequest, { own, notes, traits }: RequestContext) {
  const { temperature, topP } = request.sampling;
  const takes = own || traits.sampling || effortOf(request) === "none";
  if (takes) return { temperature, top_p: topP };
  if (temperature !== undefined) notes.add("temperature");
  if (topP !== undefined) notes.add("topP");
  return {};
}

const stopSequencesMax = 4;

function stopSequences({ stopSequences: all }: Sampling, { own, notes }: RequestContext) {
  if (own || !all || all.length === 0) return own ? all : undefined;
  if (all.length > stopSequencesMax) notes.add("stopSequences");
  return all.slice(0, stopSequencesMax);
}

function decodeLimits(body: JsonObject): Limits {
  return defined({
    maxOutputTokens: numberOrNothing(body.max_completion_tokens) ??
      numberOrNothing(body.max_tokens),
  });
}

/** A call that has no answer still states a limit that servers take. */
const prewarmTokens = 16;

function encodeLimits(request: CanonicalRequest, { own, notes }: RequestContext) {
  const { maxOutputTokens, maxToolCalls } = request.limits;
  if (maxToolCalls !== undefined) notes.add("maxToolCalls");
  if (!own && request.caching?.prewarm) return { max_completion_tokens: prewarmTokens };
  return spelled(request, limitNames, maxOutputTokens) ??
    { max_completion_tokens: maxOutputTokens };
}

const endUserCharsMax = 128;

/** Longer ids are refused, and an address is nobody's business: both are hashed. */
function encodeEndUser(request: CanonicalRequest, { own, notes }: RequestContext): JsonObject {
  const { endUser } = request;
  if (endUser === undefined) return {};
  const asWritten = spelled(request, endUserNames, endUser);
  if (asWritten) return asWritten;
  if (own || (endUser.length <= endUserCharsMax && !endUser.includes("@"))) {
    return { safety_identifier: endUser };
  }
  notes.add("endUser");
  return { safety_identifier: digest(endUser) };
}

/** Tiers by the names of all formats. */
const serviceTiers = new Map([
  ["default", "default"],
  ["standard", "default"],
  ["standard_only", "default"],
  ["flex", "flex"],
  ["scale", "scale"],
  ["priority", "priority"],
  ["fast", "fast"],
]);

function serviceTier({ serviceTier: tier }: CanonicalRequest, { own, notes }: RequestContext) {
  if (own || tier === undefined) return tier;
  const known = serviceTiers.get(tier);
  if (!known) notes.add("serviceTier");
  return known;
}

/** Usage is always asked for where it can be: the gateway meters every answer, and states it to a caller who asked. */
function encodeStreamOptions(
  { stream, streamOptions }: CanonicalRequest,
  { dialect }: RequestContext,
): JsonObject | undefined {
  const obfuscation = streamOptions?.includeObfuscation;
  const said = obfuscation === undefined ? {} : { include_obfuscation: obfuscation };
  if (stream && takesMember(dialect, "stream_options")) return { include_usage: true, ...said };
  const usage = streamOptions?.includeUsage;
  const all = { ...(usage !== undefined && { include_usage: usage }), ...said };
  return isEmpty(all) ? undefined : all;
}

function textsOrNothing(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => typeof text === "string" ? [[key, text]] : []),
  );
}

function numbersOrNothing(value: unknown): Readonly<Record<string, number>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, bias]) => typeof bias === "number" ? [[key, bias]] : []),
  );
}
