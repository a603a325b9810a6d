import Anthropic, {
  APIError as AnthropicError,
  RateLimitError as AnthropicRateLimit,
} from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import OpenAI, { APIError as OpenAIError, RateLimitError as OpenAIRateLimit } from "openai";
import { type FormatName, GatewayError, type LimitState } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { errorResponse } from "../../../lib/http/errors.ts";
import { moneyRefusal, rateRefusal } from "../../../lib/ledger/refusal.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";

/** The vendors' SDKs, unmodified, against a server that refuses every call as the gateway would. */

const nowMs = Date.now();
const requests: LimitState = {
  name: "key requests per minute",
  kind: "requests",
  limit: 60n,
  remaining: 0n,
  resetsAtMs: nowMs + 1_000,
};
const rate = rateRefusal(requests, nowMs);
const money = moneyRefusal(
  { name: "group daily budget", kind: "money", limit: 5n, remaining: 1n, resetsAtMs: nowMs + 9e6 },
  { mostNanoUsd: 2n },
  nowMs,
);

function refusing(error: GatewayError, name: FormatName): FakeUpstream {
  const codec = codecs[name];
  const headers = codec.limitHeaders([requests], nowMs);
  return startUpstream(() => errorResponse(error, codec, "req_1", { headers }));
}

async function thrownBy(attempt: () => Promise<unknown>): Promise<unknown> {
  try {
    await attempt();
  } catch (error) {
    return error;
  }
  return undefined;
}

const say = [{ role: "user" as const, content: "hello" }];

interface Client {
  readonly name: string;
  readonly format: FormatName;
  readonly ask: (base: string, maxRetries: number) => Promise<unknown>;
}

const clients: readonly Client[] = [
  {
    name: "openai chat.completions",
    format: "chat-completions",
    ask: (base, maxRetries) =>
      new OpenAI({ baseURL: `${base}/v1`, apiKey: "sk-x", maxRetries })
        .chat.completions.create({ model: "m", messages: say }),
  },
  {
    name: "openai responses",
    format: "responses",
    ask: (base, maxRetries) =>
      new OpenAI({ baseURL: `${base}/v1`, apiKey: "sk-x", maxRetries })
        .responses.create({ model: "m", input: "hello" }),
  },
  {
    name: "anthropic messages",
    format: "messages",
    ask: (base, maxRetries) =>
      new Anthropic({ baseURL: base, apiKey: "sk-x", maxRetries })
        .messages.create({ model: "m", max_tokens: 9, messages: say }),
  },
  {
    name: "google generateContent",
    format: "generate-content",
    ask: (base, maxRetries) =>
      new GoogleGenAI({
        apiKey: "sk-x",
        httpOptions: { baseUrl: base, retryOptions: { attempts: maxRetries + 1 } },
      }).models.generateContent({ model: "m", contents: "hello" }),
  },
];

for (const { name, format, ask } of clients) {
  Deno.test(`${name}: a used-up budget is a 402 and not retried`, async () => {
    await using server = refusing(money, format);
    const error = await thrownBy(() => ask(server.base, 2));
    assertEquals((error as { status?: number }).status, 402);
    assert(error instanceof Error && error.message.includes("group daily budget"));
    assertEquals(server.seen.length, 1, "402 is not retried");
  });
}

for (const { name, format, ask } of clients.slice(0, 3)) {
  Deno.test(`${name}: a call that no time lets through is not asked again`, async () => {
    const options = { limit: requests, retryable: false };
    const refusal = new GatewayError("rate_limit_exceeded", "Cannot start the call", options);
    await using server = refusing(refusal, format);
    const error = await thrownBy(() => ask(server.base, 2));
    assertEquals((error as { status?: number }).status, 429);
    assertEquals(server.seen.length, 1, "x-should-retry: false counts more than 429");
  });
}

Deno.test("openai: a rate limit is a RateLimitError with its headers and its body", async () => {
  for (const { format, ask } of clients.slice(0, 2)) {
    await using server = refusing(rate, format);
    const error = await thrownBy(() => ask(server.base, 0));
    assertInstanceOf(error, OpenAIRateLimit);
    assertInstanceOf(error, OpenAIError);
    assertEquals([error.code, error.type], ["rate_limit_exceeded", "rate_limit_error"]);
    assertEquals(error.requestID, "req_1");
    assertEquals(error.headers?.get("retry-after"), "1");
    assertEquals(error.headers?.get("x-ratelimit-limit-requests"), "60");
    assertEquals(error.headers?.get("x-ratelimit-remaining-requests"), "0");
    assertEquals(error.headers?.get("x-ratelimit-reset-requests"), "1s");
    const { limit } = error.error as { limit: { name: string } }; // the SDK keeps the error as it came
    assertEquals(limit.name, "key requests per minute");
  }
});

Deno.test("anthropic: a rate limit is a RateLimitError with its headers and its body", async () => {
  const { format, ask } = clients[2];
  await using server = refusing(rate, format);
  const error = await thrownBy(() => ask(server.base, 0));
  assertInstanceOf(error, AnthropicRateLimit);
  assertInstanceOf(error, AnthropicError);
  assertEquals(error.headers?.get("retry-after"), "1");
  assertEquals(error.headers?.get("anthropic-ratelimit-requests-limit"), "60");
  assertEquals(error.headers?.get("anthropic-ratelimit-requests-remaining"), "0");
  const reset = error.headers?.get("anthropic-ratelimit-requests-reset") ?? "";
  assert(Date.parse(reset) >= nowMs + 1_000 && Date.parse(reset) < nowMs + 2_000, reset);
  const body = error.error as { error: { type: string; limit: { name: string } } }; // the SDK keeps the body as it came
  assertEquals([body.error.type, body.error.limit.name], [
    "rate_limit_error",
    "key requests per minute",
  ]);
});

Deno.test("google: a rate limit is an ApiError whose message holds the details", async () => {
  const { format, ask } = clients[3];
  await using server = refusing(rate, format);
  const error = await thrownBy(() => ask(server.base, 0));
  assertInstanceOf(error, ApiError);
  assertEquals(error.status, 429);
  for (const told of ["RESOURCE_EXHAUSTED", "KeyRequestsPerMinute", "RetryInfo", "1s"]) {
    assert(error.message.includes(told), told);
  }
});

for (const { name, format, ask } of clients.slice(0, 3)) {
  Deno.test(`${name}: waits as long as retry-after says, then asks again`, async () => {
    const refused = Promise.withResolvers<number>();
    const again = Promise.withResolvers<number>();
    const codec = codecs[format];
    await using server = startUpstream(({ headers }) => {
      const first = (headers.get("x-stainless-retry-count") ?? "0") === "0";
      (first ? refused : again).resolve(performance.now());
      return errorResponse(first ? rate : money, codec, "req_1");
    });
    const error = await thrownBy(() => ask(server.base, 1));
    assertEquals((error as { status?: number }).status, 402, "the second answer counts");
    assertEquals(server.seen.length, 2);
    const waitedMs = await again.promise - await refused.promise;
    assert(waitedMs >= 990 && waitedMs < 5_000, `waited ${waitedMs} ms`);
  });
}
