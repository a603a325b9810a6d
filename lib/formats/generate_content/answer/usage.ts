import {
  disjoint,
  isJsonObject,
  type JsonObject,
  noUsage,
  serviceTierOf,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../../canonical/mod.ts";
import { defined, listOf, objectOf, objectsOf, restOf } from "../../wire_value.ts";
import { keep, ownFields } from "../native.ts";
import { protoCount } from "../spelling.ts";

/**
 * The usage of a whole answer or of one chunk; undefined if it states none. The prompt count
 * includes cached tokens but not the results of hosted tools; the answer count excludes reasoning.
 */
export function decodeUsage(
  answer: JsonObject,
  hostedToolCalls: Readonly<Record<string, number>> = hostedToolCallsOf(answer),
): Usage | undefined {
  const usage = answer.usageMetadata;
  if (!isJsonObject(usage)) return undefined;
  const prompt = protoCount(usage.promptTokenCount) + protoCount(usage.toolUsePromptTokenCount);
  const said = byModality(usage.promptTokensDetails);
  const cached = byModality(usage.cacheTokensDetails);
  const made = byModality(usage.candidatesTokensDetails);
  const input = disjoint(prompt, {
    cacheReadTokens: protoCount(usage.cachedContentTokenCount),
    audioInputTokens: Math.max(0, said.audio - cached.audio),
    imageInputTokens: Math.max(0, said.images - cached.images),
  });
  const output = disjoint(protoCount(usage.candidatesTokenCount), {
    audioOutputTokens: made.audio,
    imageOutputTokens: made.images,
  });
  const servedTier = serviceTierOf(usage.serviceTier) ?? serviceTierOf(usage.trafficType);
  return {
    ...noUsage,
    ...input.taken,
    ...output.taken,
    inputTokens: input.rest,
    outputTokens: output.rest,
    reasoningTokens: protoCount(usage.thoughtsTokenCount),
    hostedToolCalls,
    ...(servedTier !== undefined && { servedTier }),
    ...keep(restOf(usage, canonicalCounts)),
  };
}

/** The usage object; the totals are recomputed. Cache writes are part of the prompt here. */
export function encodeUsage(usage: Usage): JsonObject {
  const own = ownFields(usage);
  const input = totalInputTokens(usage);
  const output = totalOutputTokens(usage);
  const toolUse = Math.min(input, protoCount(own?.toolUsePromptTokenCount));
  return defined({
    ...(own ?? modalities(usage)),
    promptTokenCount: input - toolUse,
    cachedContentTokenCount: usage.cacheReadTokens || undefined,
    candidatesTokenCount: output - usage.reasoningTokens,
    thoughtsTokenCount: usage.reasoningTokens || undefined,
    totalTokenCount: input + output,
  });
}

/** Calls of billed hosted tools in an answer or a chunk. */
function hostedToolCallsOf({ candidates }: JsonObject): Record<string, number> {
  const counts = { "web-search": 0, "code-execution": 0, "url-fetch": 0 };
  for (const candidate of objectsOf(candidates)) {
    const grounding = objectOf(candidate.groundingMetadata);
    counts["web-search"] += listOf(grounding.webSearchQueries).length;
    counts["url-fetch"] += listOf(objectOf(candidate.urlContextMetadata).urlMetadata).length;
    for (const part of objectsOf(objectOf(candidate.content).parts)) {
      if (isJsonObject(part.executableCode)) counts["code-execution"]++;
    }
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Adds one chunk's calls: code executions arrive one by one, grounding arrives whole. */
export function addHostedToolCalls(
  known: Readonly<Record<string, number>>,
  chunk: JsonObject,
): Readonly<Record<string, number>> {
  const sum = { ...known };
  for (const [kind, count] of Object.entries(hostedToolCallsOf(chunk))) {
    sum[kind] = kind === "code-execution"
      ? (sum[kind] ?? 0) + count
      : Math.max(sum[kind] ?? 0, count);
  }
  return sum;
}

/** `toolUsePromptTokenCount` is missing on purpose: it separates the two parts of the prompt. */
const canonicalCounts = [
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
];

function byModality(details: unknown): { readonly audio: number; readonly images: number } {
  const tokensOf = (wanted: string) =>
    objectsOf(details).filter(({ modality }) => modality === wanted)
      .reduce((sum, { tokenCount }) => sum + protoCount(tokenCount), 0);
  return { audio: tokensOf("AUDIO"), images: tokensOf("IMAGE") };
}

/** Audio and images have their own buckets, so a converted answer must state their tokens. */
function modalities(usage: Usage): JsonObject {
  const { audioInputTokens, imageInputTokens, audioOutputTokens, imageOutputTokens } = usage;
  const prompt = {
    total: totalInputTokens(usage),
    AUDIO: audioInputTokens,
    IMAGE: imageInputTokens,
  };
  const answer = {
    total: totalOutputTokens(usage) - usage.reasoningTokens,
    AUDIO: audioOutputTokens,
    IMAGE: imageOutputTokens,
  };
  return {
    ...(holdsMedia(prompt) && { promptTokensDetails: details(prompt) }),
    ...(holdsMedia(answer) && { candidatesTokensDetails: details(answer) }),
  };
}

interface Modalities {
  readonly total: number;
  readonly AUDIO: number;
  readonly IMAGE: number;
}

function holdsMedia({ AUDIO, IMAGE }: Modalities): boolean {
  return AUDIO > 0 || IMAGE > 0;
}

function details({ total, AUDIO, IMAGE }: Modalities): JsonObject[] {
  const counts = { TEXT: total - AUDIO - IMAGE, AUDIO, IMAGE };
  return Object.entries(counts).filter(([modality, count]) => modality === "TEXT" || count > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }));
}
