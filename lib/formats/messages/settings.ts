import {
  type CanonicalRequest,
  digest,
  type JsonObject,
  type OutputLimits,
  type Sampling,
} from "../../canonical/mod.ts";
import { takesMember } from "../dialect.ts";
import { decodeServiceTier } from "../request/service_tier.ts";
import { defined, listOf, objectOf, textOrNothing } from "../wire_value.ts";
import { ownFields } from "./native.ts";
import { isThought } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";

export function decodeSampling(body: JsonObject): Sampling {
  const { temperature, top_p: topP, top_k: topK, stop_sequences: stops } = body;
  const stopSequences = listOf(stops).filter((stop) => typeof stop === "string");
  return {
    ...(typeof temperature === "number" && { temperature }),
    ...(typeof topP === "number" && { topP }),
    ...(typeof topK === "number" && { topK }),
    ...(stopSequences.length > 0 && { stopSequences }),
  };
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
  { own, notes }: RequestContext,
): string | undefined {
  const { serviceTier: tier } = request;
  if (own) return textOrNothing(ownFields(request)?.service_tier);
  if (tier === undefined) return undefined;
  const known = serviceTiers.get(tier.toLowerCase());
  if (!known) notes.add("serviceTier");
  if (known === boughtTier) notes.add("serviceTierBought");
  return known;
}
