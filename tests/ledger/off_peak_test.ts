import { assertEquals } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { costOf, createPrices } from "../../lib/ledger/mod.ts";

const usage = {
  ...noUsage,
  inputTokens: 1_000_000,
  outputTokens: 1_000_000,
  cacheReadTokens: 1_000,
};

/** DeepSeek's hours in UTC: half on weekends and outside 01:00–04:00 and 06:00–10:00. */
const hours: readonly (readonly [time: string, isPeak: boolean])[] = [
  ["2026-11-30T00:59:59Z", false], // a Monday
  ["2026-11-30T01:00:00Z", true],
  ["2026-11-30T03:59:59Z", true],
  ["2026-11-30T04:00:00Z", false],
  ["2026-11-30T06:00:00Z", true],
  ["2026-11-30T10:00:00Z", false],
  ["2026-11-30T23:59:59Z", false],
  ["2026-12-04T09:59:59Z", true], // a Friday
  ["2026-12-05T09:00:00Z", false], // a Saturday
  ["2026-12-06T23:59:59Z", false], // a Sunday
];

const prices = createPrices(() => []);
for (const [time, isPeak] of hours) {
  Deno.test(`a call to deepseek-flash at ${time} costs the ${isPeak ? "whole" : "half"} price`, () => {
    const price = prices.priceFor({ model: "deepseek-flash" }, Date.parse(time));
    const { nanoUsd } = price ? costOf(usage, price, 1) : { nanoUsd: 0n };
    assertEquals(nanoUsd, isPeak ? 1_500_006_000n : 750_003_000n);
  });
}
