import {
  asksLogprobs,
  type CanonicalRequest,
  isJsonObject,
  type JsonObject,
  type NativeFields,
  type Sampling,
} from "../../canonical/mod.ts";
import { noteSteering } from "../request/steering.ts";
import { defined, flagOrNothing, isEmpty, noMembers, numberOrNothing } from "../wire_value.ts";
import { format } from "./native.ts";
import { effortOf } from "./reasoning.ts";
import type { RequestContext } from "./request_context.ts";

/** The name that a caller of this format used among several aliases; undefined if it used the first. */
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

/** The vendor has no name for it, so the extension's name is always kept. */
export const topKNames = ["", "top_k"];

export function decodeSampling(body: JsonObject): Sampling {
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

export function encodeSampling(request: CanonicalRequest, context: RequestContext) {
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

function numbersOrNothing(value: unknown): Readonly<Record<string, number>> | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, bias]) => typeof bias === "number" ? [[key, bias]] : []),
  );
}
