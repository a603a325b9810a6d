import {
  asksLogprobs,
  type CanonicalRequest,
  digest,
  type JsonObject,
  type OutputLimits,
  regionOf,
  type Sampling,
  serviceTierOf,
} from "../../canonical/mod.ts";
import type { Billing, PriceTerms } from "../billing.ts";
import { takesMember } from "../codec.ts";
import { unsupported } from "../error.ts";
import { decodeServiceTier } from "../request/settings.ts";
import {
  defined,
  noMembers,
  numberOrNothing,
  objectOf,
  objectsOf,
  textOf,
  textOrNothing,
  textsOf,
} from "../wire_value.ts";
import { ownFields } from "./native.ts";
import { isThought } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";
import { compactsByThreshold } from "./envelope.ts";

export function decodeSampling(body: JsonObject): Sampling {
  const stopSequences = textsOf(body.stop_sequences);
  return defined({
    temperature: numberOrNothing(body.temperature),
    topP: numberOrNothing(body.top_p),
    topK: numberOrNothing(body.top_k),
    stopSequences: stopSequences.length > 0 ? stopSequences : undefined,
  });
}

export function decodeLimits({ max_tokens: tokens }: JsonObject): OutputLimits {
  return typeof tokens === "number" ? { maxOutputTokens: tokens } : {};
}

/** Output limit for callers that set none: this format requires one. */
const defaultTokensMax = 32_000;

/** The output limit; undefined only for a count in this format. */
export function encodeMaxTokens(
  { limits, reasoning, caching }: CanonicalRequest,
  { own, notes, traits }: RequestContext,
): number | undefined {
  const { maxOutputTokens: wanted } = limits;
  if (own) return wanted;
  if (caching?.prewarm) return 0;
  const most = traits.outputTokensMax;
  if (wanted === undefined) {
    const shared = traits.thinking === "budget" && isThought(reasoning);
    return shared ? most : Math.min(most, defaultTokensMax);
  }
  if (!traits.limitKnown || wanted <= most) return wanted;
  notes.add("maxOutputTokens");
  return most;
}

/** Sampling settings and stop sequences. */
export function encodeSampling(
  { sampling }: CanonicalRequest,
  thinks: boolean,
  context: RequestContext,
): JsonObject {
  const { temperature, topP, topK, stopSequences } = sampling;
  const knobs = { temperature, top_p: topP, top_k: topK };
  const fitted = context.own ? knobs : fittedKnobs(knobs, thinks, context);
  return defined({ ...fitted, stop_sequences: fittedStops(stopSequences, context) });
}

interface Knobs {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
}

/** Newer models refuse all three knobs; older ones refuse two of them together (seen 2026-11). */
function fittedKnobs(knobs: Knobs, thinks: boolean, context: RequestContext): Knobs {
  const { notes, traits, dialect } = context;
  const { temperature, top_p: topP } = knobs;
  const said = Object.values(knobs).some((value) => value !== undefined);
  if (said && (thinks || !traits.sampling)) {
    notes.add(thinks ? "samplingThinking" : "samplingRefused");
    return {};
  }
  if (said && !takesMember(dialect, "temperature")) {
    notes.add("samplingVersion");
    return {};
  }
  if (temperature !== undefined && temperature > 1) notes.add("temperature");
  const both = temperature !== undefined && topP !== undefined && topP < 1;
  if (both) notes.add("topP");
  return {
    ...knobs,
    temperature: temperature === undefined ? undefined : Math.min(1, Math.max(0, temperature)),
    top_p: temperature === undefined ? topP : undefined,
  };
}

function fittedStops(
  stops: readonly string[] | undefined,
  { own, notes }: RequestContext,
): readonly string[] | undefined {
  if (!stops || own) return stops;
  const kept = stops.filter((stop) => stop.trim() !== "");
  if (kept.length < stops.length) notes.add("stopSequences");
  return kept.length > 0 ? kept : undefined;
}

const endUserCharsMax = 256;

/** Sends an opaque id only: the vendor wants no e-mail addresses, and limits the length. */
export function encodeMetadata(
  request: CanonicalRequest,
  { own, notes }: RequestContext,
): JsonObject | undefined {
  const rest = objectOf(ownFields(request)?.metadata);
  const { endUser } = request;
  if (endUser === undefined) return Object.keys(rest).length > 0 ? rest : undefined;
  if (own || (endUser.length <= endUserCharsMax && !/\S@\S/.test(endUser))) {
    return { ...rest, user_id: endUser };
  }
  notes.add("endUser");
  return { user_id: digest(endUser) };
}

