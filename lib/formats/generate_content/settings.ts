import {
  asksLogprobs,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mayCostMore,
  type SafetySetting,
  type Sampling,
  serviceTierOf,
} from "../../canonical/mod.ts";
import type { Billing } from "../billing.ts";
import { defined, objectsOf, restOf, textOf, textsOf } from "../wire_value.ts";
import { keep, withOwnFields } from "./native.ts";
import { protoNumber } from "./spelling.ts";
import type { RequestContext } from "./request_context.ts";

export function decodeSampling(config: JsonObject): Sampling {
  const stopSequences = textsOf(config.stopSequences);
  const numbers = {
    temperature: protoNumber(config.temperature),
    topP: protoNumber(config.topP),
    topK: protoNumber(config.topK),
    seed: protoNumber(config.seed),
    presencePenalty: protoNumber(config.presencePenalty),
    frequencyPenalty: protoNumber(config.frequencyPenalty),
    topLogprobs: protoNumber(config.logprobs),
    alternatives: protoNumber(config.candidateCount),
  };
  return {
    ...defined(numbers),
    ...(stopSequences.length > 0 && { stopSequences }),
    ...(typeof config.responseLogprobs === "boolean" && { logprobs: config.responseLogprobs }),
  };
}

const stopSequencesMax = 5;

export function encodeSampling(
  { sampling }: CanonicalRequest,
  { notes, own }: RequestContext,
): JsonObject {
  const { temperature, stopSequences, seed, logprobs, topLogprobs } = sampling;
  const rated = own ? logprobs : asksLogprobs(sampling) || undefined;
  const seedFits = own || seed === undefined || seed === (seed | 0);
  const tooMany = !own && (stopSequences?.length ?? 0) > stopSequencesMax;
  const tooHot = !own && (temperature ?? 0) > 2;
  if (tooMany) notes.add("stopSequences");
  if (tooHot) notes.add("temperature");
  if (!seedFits) notes.add("seed");
  return {
    temperature: tooHot ? 2 : temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    candidateCount: sampling.alternatives,
    stopSequences: tooMany ? stopSequences?.slice(0, stopSequencesMax) : nonEmpty(stopSequences),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    seed: seedFits ? seed : undefined,
    responseLogprobs: rated,
    logprobs: own || rated ? topLogprobs : undefined,
  };
}

function nonEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  return list?.length ? list : undefined;
}

/** Settings that do not affect the answer's content. */
export function decodeSettings(body: JsonObject) {
  const safety = objectsOf(body.safetySettings).map(decodeSafety);
  return {
    ...(safety.length > 0 && { safety }),
    ...(typeof body.serviceTier === "string" &&
      { serviceTier: decodedTiers.get(body.serviceTier) ?? body.serviceTier }),
    ...(isJsonObject(body.labels) &&
      { metadata: body.labels as Readonly<Record<string, string>> }), // sound: the schema allows only strings
    ...(typeof body.store === "boolean" && { store: body.store }),
  };
}

function decodeSafety(setting: JsonObject): SafetySetting {
  return {
    category: textOf(setting.category),
    threshold: textOf(setting.threshold),
    ...keep(restOf(setting, ["category", "threshold"])),
  };
}

export function encodeSafety(setting: SafetySetting): JsonObject {
  const { category, threshold } = setting;
  return withOwnFields({ category, threshold }, setting);
}

/** Canonical tiers use the names of the OpenAI formats, which call the standard tier `default`. */
const decodedTiers: ReadonlyMap<string, string> = new Map([["standard", "default"]]);
const encodedTiers: ReadonlyMap<string, string> = new Map([
  ["default", "standard"],
  ["standard", "standard"],
  ["standard_only", "standard"],
  ["flex", "flex"],
  ["priority", "priority"],
  ["fast", "priority"],
]);

export function encodeServiceTier(
  { serviceTier }: CanonicalRequest,
  { own, notes }: RequestContext,
) {
  if (serviceTier === undefined) return undefined;
  const tier = encodedTiers.get(serviceTier);
  if (tier !== undefined) return tier;
  if (own) return serviceTier;
  notes.add("serviceTier");
  return undefined;
}

/** Reads both spellings of proto3 JSON; if both are present, the more expensive one counts. */
export const billing: Billing = {
  terms({ serviceTier, service_tier }) {
    const named = [serviceTier, service_tier].map(nameOf).map(serviceTierOf)
      .filter((tier) => tier !== undefined);
    const tier = named.find(mayCostMore) ?? named[0];
    return tier === undefined ? {} : { tier };
  },
  members: ["serviceTier", "service_tier"],
  tiers: ["standard", "flex", "fast"],
  unaskedTiers: [],
  unaskedRegion: false,
  fills: [],
  fillsWhenConverted: [],
};

/** A tier's number has no known name, and so no price: a call that states one is refused. */
function nameOf(tier: JsonValue | undefined): JsonValue | undefined {
  return typeof tier === "number" && tier !== 0 ? String(tier) : tier;
}
