import { assertEquals } from "@std/assert";
import {
  type FormatName,
  GatewayError,
  type JsonValue,
  type LimitState,
} from "../../lib/canonical/mod.ts";
import type { Codec } from "../../lib/formats/codec.ts";
import { durationText } from "../../lib/formats/limit_headers.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { moneyRefusal, rateRefusal, unpricedRefusal } from "../../lib/ledger/refusal.ts";
import { codeIn } from "./error_code.ts";

const nowMs = Date.parse("2026-11-21T22:59:18.400Z");
const midnightMs = Date.parse("2026-11-21T23:00:00Z");

function requests(limit: bigint, remaining: bigint, resetsAtMs = midnightMs): LimitState {
  return { name: "key requests per minute", kind: "requests", limit, remaining, resetsAtMs };
}

function tokens(limit: bigint, remaining: bigint): LimitState {
  const name = "group tokens per minute";
  return { name, kind: "tokens", limit, remaining, resetsAtMs: midnightMs };
}

const daily: LimitState = {
  name: "group daily budget",
  kind: "money",
  limit: 5_000_000_000n,
  remaining: 1_200_000n,
  resetsAtMs: midnightMs,
  timeZone: "Europe/Berlin",
};
const wallet: LimitState = { name: "account balance", kind: "money", remaining: 1_200_000n };
const places: LimitState = {
  name: "key concurrency",
  kind: "concurrency",
  limit: 2n,
  remaining: 0n,
};

interface HeaderCase {
  readonly name: string;
  readonly states: readonly LimitState[];
  readonly xRateLimit: Record<string, string>;
  readonly anthropic: Record<string, string>;
}

const headerCases: readonly HeaderCase[] = [
  { name: "no limit gives no header", states: [], xRateLimit: {}, anthropic: {} },
  {
    name: "budgets, wallets and concurrency have no header of a vendor's",
    states: [daily, wallet, places],
    xRateLimit: {},
    anthropic: {},
  },
  {
    name: "limits that other accounts share have no header, however tight",
    states: [
      { ...requests(9n, 1n), name: "project requests per minute", ownerId: "research" },
      { ...tokens(9n, 1n), name: "organization tokens per minute" },
      { ...tokens(9n, 1n), name: "tag tokens per minute", ownerId: "team=a" },
    ],
    xRateLimit: {},
    anthropic: {},
  },
  {
    name: "requests and tokens",
    states: [requests(60n, 59n), tokens(1_000n, 7n)],
    xRateLimit: {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-reset-requests": "41.6s",
      "x-ratelimit-limit-tokens": "1000",
      "x-ratelimit-remaining-tokens": "7",
      "x-ratelimit-reset-tokens": "41.6s",
    },
    anthropic: {
      "anthropic-ratelimit-requests-limit": "60",
      "anthropic-ratelimit-requests-remaining": "59",
      "anthropic-ratelimit-requests-reset": "2026-11-21T23:00:00Z",
      "anthropic-ratelimit-tokens-limit": "1000",
      "anthropic-ratelimit-tokens-remaining": "7",
      "anthropic-ratelimit-tokens-reset": "2026-11-21T23:00:00Z",
    },
  },
  {
    name: "of two limits of a kind the one that is met first, whole",
    states: [requests(60n, 59n), requests(600n, 3n, midnightMs + 1), requests(6n, 5n)],
    xRateLimit: {
      "x-ratelimit-limit-requests": "600",
      "x-ratelimit-remaining-requests": "3",
      "x-ratelimit-reset-requests": "41.601s",
    },
    anthropic: {
      "anthropic-ratelimit-requests-limit": "600",
      "anthropic-ratelimit-requests-remaining": "3",
      "anthropic-ratelimit-requests-reset": "2026-11-21T23:00:01Z",
    },
  },
  {
    name: "of two that are used up the one that resets last",
    states: [requests(60n, 0n), requests(600n, 0n, midnightMs + 60_000)],
    xRateLimit: {
      "x-ratelimit-limit-requests": "600",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1m41.6s",
    },
    anthropic: {
      "anthropic-ratelimit-requests-limit": "600",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-11-21T23:01:00Z",
    },
  },
  {
    name: "an exceeded limit has nothing left, and a past reset is now",
    states: [requests(60n, -3n, nowMs - 5)],
    xRateLimit: {
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "0s",
    },
    anthropic: {
      "anthropic-ratelimit-requests-limit": "60",
      "anthropic-ratelimit-requests-remaining": "0",
      "anthropic-ratelimit-requests-reset": "2026-11-21T22:59:19Z",
    },
  },
];

