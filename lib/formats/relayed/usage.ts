import {
  isJsonObject,
  type JsonObject,
  noUsage,
  type TokenBucket,
  type Usage,
} from "../../canonical/mod.ts";
import { disjoint } from "../disjoint.ts";
import { countOf, objectOf, textOf } from "../wire_value.ts";

/** What a relayed answer says that it used; undefined where it says nothing. */
export type ReadUsage = (body: JsonObject) => Usage | undefined;

/** Only some servers of embeddings name the prompt's part: Voyage and Jina know a total alone (2026-11-21). */
export function embeddingUsage({ usage }: JsonObject): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  return stated({ inputTokens: countOf(usage.prompt_tokens ?? usage.total_tokens) });
}

/** Pictures are a part of what goes in and all that comes out, unless details say otherwise. */
export function imageUsage({ usage }: JsonObject): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  return sided(usage, "image_tokens", {
    prompt: "imageInputTokens",
    answer: "imageOutputTokens",
    answerIsMedium: true,
  });
}

/** Speech states its usage only in a stream; what it says is all audio. */
export function speechUsage({ usage }: JsonObject): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  return sided(usage, "audio_tokens", {
    prompt: "audioInputTokens",
    answer: "audioOutputTokens",
    answerIsMedium: true,
  });
}

/** Audio in and text out, in tokens or, where a model is sold by the minute, in seconds. */
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

/** How many audio tokens a second of a recording counts as, so that what is sold by time has a price by token. */
const audioTokensPerSecond = 10;

function ofSeconds(seconds: unknown): Usage | undefined {
  const duration = typeof seconds === "string" ? Number(seconds) : seconds;
  if (typeof duration !== "number" || !(duration > 0)) return undefined;
  return stated({ audioInputTokens: Math.ceil(duration * audioTokensPerSecond) });
}

/** Tokens as most servers state them, or the vendor's own unit of a search; see `docs/reference/endpoints.md`. */
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

interface Sides {
  readonly prompt: TokenBucket;
  readonly answer: TokenBucket;
  /** Whether an answer without details is all of that medium. */
  readonly answerIsMedium: boolean;
}

function sided(usage: JsonObject, member: string, sides: Sides): Usage {
  // one vendor spells the same details in two ways (OpenAI, transcriptions and pictures; 2026-11-21)
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
