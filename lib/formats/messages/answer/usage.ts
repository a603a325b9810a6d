import {
  isJsonObject,
  type JsonObject,
  noTokens,
  noUsage,
  regionOf,
  type SamplingUsage,
  serviceTierOf,
  standardTier,
  summedTokens,
  type TokenCounts,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../../canonical/mod.ts";
import type { EncoderContext } from "../../codec.ts";
import { countOf, defined, objectOf, objectsOf, restOf, textOf } from "../../wire_value.ts";
import { mark, ownFields } from "../native.ts";

/**
 * The usage object. `input_tokens` excludes tokens read from or written to a cache, `output_tokens`
 * includes thinking; cache writes without a stated lifetime last five minutes. For several
 * samplings their sum counts: the object itself excludes a compaction.
 */
export function decodeUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const stated = decodeTokens(usage);
  const samplings = decodeSamplings(usage, stated);
  const servedTier = servedTierOf(usage);
  const servedRegion = regionOf(usage.inference_geo);
  return {
    ...(samplings ? summedTokens(samplings.map(({ tokens }) => tokens)) : stated),
    hostedToolCalls: hostedToolCalls(objectOf(usage.server_tool_use)),
    ...(servedTier !== undefined && { servedTier }),
    ...(servedRegion !== undefined && { servedRegion }),
    ...(samplings && { samplings }),
    ...mark(restOf(usage, bucketKeys)),
  };
}

/** The speed overrides the capacity that served the call, because purchased capacity is not a priced tier. */
function servedTierOf({ speed, service_tier: capacity }: JsonObject): string | undefined {
  if (speed === "fast") return "fast";
  const tier = capacity === "priority" ? "reserved" : serviceTierOf(capacity);
  return tier === standardTier || tier === undefined ? serviceTierOf(speed) ?? tier : tier;
}

/**
 * The samplings listed in `iterations`. If the answering ones do not add up to the stated usage,
 * one sampling with the stated usage replaces them. Undefined if the list adds nothing.
 */
function decodeSamplings(usage: JsonObject, stated: TokenCounts): SamplingUsage[] | undefined {
  const wire = objectsOf(usage.iterations).slice(0, samplingsMax);
  const asked = wire.find(({ type }) => type === "message")?.model;
  const all = wire.map((one) => decodeSampling(one, asked));
  const apart = all.filter(({ purpose }) => purpose === compaction);
  const answering = all.filter(({ purpose }) => purpose !== compaction);
  if (apart.length === 0 && answering.every(({ model }) => model === undefined)) return undefined;
  const covers = holds(summedTokens(answering.map(({ tokens }) => tokens)), stated);
  return [...apart, ...(covers ? withThinking(answering, stated) : [{ tokens: stated }])];
}

/** Samplings state no thinking of their own (seen 2026-11): the total goes to the last ones first. */
function withThinking(
  answering: readonly SamplingUsage[],
  { reasoningTokens: total }: TokenCounts,
): readonly SamplingUsage[] {
  let left = answering.reduce((rest, { tokens }) => rest - tokens.reasoningTokens, total);
  return answering.toReversed().map((one) => {
    const thinking = Math.max(0, Math.min(left, one.tokens.outputTokens));
    left -= thinking;
    const { outputTokens, reasoningTokens } = one.tokens;
    return {
      ...one,
      tokens: {
        ...one.tokens,
        outputTokens: outputTokens - thinking,
        reasoningTokens: reasoningTokens + thinking,
      },
    };
  }).reverse();
}

/** Maximum samplings read; a longer list is an upstream's fault. */
const samplingsMax = 64;
const compaction = "compaction";

function decodeSampling(wire: JsonObject, asked: unknown): SamplingUsage {
  const model = textOf(wire.model);
  return {
    ...(wire.type === compaction && { purpose: compaction }),
    ...(model !== "" && model !== asked && { model }),
    tokens: decodeTokens(wire),
  };
}

function holds(tokens: TokenCounts, stated: TokenCounts): boolean {
  return totalInputTokens(tokens) >= totalInputTokens(stated) &&
    totalOutputTokens(tokens) >= totalOutputTokens(stated);
}

function decodeTokens(usage: JsonObject): TokenCounts {
  const split = objectOf(usage.cache_creation);
  const written1h = countOf(split.ephemeral_1h_input_tokens);
  const written5m = countOf(split.ephemeral_5m_input_tokens);
  const written = countOf(usage.cache_creation_input_tokens);
  const output = countOf(usage.output_tokens);
  const thinking = Math.min(output, countOf(objectOf(usage.output_tokens_details).thinking_tokens));
  return {
    ...noTokens,
    inputTokens: countOf(usage.input_tokens),
    cacheReadTokens: countOf(usage.cache_read_input_tokens),
    cacheWrite5mTokens: Math.max(written5m, written - written1h),
    cacheWrite1hTokens: written1h,
    outputTokens: output - thinking,
    reasoningTokens: thinking,
  };
}

/** A whole answer's usage object. */
export function encodeUsage(usage: Usage): JsonObject {
  const own = ownFields(usage);
  return {
    ...own,
    ...encodeDeltaUsage(usage),
    cache_creation: cacheCreation(shownTokens(usage)),
  };
}

