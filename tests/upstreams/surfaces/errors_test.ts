import { assertEquals } from "@std/assert";
import { codecs } from "../../../lib/formats/mod.ts";
import { cloudRefusal } from "../../../lib/upstreams/surfaces/errors.ts";
import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";

const nowMs = Date.UTC(2026, 10, 30, 18, 0, 0);
const untilMidnight = 6 * 3_600;

interface Case {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly format?: FormatName;
  readonly expected: readonly [code: string, status: number, message: string, seconds?: number];
}

function aws(exception: string, message: string) {
  return {
    headers: { "x-amzn-errortype": `${exception}:http://internal.amazon.com/coral/` },
    body: { message },
  };
}

function google(code: number, status: string, message: string): JsonObject {
  return { error: { code, message, status } };
}

const cases: readonly Case[] = [
  {
    name: "throttling",
    status: 429,
    ...aws("ThrottlingException", "Too many tokens, please wait"),
    expected: ["rate_limit_exceeded", 429, "Too many tokens, please wait"],
  },
  {
    name: "a quota of a day",
    status: 429,
    ...aws("ThrottlingException", "Too many tokens per day"),
    expected: ["rate_limit_exceeded", 429, "Too many tokens per day", untilMidnight],
  },
  {
    name: "a spent quota of the account",
    status: 400,
    ...aws("ServiceQuotaExceededException", "Your quota is spent"),
    expected: ["rate_limit_exceeded", 429, "Your quota is spent", 3_600],
  },
  {
    name: "a model that is not ready",
    status: 429,
    ...aws("ModelNotReadyException", "Loading"),
    expected: ["upstream_overloaded", 503, "Loading"],
  },
  {
    name: "an error of the model",
    status: 424,
    ...aws("ModelErrorException", "Failed"),
    expected: ["upstream_error", 502, "Failed"],
  },
  {
    name: "a model too slow",
    status: 408,
    ...aws("ModelTimeoutException", "Late"),
    expected: ["upstream_timeout", 408, "Late"],
  },
  {
    name: "too long a prompt, in words that agents know",
    status: 400,
    ...aws("ValidationException", "Input is too long for requested model."),
    expected: ["context_length_exceeded", 400, "Input is too long for requested model."],
  },
  {
    name: "the caller's own mistake",
    status: 400,
    body: { __type: "com.amazon.coral#ValidationException", Message: "messages: missing" },
    expected: ["invalid_request", 400, "messages: missing"],
  },
  {
    name: "a bare id that only a profile serves",
    status: 400,
    ...aws("ValidationException", "Invocation with on-demand throughput isn’t supported"),
    expected: ["upstream_unauthorized", 403, "The upstream refused the gateway's credential"],
  },
  {
    name: "an unknown key",
    status: 403,
    ...aws("UnrecognizedClientException", "The security token is invalid"),
    expected: ["upstream_unauthorized", 401, "The upstream refused the gateway's credential"],
  },
  {
    name: "a model that is not allowed",
    status: 403,
    ...aws("AccessDeniedException", "You don't have access to the model"),
    expected: ["upstream_unauthorized", 403, "The upstream refused the gateway's credential"],
  },
  {
    name: "a model unknown in this region",
    status: 404,
    ...aws(
      "ResourceNotFoundException",
      "Could not resolve arn:aws:bedrock:us-east-1:123456789012:x/y",
    ),
    expected: ["model_not_found", 404, "Could not resolve …"],
  },
  {
    name: "the vendor's own envelope",
    status: 400,
    body: { type: "error", error: { type: "invalid_request_error", message: "max_tokens: 1" } },
    expected: ["invalid_request", 400, "max_tokens: 1"],
  },
  {
    name: "Google's list of one error",
    status: 429,
    body: [google(429, "RESOURCE_EXHAUSTED", "Quota exceeded for projects/my-team-1")],
    format: "generate-content",
    expected: [
      "rate_limit_exceeded",
      429,
      "The upstream refused the request: Quota exceeded for projects/…",
    ],
  },
  {
    name: "a model that is not enabled in Model Garden",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "Enable the model"),
    expected: ["upstream_unauthorized", 403, "The upstream refused the gateway's credential"],
  },
  {
    name: "a filter of Azure",
    status: 400,
    body: { error: { code: "content_filter", message: "Filtered", innererror: {} } },
    format: "chat-completions",
    expected: ["content_blocked", 400, "Filtered"],
  },
];

for (const { name, status, body, headers = {}, format = "messages", expected } of cases) {
  Deno.test(`cloudRefusal reads ${name}`, () => {
    const wire = cloudRefusal({ status, headers, body }, nowMs);
    const { code, upstreamStatus, message, retryAfterSeconds } = codecs[format].decodeError(wire);
    const seconds = retryAfterSeconds === undefined ? [] : [retryAfterSeconds];
    assertEquals([code, upstreamStatus, message, ...seconds], [...expected]);
  });
}

Deno.test("cloudRefusal leaves text and another retry time as they are", () => {
  const page = { status: 502, headers: {}, body: "Bad gateway" };
  assertEquals(cloudRefusal(page, nowMs), page);
  const said = { status: 429, headers: { "retry-after": "7" }, body: { message: "per day" } };
  assertEquals(cloudRefusal(said, nowMs).headers["retry-after"], "7");
});
