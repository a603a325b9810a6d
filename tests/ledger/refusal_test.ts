import { assertEquals } from "@std/assert";
import type { GatewayError, LimitState } from "../../lib/canonical/mod.ts";
import { moneyRefusal, rateRefusal, unpricedRefusal } from "../../lib/ledger/refusal.ts";

const nowMs = Date.parse("2026-11-21T22:59:18.400Z");
const daily: LimitState = {
  name: "group daily budget",
  kind: "money",
  limit: 5_000_000_000n,
  remaining: 1_200_000n,
  resetsAtMs: Date.parse("2026-11-21T23:00:00Z"),
  timeZone: "Europe/Berlin",
};
const perMinute: LimitState = {
  name: "key requests per minute",
  kind: "requests",
  limit: 60n,
  remaining: 0n,
  resetsAtMs: Date.parse("2026-11-21T23:00:00Z"),
};

interface Case {
  readonly name: string;
  readonly error: GatewayError;
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  readonly retryable?: boolean;
}

const cases: readonly Case[] = [
  {
    name: "moneyRefusal: a budget that resets",
    error: moneyRefusal(daily, { mostNanoUsd: 20_000_000n }, nowMs),
    code: "insufficient_quota",
    status: 402,
    message: "Cannot start the call: $0.0012 of the group daily budget of $5 remains, " +
      "this call may cost up to $0.02; it resets on Nov 22 at 00:00 Europe/Berlin, in 42 seconds: " +
      "wait until then, shorten the prompt or the answer, or raise the budget",
    retryAfterSeconds: 42,
  },
  {
    name: "moneyRefusal: a budget that other accounts share",
    error: moneyRefusal({ ...daily, name: "project daily budget", ownerId: "research" }, {
      mostNanoUsd: 20_000_000n,
    }, nowMs),
    code: "insufficient_quota",
    status: 402,
    message: "Cannot start the call: the project research daily budget leaves too little, " +
      "this call may cost up to $0.02; it resets on Nov 22 at 00:00 Europe/Berlin, in 42 seconds: " +
      "wait until then, shorten the prompt or the answer, or " +
      "ask an administrator to raise the budget at /console/admin/projects/research",
    retryAfterSeconds: 42,
  },
  {
    name: "rateRefusal: a rate that other accounts share",
    error: rateRefusal({ ...perMinute, name: "organization requests per minute" }, nowMs),
    code: "rate_limit_exceeded",
    status: 429,
    message: "Rate limited: the organization requests per minute are used up. Not charged. " +
      "Try again in 42s",
    retryAfterSeconds: 42,
    retryable: true,
  },
  {
    name: "rateRefusal: concurrent requests that other accounts share",
    error: rateRefusal(
      { name: "organization concurrency", kind: "concurrency", limit: 7n, remaining: 0n },
      nowMs,
    ),
    code: "rate_limit_exceeded",
    status: 429,
    message: "Rate limited: all places of the organization concurrency are in use. Not charged. " +
      "Try again in 1s, or raise the limit",
    retryAfterSeconds: 1,
    retryable: true,
  },
  {
    name: "moneyRefusal: a call that no period of the budget pays for",
    error: moneyRefusal(daily, { mostNanoUsd: 6_000_000_000n }, nowMs),
    code: "insufficient_quota",
    status: 402,
    message: "Cannot start the call: $0.0012 of the group daily budget of $5 remains, " +
      "this call may cost up to $6; it resets on Nov 22 at 00:00 Europe/Berlin, in 42 seconds: " +
      "shorten the prompt or the answer, or raise the budget",
  },
  {
    name: "moneyRefusal: a budget that never resets",
    error: moneyRefusal(
      { name: "key total budget", kind: "money", limit: 1_000_000_000n, remaining: 0n },
      { mostNanoUsd: 1n },
      nowMs,
    ),
    code: "insufficient_quota",
    status: 402,
    message: "Cannot start the call: $0 of the key total budget of $1 remains, " +
      "this call may cost up to $0.000000001: shorten the prompt or the answer, or raise the budget",
  },
  {
    name: "moneyRefusal: a wallet",
    error: moneyRefusal(
      { name: "account balance", kind: "money", remaining: 1_200_000n },
      { mostNanoUsd: 20_000_000n },
      nowMs,
    ),
    code: "insufficient_quota",
    status: 402,
    message: "Cannot start the call: $0.0012 of the account balance remains, " +
      "this call may cost up to $0.02: add funds at /console/topup, or shorten the prompt or the answer",
  },
  {
    name: "moneyRefusal: a call that needs less than it may cost",
    error: moneyRefusal(
      { name: "account balance", kind: "money", remaining: 1_200_000n },
      { mostNanoUsd: 20_000_000n, leastNanoUsd: 1_500_000n },
      nowMs,
    ),
    code: "insufficient_quota",
    status: 402,
    message: "Cannot start the call: $0.0012 of the account balance remains, " +
      "this call needs at least $0.0015 and may cost up to $0.02: " +
      "add funds at /console/topup, or shorten the prompt or the answer",
  },
  {
    name: "rateRefusal: requests",
    error: rateRefusal(perMinute, nowMs),
    code: "rate_limit_exceeded",
    status: 429,
    message: "Rate limited: 0 of 60 key requests per minute remain. Not charged. Try again in 42s",
    retryAfterSeconds: 42,
    retryable: true,
  },
  {
    name: "rateRefusal: a limit that has just reset",
    error: rateRefusal({ ...perMinute, resetsAtMs: nowMs - 5 }, nowMs),
    code: "rate_limit_exceeded",
    status: 429,
    message: "Rate limited: 0 of 60 key requests per minute remain. Not charged. Try again in 1s",
    retryAfterSeconds: 1,
    retryable: true,
  },
  {
    name: "rateRefusal: tokens",
    error: rateRefusal(
      { ...perMinute, name: "group tokens per minute", kind: "tokens", limit: 900n, remaining: 7n },
      nowMs,
    ),
    code: "rate_limit_exceeded",
    status: 429,
    message: "Rate limited: 7 of 900 group tokens per minute remain. Not charged. Try again in 42s",
    retryAfterSeconds: 42,
    retryable: true,
  },
  {
    name: "rateRefusal: calls at the same time",
    error: rateRefusal(
      { name: "key concurrency", kind: "concurrency", limit: 32n, remaining: 0n },
      nowMs,
    ),
    code: "rate_limit_exceeded",
    status: 429,
    message:
      "Rate limited: the key concurrency allows 32 concurrent requests, and all are in use. " +
      "Not charged. Try again in 1s, or raise the limit",
    retryAfterSeconds: 1,
    retryable: true,
  },
  {
    name: "unpricedRefusal: a model without a price",
    error: unpricedRefusal("acme/new", { id: "coding" }),
    code: "model_unpriced",
    status: 403,
    message: "Model 'acme/new' has no price. Ask an administrator to set one, " +
      "or to allow unpriced models for the group",
  },
];

for (const { name, error, code, status, message, retryAfterSeconds, retryable } of cases) {
  Deno.test(name, () => {
    assertEquals([error.code, error.status], [code, status]);
    assertEquals(error.message, message);
    assertEquals(error.retryAfterSeconds, retryAfterSeconds);
    assertEquals(error.retryable, retryable ?? false);
  });
}

Deno.test("a refusal carries the limit that refused", () => {
  assertEquals(moneyRefusal(daily, { mostNanoUsd: 20_000_000n }, nowMs).limit, daily);
  assertEquals(rateRefusal(perMinute, nowMs).limit, perMinute);
});
