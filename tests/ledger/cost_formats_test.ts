import { assert, assertEquals } from "@std/assert";
import {
  collect,
  type FormatName,
  formatNames,
  noUsage,
  type TokenBucket,
  tokenBuckets,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { costOf } from "../../lib/ledger/cost.ts";
import { resolvePrice } from "../../lib/ledger/price.ts";
import { contextOf, decoded, encoded } from "../formats/codec_suite.ts";
import { type WireAnswer, wireFormats } from "./cost_wire.ts";

/**
 * Common billing mistakes of gateways, against amounts computed by hand: cached tokens counted
 * twice, 5-minute and 1-hour cache writes added up, usage that differs in streams.
 */

/** Every bucket at a rate of its own, so that a token in the wrong one changes the amount. */
const price = resolvePrice({
  input: 3,
  cachedInput: 0.3,
  cacheWrite: 3.75,
  cacheWrite1h: 6,
  audioInput: 40,
  imageInput: 5,
  output: 15,
  reasoning: 20,
  audioOutput: 80,
  imageOutput: 30,
  hostedTools: { "web-search": 10, "url-fetch": 2, "code-execution": 4, "file-search": 2.5 },
});

/** Nano-dollars for one token or one call, as the price above has it. */
const input = 3_000n;
const cached = 300n;
const write5m = 3_750n;
const write1h = 6_000n;
const audioIn = 40_000n;
const imageIn = 5_000n;
const output = 15_000n;
const reasoning = 20_000n;
const audioOut = 80_000n;
const imageOut = 30_000n;
const webSearch = 10_000_000n;
const urlFetch = 2_000_000n;
const codeRun = 4_000_000n;
const fileSearch = 2_500_000n;

interface Row extends WireAnswer {
  readonly name: string;
  readonly format: FormatName;
  readonly nanoUsd: bigint;
}

const rows: readonly Row[] = [
  {
    name: "cache reads are part of prompt_tokens and cost their own rate only",
    format: "chat-completions",
    usage: {
      prompt_tokens: 1_000,
      completion_tokens: 40,
      total_tokens: 1_040,
      prompt_tokens_details: { cached_tokens: 900, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 0 },
    },
    nanoUsd: 100n * input + 900n * cached + 30n * output + 10n * reasoning,
  },
  {
    name: "cache writes are part of prompt_tokens too",
    format: "chat-completions",
    usage: {
      prompt_tokens: 1_050,
      completion_tokens: 40,
      total_tokens: 1_090,
      prompt_tokens_details: { cached_tokens: 900, cache_write_tokens: 50 },
    },
    nanoUsd: 100n * input + 900n * cached + 50n * write5m + 40n * output,
  },
  {
    name: "audio and images in and out",
    format: "chat-completions",
    usage: {
      prompt_tokens: 100,
      completion_tokens: 90,
      total_tokens: 190,
      prompt_tokens_details: { audio_tokens: 30, image_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 40, image_tokens: 15 },
    },
    nanoUsd: 50n * input + 30n * audioIn + 20n * imageIn +
      25n * output + 10n * reasoning + 40n * audioOut + 15n * imageOut,
  },
  {
    name: "reasoning that only the total holds",
    format: "chat-completions",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 115,
      completion_tokens_details: { reasoning_tokens: 100 },
    },
    nanoUsd: 10n * input + 5n * output + 100n * reasoning,
  },
  {
    name: "cache hits by a vendor's own name",
    format: "chat-completions",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_cache_hit_tokens: 8,
      prompt_cache_miss_tokens: 2,
    },
    nanoUsd: 2n * input + 8n * cached + 5n * output,
  },
  {
    name: "input_tokens leaves out what a cache served or stored",
    format: "messages",
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 900,
      output_tokens: 40,
    },
    nanoUsd: 100n * input + 900n * cached + 50n * write5m + 40n * output,
  },
  {
    name: "5-minute and 1-hour writes are charged once each",
    format: "messages",
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 40,
    },
    nanoUsd: 100n * input + 20n * write5m + 30n * write1h + 40n * output,
  },
  {
    name: "writes for an hour alone are no 5-minute writes as well",
    format: "messages",
    usage: {
      input_tokens: 1,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 30 },
      output_tokens: 1,
    },
    nanoUsd: 1n * input + 30n * write1h + 1n * output,
  },
  {
    name: "a stream's end states the whole usage again, and its writes without their lifetimes",
    format: "messages",
    opening: {
      input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 900,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 3,
    },
    usage: {
      input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 900,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 40,
    },
    nanoUsd: 100n * input + 900n * cached + 20n * write5m + 30n * write1h + 40n * output,
  },
  {
    name: "thinking is part of output_tokens; searches and fetches by the call",
    format: "messages",
    usage: {
      input_tokens: 100,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 10 },
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 },
    },
    nanoUsd: 100n * input + 30n * output + 10n * reasoning + 3n * webSearch + 2n * urlFetch,
  },
  {
    name: "cache reads, writes and reasoning are parts of the totals",
    format: "responses",
    usage: {
      input_tokens: 1_050,
      input_tokens_details: { cached_tokens: 900, cache_write_tokens: 50 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 10 },
      total_tokens: 1_090,
    },
    nanoUsd: 100n * input + 900n * cached + 50n * write5m + 30n * output + 10n * reasoning,
  },
  {
    name: "audio and images in and out",
    format: "responses",
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0, audio_tokens: 30, image_tokens: 20 },
      output_tokens: 90,
      output_tokens_details: { reasoning_tokens: 10, audio_tokens: 40, image_tokens: 15 },
      total_tokens: 190,
    },
    nanoUsd: 50n * input + 30n * audioIn + 20n * imageIn +
      25n * output + 10n * reasoning + 40n * audioOut + 15n * imageOut,
  },
  {
    name: "hosted tools by the item; a visit to a page is no search",
    format: "responses",
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    output: [
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } },
      { type: "web_search_call", id: "ws_2", status: "completed", action: { type: "open_page" } },
      { type: "file_search_call", id: "fs_1", status: "completed", queries: [] },
      { type: "code_interpreter_call", id: "ci_1", status: "completed", code: "1" },
    ],
    nanoUsd: 10n * input + 5n * output + webSearch + fileSearch + codeRun,
  },
  {
    name: "the vendor's own count of searches wins over the items",
    format: "responses",
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    output: [
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } },
    ],
    beside: { tool_usage: { web_search: { num_requests: 4 } } },
    nanoUsd: 10n * input + 5n * output + 4n * webSearch,
  },
  {
    name:
      "cached content is part of the prompt, thoughts and tools' prompts are not part of the rest",
    format: "generate-content",
    usage: {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 900,
      toolUsePromptTokenCount: 50,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 10,
      totalTokenCount: 1_090,
    },
    nanoUsd: 150n * input + 900n * cached + 30n * output + 10n * reasoning,
  },
  {
    name: "audio that the cache served is no audio input as well",
    format: "generate-content",
    usage: {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 40 },
        { modality: "AUDIO", tokenCount: 60 },
      ],
      cacheTokensDetails: [{ modality: "AUDIO", tokenCount: 40 }],
      candidatesTokenCount: 30,
      candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }],
      totalTokenCount: 130,
    },
    nanoUsd: 40n * input + 40n * cached + 20n * audioIn + 30n * audioOut,
  },
  {
    name: "images in and out",
    format: "generate-content",
    usage: {
      promptTokenCount: 273,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 15 },
        { modality: "IMAGE", tokenCount: 258 },
      ],
      candidatesTokenCount: 1_300,
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 1_290 }],
      totalTokenCount: 1_573,
    },
    nanoUsd: 15n * input + 258n * imageIn + 10n * output + 1_290n * imageOut,
  },
  {
    name: "searches, fetched pages and code runs, as the answer shows them",
    format: "generate-content",
    usage: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    candidate: {
      content: {
        role: "model",
        parts: [{ executableCode: { language: "PYTHON", code: "1" } }, { text: "Hi" }],
      },
      groundingMetadata: { webSearchQueries: ["a", "b"] },
      urlContextMetadata: { urlMetadata: [{ retrievedUrl: "https://a.test" }] },
    },
    nanoUsd: 10n * input + 5n * output + 2n * webSearch + urlFetch + codeRun,
  },
];

