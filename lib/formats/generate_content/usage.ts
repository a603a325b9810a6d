import {
  isJsonObject,
  type JsonObject,
  noUsage,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../canonical/mod.ts";
import { keep, ownFields } from "./native.ts";
import { defined, listOf, objectOf, objectsOf, restOf } from "../wire_value.ts";
import { countOf } from "./number.ts";

/**
 * The usage of a whole answer or of one chunk, `undefined` where it states none. The prompt count
 * holds cached tokens but not those of hosted tools' results; the answer count leaves thoughts out.
 */
export function decodeUsage(
  answer: JsonObject,
  hostedToolCalls: Readonly<Record<string, number>> = hostedToolCallsOf(answer),
): Usage | undefined {
  const usage = answer.usageMetadata;
  if (!isJsonObject(usage)) return undefined;
  const prompt = countOf(usage.promptTokenCount) + countOf(usage.toolUsePromptTokenCount);
  const cached = Math.min(prompt, countOf(usage.cachedContentTokenCount));
  const cachedAudio = audioIn(usage.cacheTokensDetails);
  const audioInput = Math.min(
    prompt - cached,
    Math.max(0, audioIn(usage.promptTokensDetails) - cachedAudio),
  );
  const output = countOf(usage.candidatesTokenCount);
  const audioOutput = Math.min(output, audioIn(usage.candidatesTokensDetails));
  return {
    ...noUsage,
    inputTokens: prompt - cached - audioInput,
    cacheReadTokens: cached,
    audioInputTokens: audioInput,
    outputTokens: output - audioOutput,
    reasoningTokens: countOf(usage.thoughtsTokenCount),
    audioOutputTokens: audioOutput,
    hostedToolCalls,
    ...keep(restOf(usage, canonicalCounts)),
  };
}

/** The usage object; the totals are computed anew. Cache writes are part of the prompt here. */
export function encodeUsage(usage: Usage): JsonObject {
  const own = ownFields(usage);
  const input = totalInputTokens(usage);
  const output = totalOutputTokens(usage);
  const toolUse = Math.min(input, countOf(own?.toolUsePromptTokenCount));
  return defined({
    ...(own ?? modalities(usage)),
    promptTokenCount: input - toolUse,
    cachedContentTokenCount: usage.cacheReadTokens || undefined,
    candidatesTokenCount: output - usage.reasoningTokens,
    thoughtsTokenCount: usage.reasoningTokens || undefined,
    totalTokenCount: input + output,
  });
}

/** Calls of tools that the vendor runs and bills, as an answer or a chunk shows them. */
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

/** Counts of one chunk beside those before it: code runs come one by one, grounding comes whole. */
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

/** `toolUsePromptTokenCount` is not among them: it is needed to tell the two parts of the prompt again. */
const canonicalCounts = [
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
];

function audioIn(details: unknown): number {
  return objectsOf(details).filter(({ modality }) => modality === "AUDIO")
    .reduce((sum, { tokenCount }) => sum + countOf(tokenCount), 0);
}

/** Audio has a bucket of its own, so an answer from elsewhere must state how much of it there was. */
function modalities(usage: Usage): JsonObject {
  const { audioInputTokens, audioOutputTokens } = usage;
  const detail = (audio: number, total: number) => [
    { modality: "TEXT", tokenCount: total - audio },
    { modality: "AUDIO", tokenCount: audio },
  ];
  return {
    ...(audioInputTokens > 0 && {
      promptTokensDetails: detail(audioInputTokens, totalInputTokens(usage)),
    }),
    ...(audioOutputTokens > 0 && {
      candidatesTokensDetails: detail(
        audioOutputTokens,
        usage.outputTokens + audioOutputTokens,
      ),
    }),
  };
}
