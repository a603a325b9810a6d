import {
  type CanonicalRequest,
  digest,
  isJsonObject,
  type JsonObject,
  type OutputLimits,
} from "../../canonical/mod.ts";
import type { ReadText } from "../../json/mod.ts";
import { type Dialect, takesMember } from "../dialect.ts";
import { decodeCacheOptions } from "../request/cache_options.ts";
import { withLimit } from "../request/output_limit.ts";
import { decodeServiceTier, encodeServiceTier } from "../request/service_tier.ts";
import {
  defined,
  flagOrNothing,
  isEmpty,
  numberOrNothing,
  objectOf,
  textOrNothing,
} from "../wire_value.ts";
import { statedCost } from "./answer/stated_cost.ts";
import { encodeCaching } from "./cache.ts";
import type { RequestContext } from "./request_context.ts";
import { decodeSampling, encodeSampling, spelled, topKNames } from "./sampling.ts";

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

const endUserCharsMax = 128;

/** Hashes ids that are too long, and e-mail addresses, which the vendor has no need to know. */
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

function textsOrNothing(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => typeof text === "string" ? [[key, text]] : []),
  );
}