/** Canonical tiers use the names of the OpenAI formats, which call the standard tier `default`. */
const decodedTiers: ReadonlyMap<string, string> = new Map([["standard_only", "default"]]);
/** The original word is kept as well: a router of this format may know others. */
export function decodeTier(body: JsonObject): { serviceTier?: string } {
  const serviceTier = decodeServiceTier(body, decodedTiers);
  return serviceTier === undefined ? {} : { serviceTier };
}

/** The vendor uses priority capacity if the account has bought some; no request can require it. */
const boughtTier = "auto";
/** Other formats' names of this format's tiers. */
const serviceTiers = new Map([
  ["priority", boughtTier],
  ["default", "standard_only"],
  ["standard", "standard_only"],
  ["standard_only", "standard_only"],
]);

export function encodeServiceTier(
  request: CanonicalRequest,
  { own, notes, dialect }: RequestContext,
): string | undefined {
  const { serviceTier: tier } = request;
  if (own) return textOrNothing(ownFields(request)?.service_tier);
  if (tier === undefined || dialect?.serviceTiers?.includes(tier.toLowerCase())) return tier;
  const known = serviceTiers.get(tier.toLowerCase());
  if (!known) notes.add("serviceTier");
  if (known === boughtTier) notes.add("serviceTierBought");
  return known;
}

/** Members of other formats that refer to a conversation stored by their vendor. */
const heldState = ["previous_response_id", "conversation"];

export function assertExpressible({ sampling, native }: CanonicalRequest): void {
  if ((sampling.alternatives ?? 1) > 1) {
    throw unsupported(
      "sampling.alternatives",
      "is more than 1, but the messages format returns one answer",
    );
  }
  for (const key of heldState) {
    if (native?.fields[key] === undefined || native.fields[key] === null) continue;
    throw unsupported(
      key,
      "refers to content that another vendor stores. Send the content itself in the messages format",
    );
  }
}

export function noteDropped(
  request: CanonicalRequest,
  { notes, automaticCaching }: RequestContext,
): void {
  const { sampling, limits } = request;
  if (sampling.seed !== undefined) notes.add("seed");
  if (sampling.presencePenalty) notes.add("presencePenalty");
  if (sampling.frequencyPenalty) notes.add("frequencyPenalty");
  if (Object.keys(sampling.logitBias ?? {}).length > 0) notes.add("logitBias");
  if (asksLogprobs(sampling)) notes.add("logprobs");
  if (limits.maxToolCalls !== undefined) notes.add("maxToolCalls");
  if (request.verbosity !== undefined) notes.add("verbosity");
  if (Object.keys(request.metadata ?? {}).length > 0) notes.add("metadata");
  if (request.store) notes.add("store");
  if (request.cacheKey !== undefined && !automaticCaching) notes.add("cacheKey");
  if (request.safety?.length) notes.add("safety");
  notes.foreign(request.native, "native");
}

/**
 * `speed` requests a speed; `service_tier` names purchased capacity, and at some routers a tier. A
 * workspace's default may set the region of calls that name none.
 */
export const billing: Billing = {
  terms(body) {
    const speeds = [body.speed, ...objectsOf(body.fallbacks).map(({ speed }) => speed)];
    const tier = speeds.includes("fast") ? "fast" : serviceTierOf(body.service_tier);
    const region = regionOf(body.inference_geo);
    return {
      ...(tier !== undefined && { tier }),
      ...(region !== undefined && { region }),
      ...samplingTerms(body),
    };
  },
  members: ["speed", "service_tier", "inference_geo", "fallbacks", "context_management"],
  tiers: ["standard"],
  unaskedTiers: [],
  unaskedRegion: true,
  fills: [],
  fillsWhenConverted: ["cacheWrite5mTokens"],
};

/** A compaction samples the whole prompt once more, and so may each fallback after one that declined. */
function samplingTerms(body: JsonObject): PriceTerms {
  if (body.fallbacks === undefined && !compactsByThreshold(body)) return noMembers;
  const fallbacks = objectsOf(body.fallbacks).map(({ model }) => textOf(model))
    .filter((model) => model !== "");
  const anyFallback = typeof body.fallbacks === "string";
  const samplings = 1 + Number(compactsByThreshold(body)) + fallbacks.length + Number(anyFallback);
  return {
    ...(samplings > 1 && { samplings }),
    ...(fallbacks.length > 0 && { fallbacks }),
    ...(anyFallback && { anyFallback }),
  };
}