for (const { name, states, xRateLimit, anthropic } of headerCases) {
  const expected: Record<FormatName, Record<string, string>> = {
    "chat-completions": xRateLimit,
    "responses": xRateLimit,
    "messages": anthropic,
    "generate-content": {},
  };
  for (const codec of Object.values(codecs)) {
    Deno.test(`${codec.name} limitHeaders: ${name}`, () => {
      assertEquals(codec.limitHeaders(states, nowMs), expected[codec.name]);
    });
  }
}

const spans: readonly (readonly [number, string])[] = [
  [-1, "0s"],
  [0, "0s"],
  [0.2, "1ms"],
  [12, "12ms"],
  [1_000, "1s"],
  [8_640, "8.64s"],
  [60_000, "1m0s"],
  [360_000, "6m0s"],
  [3_600_500, "1h0m0.5s"],
  [86_400_000, "24h0m0s"],
];
for (const [ms, expected] of spans) {
  Deno.test(`durationText: ${ms} ms is ${expected}`, () =>
    assertEquals(durationText(ms), expected));
}

interface Refusal {
  readonly name: string;
  readonly error: GatewayError;
  readonly headers: Record<string, string>;
  /** `error.limit` in all formats. */
  readonly limit?: Record<string, JsonValue>;
  /** `error.type` if it differs between formats, and `error.status` of generate-content. */
  readonly types: Record<FormatName, string>;
  readonly rpcStatus: string;
  readonly status: number;
  /** The additional details of generate-content. */
  readonly details: readonly JsonValue[];
}

const quotaTypes = {
  "chat-completions": "insufficient_quota",
  "responses": "insufficient_quota",
  "messages": "billing_error",
  "generate-content": "insufficient_quota",
};
const rateTypes = {
  "chat-completions": "rate_limit_error",
  "responses": "rate_limit_error",
  "messages": "rate_limit_error",
  "generate-content": "rate_limit_error",
};
const deniedTypes = {
  "chat-completions": "permission_error",
  "responses": "permission_error",
  "messages": "permission_error",
  "generate-content": "permission_error",
};
const rpc = "type.googleapis.com/google.rpc";

