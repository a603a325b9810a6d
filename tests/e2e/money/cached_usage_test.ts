import { assert, assertEquals } from "@std/assert";
import {
  type FormatName,
  formatNames,
  type JsonObject,
  tokenBuckets,
  type TokenCounts,
} from "../../../lib/canonical/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { wireFormats } from "../../ledger/cost_wire.ts";
import { ask, eventsIn, plainRequest } from "../conversion/format_pair.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import { onlyRow } from "../interruptions/interrupted_call.ts";

/**
 * Cached tokens as upstreams state them, charged in streams as in whole answers. Of other gateways,
 * streams lost them and were charged in full (https://github.com/QuantumNous/new-api/issues/6144,
 * https://github.com/QuantumNous/new-api/issues/5672,
 * https://github.com/BerriAI/litellm/issues/11789), and a cache larger than the prompt became a
 * negative input and a refund (https://github.com/QuantumNous/new-api/issues/5003,
 * https://github.com/BerriAI/litellm/issues/27745).
 */

interface Case {
  readonly name: string;
  readonly format: FormatName;
  readonly usage: JsonObject;
  /** The usage at a messages stream's start, if its end states another. */
  readonly opening?: JsonObject;
  /** Events to add before the end of a stream. */
  readonly late?: readonly ServerSentEvent[];
  /** The prompt's buckets. */
  readonly expected: Partial<TokenCounts>;
}

const chatChunk = (usage: JsonObject): ServerSentEvent => ({
  data: JSON.stringify({
    id: "c1",
    created: 1,
    model: "up",
    object: "chat.completion.chunk",
    choices: [],
    usage,
  }),
});

const cases: readonly Case[] = [
  {
    name: "cached tokens within the prompt",
    format: "chat-completions",
    usage: {
      prompt_tokens: 1_816,
      completion_tokens: 64,
      total_tokens: 1_880,
      prompt_tokens_details: { cached_tokens: 1_792, text_tokens: 0, audio_tokens: 0 },
    },
    expected: { inputTokens: 24, cacheReadTokens: 1_792 },
  },
  {
    name: "all of the prompt from the cache",
    format: "chat-completions",
    usage: {
      prompt_tokens: 1_792,
      completion_tokens: 64,
      total_tokens: 1_856,
      prompt_tokens_details: { cached_tokens: 1_792 },
    },
    expected: { inputTokens: 0, cacheReadTokens: 1_792 },
  },
  {
    name: "a prompt that leaves the cached tokens out",
    format: "chat-completions",
    usage: {
      prompt_tokens: 563,
      completion_tokens: 87,
      total_tokens: 650,
      prompt_tokens_details: { cached_tokens: 729 },
    },
    expected: { inputTokens: 563, cacheReadTokens: 729 },
  },
  {
    name: "a prompt that leaves reads and writes out",
    format: "chat-completions",
    usage: {
      prompt_tokens: 1,
      completion_tokens: 82,
      total_tokens: 83,
      prompt_tokens_details: { cached_tokens: 965, cache_write_tokens: 225 },
    },
    expected: { inputTokens: 1, cacheReadTokens: 965, cacheWrite5mTokens: 225 },
  },
  {
    name: "negative counts",
    format: "chat-completions",
    usage: {
      prompt_tokens: 900,
      completion_tokens: 64,
      total_tokens: 964,
      prompt_tokens_details: { cached_tokens: -500, audio_tokens: -1 },
    },
    expected: { inputTokens: 900 },
  },
  {
    name: "zeros in a chunk behind the usage",
    format: "chat-completions",
    usage: {
      prompt_tokens: 900,
      completion_tokens: 64,
      total_tokens: 964,
      prompt_tokens_details: { cached_tokens: 800 },
    },
    late: [chatChunk({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })],
    expected: { inputTokens: 100, cacheReadTokens: 800 },
  },
  {
    name: "cached tokens within the prompt",
    format: "responses",
    usage: {
      input_tokens: 1_050,
      input_tokens_details: { cached_tokens: 900 },
      output_tokens: 40,
      total_tokens: 1_090,
    },
    expected: { inputTokens: 150, cacheReadTokens: 900 },
  },
  {
    name: "more cached tokens than the prompt has",
    format: "responses",
    usage: {
      input_tokens: 50,
      input_tokens_details: { cached_tokens: 900 },
      output_tokens: 40,
      total_tokens: 90,
    },
    expected: { cacheReadTokens: 50 },
  },
  {
    name: "reads and writes beside the input",
    format: "messages",
    usage: {
      input_tokens: 1,
      cache_creation_input_tokens: 225,
      cache_read_input_tokens: 965,
      output_tokens: 82,
    },
    expected: { inputTokens: 1, cacheReadTokens: 965, cacheWrite5mTokens: 225 },
  },
  {
    name: "an end without the cache that the start stated",
    format: "messages",
    opening: { input_tokens: 7, cache_read_input_tokens: 965, output_tokens: 1 },
    usage: { output_tokens: 82 },
    expected: { inputTokens: 7, cacheReadTokens: 965 },
  },
  {
    name: "an end with nulls for the cache that the start stated",
    format: "messages",
    opening: { input_tokens: 7, cache_read_input_tokens: 965, output_tokens: 1 },
    usage: { input_tokens: null, cache_read_input_tokens: null, output_tokens: 82 },
    expected: { inputTokens: 7, cacheReadTokens: 965 },
  },
  {
    name: "an end with zeros for what the start stated",
    format: "messages",
    opening: {
      input_tokens: 7,
      cache_read_input_tokens: 965,
      cache_creation_input_tokens: 12,
      output_tokens: 1,
    },
    usage: {
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: 82,
    },
    expected: { inputTokens: 7, cacheReadTokens: 965, cacheWrite5mTokens: 12 },
  },
  {
    name: "a start with zeros, and the cache at the end",
    format: "messages",
    opening: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
    usage: { input_tokens: 7, cache_read_input_tokens: 965, output_tokens: 82 },
    expected: { inputTokens: 7, cacheReadTokens: 965 },
  },
  {
    name: "cached content within the prompt",
    format: "generate-content",
    usage: {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 900,
      candidatesTokenCount: 30,
      totalTokenCount: 1_030,
    },
    expected: { inputTokens: 100, cacheReadTokens: 900 },
  },
  {
    name: "more cached content than the prompt has",
    format: "generate-content",
    usage: {
      promptTokenCount: 100,
      cachedContentTokenCount: 900,
      candidatesTokenCount: 30,
      totalTokenCount: 130,
    },
    expected: { cacheReadTokens: 100 },
  },
];