for (const row of rows) {
  const codec = codecs[row.format];
  const wire = wireFormats[row.format];
  const whole = wire.whole(row);
  const events = wire.stream(row);
  const title = `cost of ${row.format}: ${row.name}`;

  Deno.test(`${title}: whole`, () => {
    assertEquals(nanoUsd(codec.decodeResponse(whole).usage), row.nanoUsd);
    assertEquals(nanoUsd(codec.usageReader.usage(whole)), row.nanoUsd);
  });

  Deno.test(`${title}: streamed`, () => {
    assertEquals(nanoUsd(collect(decoded(codec, events)).usage), row.nanoUsd);
    const usageReader = codec.usageReader.stream();
    for (const event of events) usageReader.push(event);
    assertEquals(nanoUsd(usageReader.result().usage), row.nanoUsd);
  });

  for (const target of formatNames) {
    Deno.test(`${title}: converted to ${target}`, () => assertKept(row, target));
  }
}

function nanoUsd(usage: Usage | undefined): bigint {
  return costOf(usage ?? noUsage, price, 1).nanoUsd;
}

/** The usage as a caller of the target format reads it: whole, and out of the stream. */
function assertKept(row: Row, target: FormatName): void {
  const source = decoded(codecs[row.format], wireFormats[row.format].stream(row));
  const canonical = collect(source);
  const usage = canonical.usage ?? noUsage;
  const context = meteredContext();
  const codec = codecs[target];
  const read = [
    codec.decodeResponse(codec.encodeResponse(canonical, context)).usage,
    collect(decoded(codec, encoded(codec, source, context))).usage,
  ];
  const expected = expressibleIn(target, usage);
  for (const again of read) {
    assert(again);
    assertEquals(totals(again), totals(usage));
    assertEquals(
      nanoUsd({ ...again, hostedToolCalls: statedCalls(target, again) }),
      nanoUsd(expected),
    );
  }
}