const refusals: readonly Refusal[] = [
  {
    name: "a budget that resets",
    error: moneyRefusal(daily, { mostNanoUsd: 20_000_000n }, nowMs),
    headers: { "x-should-retry": "false", "retry-after": "42" },
    limit: {
      name: "group daily budget",
      limit: "$5",
      remaining: "$0.0012",
      resets_at: "2026-11-22T00:00:00+01:00",
    },
    types: quotaTypes,
    rpcStatus: "FAILED_PRECONDITION",
    status: 402,
    details: [
      {
        "@type": `${rpc}.QuotaFailure`,
        violations: [{
          quotaMetric: "tessera/money",
          quotaId: "GroupDailyBudget",
          quotaValue: "$5",
          description: "$0.0012 remains of the group daily budget",
        }],
      },
      { "@type": `${rpc}.RetryInfo`, retryDelay: "42s" },
    ],
  },
  {
    name: "a wallet",
    error: moneyRefusal(wallet, { mostNanoUsd: 20_000_000n }, nowMs),
    headers: { "x-should-retry": "false" },
    limit: { name: "account balance", remaining: "$0.0012" },
    types: quotaTypes,
    rpcStatus: "FAILED_PRECONDITION",
    status: 402,
    details: [{
      "@type": `${rpc}.QuotaFailure`,
      violations: [{
        quotaMetric: "tessera/money",
        quotaId: "AccountBalance",
        description: "$0.0012 remains of the account balance",
      }],
    }],
  },
  {
    name: "requests per minute",
    error: rateRefusal(requests(60n, 0n), nowMs),
    headers: { "retry-after": "42" },
    limit: {
      name: "key requests per minute",
      limit: 60,
      remaining: 0,
      resets_at: "2026-11-21T23:00:00+00:00",
    },
    types: rateTypes,
    rpcStatus: "RESOURCE_EXHAUSTED",
    status: 429,
    details: [
      {
        "@type": `${rpc}.QuotaFailure`,
        violations: [{
          quotaMetric: "tessera/requests",
          quotaId: "KeyRequestsPerMinute",
          quotaValue: "60",
          description: "0 remains of the key requests per minute",
        }],
      },
      { "@type": `${rpc}.RetryInfo`, retryDelay: "42s" },
    ],
  },
  {
    name: "tokens that no time brings back",
    error: new GatewayError("rate_limit_exceeded", "Cannot start the call", {
      limit: tokens(1_000n, 7n),
      retryable: false,
    }),
    headers: { "x-should-retry": "false" },
    limit: {
      name: "group tokens per minute",
      limit: 1000,
      remaining: 7,
      resets_at: "2026-11-21T23:00:00+00:00",
    },
    types: rateTypes,
    rpcStatus: "RESOURCE_EXHAUSTED",
    status: 429,
    details: [{
      "@type": `${rpc}.QuotaFailure`,
      violations: [{
        quotaMetric: "tessera/tokens",
        quotaId: "GroupTokensPerMinute",
        quotaValue: "1000",
        description: "7 remains of the group tokens per minute",
      }],
    }],
  },
  {
    name: "concurrency",
    error: rateRefusal(places, nowMs),
    headers: { "retry-after": "1" },
    limit: { name: "key concurrency", limit: 2, remaining: 0 },
    types: rateTypes,
    rpcStatus: "RESOURCE_EXHAUSTED",
    status: 429,
    details: [
      {
        "@type": `${rpc}.QuotaFailure`,
        violations: [{
          quotaMetric: "tessera/concurrency",
          quotaId: "KeyConcurrency",
          quotaValue: "2",
          description: "0 remains of the key concurrency",
        }],
      },
      { "@type": `${rpc}.RetryInfo`, retryDelay: "1s" },
    ],
  },
  {
    name: "a model without a price",
    error: unpricedRefusal("acme/new", { id: "default" }),
    headers: { "x-should-retry": "false" },
    types: deniedTypes,
    rpcStatus: "PERMISSION_DENIED",
    status: 403,
    details: [],
  },
];

for (const refusal of refusals) {
  for (const codec of Object.values(codecs)) {
    Deno.test(`${codec.name} encodeError: ${refusal.name}`, () => assertRefusal(codec, refusal));
  }
}

function assertRefusal(codec: Codec, { error, headers, limit, types, ...rest }: Refusal): void {
  const wire = codec.encodeError(error, "req_1");
  assertEquals([wire.status, wire.headers], [rest.status, headers]);
  const body = JSON.parse(JSON.stringify(wire.body)); // as a caller reads it: without bigint
  assertEquals([codeIn(codec.name, body.error, wire.status), body.error.type], [
    error.code,
    types[codec.name],
  ]);
  assertEquals(body.error.limit, limit);
  if (codec.name !== "generate-content") assertEquals(body.error.message, error.message);
  else {
    const [info, ...details] = body.error.details;
    assertEquals([body.error.status, info.reason], [rest.rpcStatus, error.code]);
    assertEquals(details, rest.details);
  }
  for (const { data } of codec.encodeStreamError(error, "req_1")) JSON.parse(data);
}

Deno.test("generate-content encodeError: the words from which the vendor's agent reads the wait", () => {
  const messageOf = (error: GatewayError) => {
    const { body } = codecs["generate-content"].encodeError(error, "req_1");
    return (body as { error: { message: string } }).error.message; // sound: an error body
  };
  assertEquals(
    messageOf(rateRefusal(requests(60n, 0n), nowMs)),
    "Rate limited: 0 of 60 key requests per minute remain. Not charged. Please retry in 42s",
  );
  const budget = moneyRefusal(daily, { mostNanoUsd: 20_000_000n }, nowMs);
  assertEquals(messageOf(budget), budget.message, "a budget is not worth waiting for");
});
