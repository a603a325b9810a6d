import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  Delivered,
  type FormatName,
  GatewayError,
  noUsage,
  type Usage,
} from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { flightUsage, likelyInputTokens, settledUsage } from "../../lib/gateway/settled_usage.ts";
import type { Decoded } from "../../lib/http/decode.ts";
import { Converting } from "../../lib/http/stream/converting.ts";
import { Encoding } from "../../lib/http/stream/encoding.ts";
import { PassThrough } from "../../lib/http/stream/pass_through.ts";
import { ownStreamLimits } from "../../lib/http/stream/sse.ts";
import type { StreamResult, Transcoder } from "../../lib/http/stream/transcoder.ts";
import { countTextTokens, measureRequest } from "../../lib/tokens/mod.ts";
import { contextOf } from "../formats/codec_suite.ts";
import { bareRequest } from "../formats/requests/bare_request.ts";

const prompt = "What is the meaning of life, the universe and everything?";
const request: CanonicalRequest = {
  ...bareRequest,
  turns: [{ role: "user", parts: [{ type: "text", text: prompt }] }],
};
const body = { model: "m", messages: [{ role: "user", content: prompt }] };
const asked: Decoded = {
  wire: { path: "/x", search: {}, headers: {}, body },
  read: { text: JSON.stringify(body), body },
  envelope: { model: "m", stream: true, framing: "sse", alternatives: 1 },
  canonical: () => request,
};
const prompted = measureRequest(request).inputTokens;

const answer = "The answer is forty-two, as everybody knows.";
const thought = "Seven and a half million years.";
const [said, meant] = [countTextTokens(answer), countTextTokens(thought)];

function delivered(text = answer, reasoning = ""): Delivered {
  const all = new Delivered();
  all.answer.add(text);
  all.reasoning.add(reasoning);
  return all;
}

const stated: Usage = { ...noUsage, inputTokens: 100, cacheReadTokens: 20, outputTokens: 50 };
const placeholder: Usage = { ...stated, outputTokens: 1 };
const interruptions = ["truncated", "upstream_error", "client_gone", "timeout"] as const;

interface Case {
  readonly name: string;
  readonly result: Omit<StreamResult, "outcome">;
  readonly usageSource: "upstream" | "counted" | "none";
  readonly usage?: Partial<Usage>;
}

const asStated = {
  result: { usage: stated, delivered: delivered() },
  usageSource: "upstream",
  usage: stated,
} as const;
const outputCounted = {
  result: { usage: { ...stated, outputTokens: 0 }, delivered: delivered() },
  usageSource: "counted",
  usage: { ...stated, outputTokens: said },
} as const;

const interrupted: readonly Case[] = [
  { name: "the upstream's partial usage counts", ...asStated },
  {
    name: "an output that is only a placeholder is counted, the input stays",
    result: { usage: placeholder, outputPending: true, delivered: delivered(answer, thought) },
    usageSource: "counted",
    usage: { ...stated, outputTokens: said, reasoningTokens: meant },
  },
  {
    name: "a counted output is charged, though the usage divides the tokens by samplings",
    result: {
      usage: { ...placeholder, samplings: [{ purpose: "compaction", tokens: placeholder }] },
      outputPending: true,
      delivered: delivered(),
    },
    usageSource: "counted",
    usage: { ...stated, outputTokens: said },
  },
  {
    name: "an output that is not stated yet is counted, the input stays",
    ...outputCounted,
  },
  {
    name: "an input that is not stated is counted, the output stays",
    result: { usage: { ...noUsage, outputTokens: 5 }, delivered: delivered() },
    usageSource: "counted",
    usage: { inputTokens: prompted, outputTokens: 5 },
  },
  {
    name: "without any usage all is counted",
    result: { delivered: delivered("", thought) },
    usageSource: "counted",
    usage: { inputTokens: prompted, outputTokens: 0, reasoningTokens: meant },
  },
  { name: "without content nothing is charged", result: { usage: stated }, usageSource: "none" },
  {
    name: "before any content nothing is charged",
    result: { usage: placeholder, outputPending: true, delivered: new Delivered() },
    usageSource: "none",
  },
];

for (const outcome of interruptions) {
  for (const { name, result, usageSource, usage } of interrupted) {
    Deno.test(`settledUsage of ${outcome}: ${name}`, () => {
      const settled = settledUsage({ ...result, outcome }, asked);
      assertEquals(settled, { ...(usage && { usage: { ...noUsage, ...usage } }), usageSource });
    });
  }
}