/** The cumulative usage at a stream's end; lifetimes of cache writes are stated only if there are any. */
export function encodeDeltaUsage(usage: Usage): JsonObject {
  const own = ownFields(usage);
  const tokens = shownTokens(usage);
  const { cacheWrite5mTokens, cacheWrite1hTokens, cacheWrite12hTokens } = tokens;
  const writtenLong = cacheWrite1hTokens + cacheWrite12hTokens;
  return defined({
    input_tokens: tokens.inputTokens + tokens.audioInputTokens + tokens.imageInputTokens,
    cache_creation_input_tokens: cacheWrite5mTokens + writtenLong,
    cache_read_input_tokens: tokens.cacheReadTokens,
    ...(writtenLong > 0 && { cache_creation: cacheCreation(tokens) }),
    output_tokens: totalOutputTokens(tokens),
    output_tokens_details: outputDetails(usage, own),
    server_tool_use: serverToolUse(usage, own),
    service_tier: own?.service_tier,
    speed: own?.speed,
    inference_geo: own?.inference_geo,
    iterations: own?.iterations ?? iterationsOf(usage),
  });
}

/** The samplings of a compaction that the gateway made, and of the answer behind it. */
function iterationsOf({ samplings = [] }: Usage): JsonObject[] | undefined {
  if (!samplings.some(({ purpose }) => purpose === compaction)) return undefined;
  return samplings.map(({ purpose = "message", tokens }) => ({
    type: purpose,
    ...encodeDeltaUsage({ ...noUsage, ...tokens }),
  }));
}

/** The tokens at the top level. Tokens of a compaction appear in `iterations` alone. */
function shownTokens(usage: Usage): TokenCounts {
  if (!usage.samplings) return usage;
  const answering = usage.samplings.filter(({ purpose }) => purpose !== compaction);
  return summedTokens(answering.map(({ tokens }) => tokens));
}

/** One hour is the longest lifetime here. */
function cacheCreation(tokens: TokenCounts): JsonObject {
  return {
    ephemeral_5m_input_tokens: tokens.cacheWrite5mTokens,
    ephemeral_1h_input_tokens: tokens.cacheWrite1hTokens + tokens.cacheWrite12hTokens,
  };
}

/**
 * The usage that opens a message: the upstream's count of the prompt if it is known already, else
 * an estimate, because clients read it there (LangChain and agents' context meters, 2026-11). The
 * vendor always states at least one output token.
 */
export function openingUsage({ promptTokens }: EncoderContext, stated?: Usage): JsonObject {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = encodeDeltaUsage(
    stated && totalInputTokens(stated) > 0
      ? stated
      : { ...noUsage, inputTokens: promptTokens?.() ?? 0 },
  );
  return {
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    output_tokens: 1,
  };
}

/**
 * A stream states its full usage more than once: later members replace earlier ones. Its counts are
 * cumulative, so a zero behind a count is a server's placeholder (2026-06). That of the output is one
 * at the start.
 */
export function mergedUsage(earlier: JsonObject, later: unknown): JsonObject {
  const stated = Object.entries(restOf(objectOf(later), []));
  const members = stated.map(([key, value]) => [
    key,
    key === "output_tokens" ? value : merged(earlier[key], value),
  ]);
  return { ...earlier, ...Object.fromEntries(members) };
}

type Member = JsonObject[string];

function merged(earlier: Member, later: Member): Member {
  if (isJsonObject(earlier) && isJsonObject(later)) return mergedUsage(earlier, later);
  return later === 0 ? earlier ?? later : later;
}

/** Returns true if a usage object at a stream's end states the output; at the start it is only a placeholder. */
export function statesOutput(usage: unknown): boolean {
  const { output_tokens: output, iterations } = objectOf(usage);
  return countOf(output) > 0 || objectsOf(iterations).length > 0;
}

const bucketKeys = [
  "input_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
  "output_tokens",
];

function outputDetails({ reasoningTokens }: Usage, own: JsonObject | undefined) {
  const details = objectOf(own?.output_tokens_details);
  if (own && reasoningTokens === 0 && own.output_tokens_details === undefined) return undefined;
  return { ...details, thinking_tokens: reasoningTokens };
}

/** The counters of hosted tools, by canonical kind. */
const hostedKinds = [
  { kind: "web-search", key: "web_search_requests" },
  { kind: "url-fetch", key: "web_fetch_requests" },
] as const;

function hostedToolCalls(wire: JsonObject): Record<string, number> {
  return Object.fromEntries(
    hostedKinds.map(({ kind, key }) => [kind, countOf(wire[key])] as const)
      .filter(([, count]) => count > 0),
  );
}

function serverToolUse({ hostedToolCalls: calls }: Usage, own: JsonObject | undefined) {
  if (isJsonObject(own?.server_tool_use)) return own.server_tool_use;
  if (!hostedKinds.some(({ kind }) => (calls[kind] ?? 0) > 0)) return undefined;
  return Object.fromEntries(hostedKinds.map(({ kind, key }) => [key, calls[kind] ?? 0]));
}
