import { assertEquals } from "@std/assert";
import {
  answerBuckets,
  boundedUsage,
  noUsage,
  promptBuckets,
  tokenBuckets,
  totalInputTokens,
  totalOutputTokens,
  type Usage,
} from "../../lib/canonical/mod.ts";

const counts = [
  { name: "more than any call can use", count: 1e308, expected: 1_000_000_000 },
  { name: "endlessly many", count: Infinity, expected: 1_000_000_000 },
  { name: "no number", count: NaN, expected: 0 },
  { name: "fewer than none", count: -5, expected: 0 },
  { name: "a fraction", count: 2.9, expected: 2 },
  { name: "an honest count", count: 1_234, expected: 1_234 },
];

function everyBucket(count: number): Usage {
  const buckets = Object.keys(noUsage).filter((key) => key !== "hostedToolCalls");
  return {
    ...noUsage,
    ...Object.fromEntries(buckets.map((bucket) => [bucket, count])),
    hostedToolCalls: { "web-search": count },
  };
}

for (const { name, count, expected } of counts) {
  Deno.test(`boundedUsage in every bucket: ${name}`, () => {
    assertEquals(boundedUsage(everyBucket(count)), everyBucket(expected));
  });
}

Deno.test("the totals hold every bucket once", () => {
  assertEquals(totalInputTokens(everyBucket(1)), 7);
  assertEquals(totalOutputTokens(everyBucket(1)), 4);
  for (const bucket of tokenBuckets) {
    const usage = { ...noUsage, [bucket]: 1 };
    assertEquals(totalInputTokens(usage), Number(promptBuckets.includes(bucket)), bucket);
    assertEquals(totalOutputTokens(usage), Number(answerBuckets.includes(bucket)), bucket);
  }
});