const completed: readonly Case[] = [
  { name: "the upstream's usage counts", ...asStated },
  {
    name: "an output of zero beside content is counted",
    ...outputCounted,
  },
  {
    name: "zeros for all are no usage",
    result: { usage: noUsage, delivered: delivered() },
    usageSource: "counted",
    usage: { inputTokens: prompted, outputTokens: said },
  },
  {
    name: "without usage all is counted",
    result: { delivered: delivered() },
    usageSource: "counted",
    usage: { inputTokens: prompted, outputTokens: said },
  },
  { name: "without usage or content there is none", result: {}, usageSource: "none" },
  {
    name: "an answer without content is the upstream's word",
    result: { usage: { ...stated, outputTokens: 0 }, delivered: new Delivered() },
    usageSource: "upstream",
    usage: { ...stated, outputTokens: 0 },
  },
  {
    name: "of a blocked prompt what the upstream states",
    result: { usage: { ...noUsage, inputTokens: 9 }, promptBlocked: true },
    usageSource: "upstream",
    usage: { inputTokens: 9 },
  },
  {
    name: "a count made on the way is kept",
    result: { usage: stated, counted: true, delivered: delivered() },
    usageSource: "counted",
    usage: stated,
  },
];

for (const { name, result, usageSource, usage } of completed) {
  Deno.test(`settledUsage of completed: ${name}`, () => {
    const settled = settledUsage({ ...result, outcome: "completed" }, asked);
    assertEquals(settled, { ...(usage && { usage: { ...noUsage, ...usage } }), usageSource });
  });
}

Deno.test("settledUsage of a request that cannot be decoded here estimates its prompt", () => {
  const refusing = () => {
    throw new GatewayError("invalid_request", "Cannot decode request: a field is new");
  };
  const settled = settledUsage({ outcome: "timeout", delivered: delivered() }, {
    ...asked,
    canonical: refusing,
  });
  assert((settled.usage?.inputTokens ?? 0) > 0);
  assertEquals([settled.usage?.outputTokens, settled.usageSource], [said, "counted"]);
});

Deno.test("settledUsage of an endless answer counts its beginning and takes the rest for alike", () => {
  const piece = "words and words, ";
  const all = new Delivered();
  for (let at = 0; at < 200_000; at++) all.answer.add(piece);
  assertEquals(all.chars, 200_000 * piece.length);
  assert(all.answer.text().length < 600_000);
  const { usage } = settledUsage({ outcome: "timeout", delivered: all }, asked);
  const expected = countTextTokens(piece.repeat(1000)) * 200;
  assert(Math.abs((usage?.outputTokens ?? 0) / expected - 1) < 0.01);
});

Deno.test("flightUsage is near what would be counted, and asks no tokenizer", () => {
  const counting = settledUsage({ outcome: "truncated", delivered: delivered() }, asked);
  const undecoded = () => {
    throw new Error("decoded in flight");
  };
  const inputTokens = likelyInputTokens({ ...asked, canonical: undecoded });
  assert(inputTokens > prompted / 2 && inputTokens < prompted * 3, `${inputTokens}`);
  const flying = flightUsage({ outcome: "completed", delivered: delivered() }, () => inputTokens);
  assertEquals([flying.usageSource, flying.usage?.inputTokens], ["counted", inputTokens]);
  const ratio = (flying.usage?.outputTokens ?? 0) / (counting.usage?.outputTokens ?? 1);
  assert(ratio > 0.6 && ratio < 1.6, `${ratio}`);
});

Deno.test("flightUsage takes the upstream's word, and nothing before any content", () => {
  const unasked = () => {
    throw new Error("estimated in vain");
  };
  const result: StreamResult = { outcome: "completed", usage: stated };
  assertEquals(flightUsage(result, unasked), { usageSource: "none" });
  const begun = flightUsage({ ...result, delivered: delivered() }, unasked);
  assertEquals(begun, { usage: stated, usageSource: "upstream" });
});