/** Long enough that every count above is plausible. */
const prompt = "The quick brown fox jumps over the lazy dog. ".repeat(200);

function answerOf({ format, usage, opening, late = [] }: Case, streamed: boolean): Response {
  const wire = wireFormats[format];
  if (!streamed) {
    const whole = opening ? { ...opening, ...withoutEmpty(usage) } : usage;
    return Response.json(wire.whole({ usage: whole }));
  }
  const events = wire.stream({ usage, ...(opening && { opening }) });
  const texts = [...events.slice(0, -1), ...late, ...events.slice(-1)].map(sseText);
  return new Response(pieces(texts), { headers: { "content-type": "text/event-stream" } });
}

/** A whole answer states each count once. */
function withoutEmpty(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count));
}

/** Every count that a caller reads. */
function countsIn(text: string): readonly number[] {
  const bodies = text.startsWith("{")
    ? [text]
    : eventsIn(text).map(({ data }) => data).filter((data) => data.startsWith("{"));
  return bodies.join().match(/"\w*(?:_tokens|TokenCount)"\s*:\s*-?\d+/g)?.map((found) =>
    Number(found.split(":")[1])
  ) ?? [];
}

for (const one of cases) {
  for (const to of formatNames) {
    for (const stream of [false, true]) {
      Deno.test(`cached usage: ${one.format} states ${one.name}: charged, ${stream ? "streamed" : "whole"} to ${to}`, async () => {
        await using upstream = startUpstream(() => answerOf(one, stream));
        const price = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 };
        await using gateway = await startGateway({
          ...oneUpstream({ [one.format]: upstream.base }),
          models: [{ id: "m", price }],
        });
        const request = {
          ...plainRequest,
          stream,
          turns: [{ role: "user", parts: [{ type: "text", text: prompt }] }] as const,
        };
        const text = await (await ask(gateway, to, request)).text();
        const { usage, usageSource, costNanoUsd = 0n } = await onlyRow(gateway);
        assert(usage, text);
        const stated = tokenBuckets.filter((bucket) => !/output|reasoning/i.test(bucket))
          .filter((bucket) => usage[bucket] !== 0).map((bucket) => [bucket, usage[bucket]]);
        const expected = Object.entries(one.expected).filter(([, count]) => count !== 0);
        assertEquals(Object.fromEntries(stated), Object.fromEntries(expected), text);
        assertEquals(usageSource, "upstream");
        const { inputTokens = 0, cacheReadTokens = 0, cacheWrite5mTokens = 0 } = one.expected;
        assertEquals(
          costNanoUsd,
          BigInt(inputTokens) * 3_000n + BigInt(cacheReadTokens) * 300n +
            BigInt(cacheWrite5mTokens) * 3_750n + BigInt(usage.outputTokens) * 15_000n,
        );
        if (to !== one.format) {
          for (const count of countsIn(text)) assert(count >= 0, `${count} in ${text}`);
        }
      });
    }
  }
}