function totals(usage: Usage): readonly number[] {
  return [totalInputTokens(usage), totalOutputTokens(usage)];
}

/** A chat stream states its usage only to who asks. */
function meteredContext() {
  const context = contextOf({});
  const request = { ...context.request, streamOptions: { includeUsage: true } };
  return { ...context, request };
}

/** The bucket of tokens in a format that has no name for theirs. */
const standIn: Readonly<Record<FormatName, Partial<Record<TokenBucket, TokenBucket>>>> = {
  "chat-completions": { cacheWrite1hTokens: "cacheWrite5mTokens" },
  responses: { cacheWrite1hTokens: "cacheWrite5mTokens" },
  messages: {
    audioInputTokens: "inputTokens",
    imageInputTokens: "inputTokens",
    audioOutputTokens: "outputTokens",
    imageOutputTokens: "outputTokens",
  },
  "generate-content": { cacheWrite5mTokens: "inputTokens", cacheWrite1hTokens: "inputTokens" },
};

/** Calls of hosted tools that a format's usage states; elsewhere they show in the answer, if at all. */
function statedCalls(format: FormatName, { hostedToolCalls }: Usage): Usage["hostedToolCalls"] {
  const stated = format === "messages" ? ["web-search", "url-fetch"] : [];
  return Object.fromEntries(
    Object.entries(hostedToolCalls).filter(([kind]) => stated.includes(kind)),
  );
}

/** The usage as the format can say it. */
function expressibleIn(format: FormatName, usage: Usage): Usage {
  const moved: Record<TokenBucket, number> = { ...noUsage };
  for (const bucket of tokenBuckets) moved[standIn[format][bucket] ?? bucket] += usage[bucket];
  return { ...noUsage, ...moved, hostedToolCalls: statedCalls(format, usage) };
}