const event = (data: unknown, name?: string) =>
  `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const typed = (data: { readonly type: string }) => event(data, data.type);
const chunk = (delta: unknown, usage?: unknown) =>
  event({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: null }], usage });
const candidate = (text: string, usageMetadata: unknown) =>
  event({
    candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }],
    usageMetadata,
  });

/** A stream of each format that states its usage while it is under way. */
const partial: readonly {
  readonly name: string;
  readonly format: FormatName;
  readonly stream: readonly string[];
  readonly usageSource: "upstream" | "counted";
  readonly usage: Partial<Usage>;
}[] = [
  {
    name: "says nothing before its end",
    format: "chat-completions",
    stream: [chunk({ role: "assistant", content: "" }), chunk({ content: answer })],
    usageSource: "counted",
    usage: { inputTokens: prompted, outputTokens: said },
  },
  {
    name: "with usage on every chunk",
    format: "chat-completions",
    stream: [
      chunk({ content: answer }, { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 }),
      chunk({ content: "!" }, { prompt_tokens: 7, completion_tokens: 11, total_tokens: 18 }),
    ],
    usageSource: "upstream",
    usage: { inputTokens: 7, outputTokens: 11 },
  },
  {
    name: "says nothing before its end",
    format: "responses",
    stream: [
      typed({ type: "response.created", ...{ response: { id: "r", model: "m", usage: null } } }),
      typed({ type: "response.output_text.delta", ...{ output_index: 0, delta: answer } }),
    ],
    usageSource: "counted",
    usage: { inputTokens: prompted, outputTokens: said },
  },
  {
    name: "states its input at the start, with one token of output",
    format: "messages",
    stream: [
      typed({
        type: "message_start",
        ...{ message: { id: "m", model: "m", usage: { input_tokens: 7, output_tokens: 1 } } },
      }),
      typed({
        type: "content_block_delta",
        ...{ index: 0, delta: { type: "text_delta", text: answer } },
      }),
    ],
    usageSource: "counted",
    usage: { inputTokens: 7, outputTokens: said },
  },
  {
    name: "states its output before its last event",
    format: "messages",
    stream: [
      typed({
        type: "message_start",
        ...{ message: { id: "m", model: "m", usage: { input_tokens: 7, output_tokens: 1 } } },
      }),
      typed({
        type: "content_block_delta",
        ...{ index: 0, delta: { type: "text_delta", text: answer } },
      }),
      typed({
        type: "message_delta",
        ...{ delta: { stop_reason: null }, usage: { output_tokens: 12 } },
      }),
    ],
    usageSource: "upstream",
    usage: { inputTokens: 7, outputTokens: 12 },
  },
  {
    name: "states its usage with every chunk",
    format: "generate-content",
    stream: [
      candidate("The", { promptTokenCount: 7, totalTokenCount: 7 }),
      candidate(" answer", { promptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 9 }),
    ],
    usageSource: "upstream",
    usage: { inputTokens: 7, outputTokens: 2 },
  },
  {
    name: "states only its input so far",
    format: "generate-content",
    stream: [candidate(answer, { promptTokenCount: 7, totalTokenCount: 7 })],
    usageSource: "counted",
    usage: { inputTokens: 7, outputTokens: said },
  },
];

const options = { framing: "sse", limits: ownStreamLimits } as const;

/** The ways of an answer from an upstream of a format to a caller. */
function waysFrom(format: FormatName): Record<string, Transcoder<Uint8Array>> {
  const codec = codecs[format];
  const caller = codecs[format === "messages" ? "chat-completions" : "messages"];
  const encoding = new Encoding(caller, { context: contextOf({}), framing: "sse" });
  return {
    "pass-through": new PassThrough(codec, { ...options, requestId: "req_1" }),
    converted: new Converting(codec.eventDecoder(), encoding, options),
  };
}

for (const { name, format, stream, usageSource, usage } of partial) {
  for (const [way, transcoder] of Object.entries(waysFrom(format))) {
    Deno.test(`settledUsage of a cut stream: ${format}, ${way}, ${name}`, () => {
      for (const text of stream) transcoder.push(new TextEncoder().encode(text));
      transcoder.end();
      const result = transcoder.result();
      assertEquals(result.outcome, "truncated");
      const settled = settledUsage(result, asked);
      const { native: _, ...buckets } = settled.usage ?? noUsage;
      assertEquals(buckets, { ...noUsage, ...usage });
      assertEquals(settled.usageSource, usageSource);
    });
  }
}

Deno.test("settledUsage of a cut stream: the tier that its chunks named counts", () => {
  const { "pass-through": transcoder } = waysFrom("chat-completions");
  const chunk = {
    id: "c",
    object: "chat.completion.chunk",
    service_tier: "priority",
    choices: [{ index: 0, delta: { role: "assistant", content: answer } }],
  };
  transcoder.push(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
  transcoder.end();
  const { usage, usageSource } = settledUsage(transcoder.result(), asked);
  assertEquals([usage?.servedTier, usageSource], ["fast", "counted"]);
});
