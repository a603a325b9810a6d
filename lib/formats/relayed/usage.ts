import {
  disjoint,
  isJsonObject,
  type JsonObject,
  noUsage,
  type TokenBucket,
  type Usage,
} from "../../canonical/mod.ts";
import { countOf, objectOf, textOf } from "../wire_value.ts";

/** Reads the usage of a relayed answer; undefined if it states none. */
export type ReadUsage = (body: JsonObject) => Usage | undefined;

/** Only some servers of embeddings state the prompt's tokens: Voyage and Jina state a total alone (2026-11-21). */
export function embeddingUsage({ usage }: JsonObject): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  return stated({ inputTokens: countOf(usage.prompt_tokens ?? usage.total_tokens) });
}

/** Images are a part of the input and the whole output, unless details say otherwise. */
export const imageUsage = mediumUsage("image_tokens", {
  prompt: "imageInputTokens",
  answer: "imageOutputTokens",
  answerIsMedium: true,
});

/** Speech states its usage only in a stream; all of its output is audio. */
export const speechUsage = mediumUsage("audio_tokens", {
  prompt: "audioInputTokens",
  answer: "audioOutputTokens",
  answerIsMedium: true,
});

function mediumUsage(member: string, sides: Sides): ReadUsage {
  return ({ usage }) => isJsonObject(usage) ? sided(usage, member, sides) : undefined;
}

/** Audio in and text out, in tokens or, for models billed by the minute, in seconds. */
export function transcriptionUsage({ usage, duration }: JsonObject): Usage | undefined {
  const counts = objectOf(usage);
  if (textOf(counts.type) === "duration" || counts.seconds !== undefined) {
    return ofSeconds(counts.seconds);
  }
  if (counts.input_tokens === undefined) return ofSeconds(duration);
  return sided(counts, "audio_tokens", {
    prompt: "audioInputTokens",
    answer: "audioOutputTokens",
    answerIsMedium: false,
  });
}

/** Audio tokens per second of a recording, so that time-based billing has a price per token. */
const audioTokensPerSecond = 10;

function ofSeconds(seconds: unknown): Usage | undefined {
  const duration = typeof seconds === "string" ? Number(seconds) : seconds;
  if (typeof duration !== "number" || !(duration > 0)) return undefined;
  return stated({ audioInputTokens: Math.ceil(duration * audioTokensPerSecond) });
}

/** Tokens as most servers state them, or the vendor's own search units; see `docs/reference/endpoints.md`. */
export function rerankUsage({ usage, meta }: JsonObject): Usage | undefined {
  const { tokens, billed_units: billed } = objectOf(meta);
  const inputTokens = countOf(
    objectOf(usage).total_tokens ?? objectOf(usage).prompt_tokens ??
      objectOf(tokens).input_tokens ?? objectOf(billed).input_tokens,
  );
  const searches = countOf(objectOf(billed).search_units);
  if (inputTokens === 0 && searches === 0) return undefined;
  return {
    ...stated({ inputTokens }),
    ...(searches > 0 && { hostedToolCalls: { rerank: searches } }),
  };
}

/** As in responses, without audio and images. */
export function decisionUsage({ usage }: JsonObject): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const details = objectOf(usage.input_tokens_details);
  const input = disjoint(countOf(usage.input_tokens), {
    cacheReadTokens: countOf(details.cached_tokens),
    cacheWrite5mTokens: countOf(details.cache_write_tokens),
  });
  const output = disjoint(countOf(usage.output_tokens), {
    reasoningTokens: countOf(objectOf(usage.output_tokens_details).reasoning_tokens),
  });
  return stated({
    ...input.taken,
    ...output.taken,
    inputTokens: input.rest,
    outputTokens: output.rest,
  });
}

interface Sides {
  readonly prompt: TokenBucket;
  readonly answer: TokenBucket;
  /** True if an answer without details is all of that medium. */
  readonly answerIsMedium: boolean;
}

function sided(usage: JsonObject, member: string, sides: Sides): Usage {
  // one vendor has two names for the same details (OpenAI, transcriptions and images; 2026-11-21)
  const inputs = objectOf(usage.input_tokens_details ?? usage.input_token_details);
  const outputs = objectOf(usage.output_tokens_details ?? usage.output_token_details);
  const answer = countOf(usage.output_tokens);
  const medium = sides.answerIsMedium && outputs[member] === undefined
    ? answer
    : countOf(outputs[member]);
  const input = disjoint(countOf(usage.input_tokens), { [sides.prompt]: countOf(inputs[member]) });
  const output = disjoint(answer, { [sides.answer]: medium });
  return stated({
    ...input.taken,
    ...output.taken,
    inputTokens: input.rest,
    outputTokens: output.rest,
  });
}

function stated(counts: Partial<Record<TokenBucket, number>>): Usage {
  return { ...noUsage, ...counts };
}
