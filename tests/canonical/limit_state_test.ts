import { assertEquals } from "@std/assert";
import {
  GatewayError,
  limitName,
  resetInWords,
  resetText,
  usdText,
  waitWords,
} from "../../lib/canonical/mod.ts";

const amounts: readonly (readonly [bigint, string])[] = [
  [0n, "$0"],
  [1n, "$0.000000001"],
  [1_200_000n, "$0.0012"],
  [20_000_000n, "$0.02"],
  [5_000_000_000n, "$5"],
  [12_000_000_000_000n, "$12000"],
  [-3_500_000_000n, "-$3.5"],
  [-1n, "-$0.000000001"],
];
for (const [nanoUsd, expected] of amounts) {
  Deno.test(`usdText writes ${nanoUsd} as ${expected}`, () => {
    assertEquals(usdText(nanoUsd), expected);
  });
}

const resets: readonly (readonly [string | undefined, string])[] = [
  ["Europe/Berlin", "2026-11-22T00:00:00+01:00"],
  ["Asia/Kathmandu", "2026-11-22T04:45:00+05:45"],
  ["UTC", "2026-11-21T23:00:00+00:00"],
  [undefined, "2026-11-21T23:00:00+00:00"],
];
for (const [timeZone, expected] of resets) {
  Deno.test(`resetText shows a time in ${timeZone ?? "UTC by default"}`, () => {
    const resetsAtMs = Date.parse("2026-11-21T23:00:00Z");
    assertEquals(resetText({ resetsAtMs, ...(timeZone && { timeZone }) }), expected);
  });
}

Deno.test("resetText never shows a time before the reset", () => {
  assertEquals(resetText({ resetsAtMs: 1 }), "1970-01-01T00:00:01+00:00");
  assertEquals(resetText({}), undefined);
});

Deno.test("resetInWords names the minute in the limit's zone, and the wait", () => {
  const resetsAtMs = Date.parse("2026-11-21T22:59:01Z");
  const nowMs = Date.parse("2026-11-21T20:00:00Z");
  assertEquals(
    resetInWords({ resetsAtMs, timeZone: "Europe/Berlin" }, nowMs),
    "Nov 22 at 00:00 Europe/Berlin, in 3 hours",
  );
  assertEquals(resetInWords({ resetsAtMs }, nowMs), "Nov 21 at 23:00 UTC, in 3 hours");
  assertEquals(resetInWords({}, nowMs), undefined);
});

const waits: readonly (readonly [number, string])[] = [
  [-5, "1 second"],
  [0.2, "1 second"],
  [42, "42 seconds"],
  [120, "2 minutes"],
  [7_199, "2 hours"],
  [7_200, "2 hours"],
  [5 * 3_600, "5 hours"],
  [5 * 3_600 + 301, "5 hours 6 minutes"],
  [48 * 3_600, "2 days"],
  [6.2 * 86_400, "7 days"],
];
for (const [seconds, expected] of waits) {
  Deno.test(`waitWords: ${seconds} s are ${expected}`, () => {
    assertEquals(waitWords(seconds), expected);
  });
}

Deno.test("limitName names the owner and what is limited", () => {
  assertEquals(limitName("group", "day"), "group daily budget");
  assertEquals(limitName("key", "requestsPerMinute"), "key requests per minute");
  assertEquals(limitName("account", "balance"), "account balance");
});

Deno.test("GatewayError is as retryable as its code, but for what is said of it", () => {
  assertEquals(new GatewayError("rate_limit_exceeded", "").retryable, true);
  assertEquals(new GatewayError("rate_limit_exceeded", "", { retryable: false }).retryable, false);
});
