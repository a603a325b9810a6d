import { assert, assertEquals } from "@std/assert";
import { matchesPattern, patternLookup, patternSpecificity } from "../../../lib/store/mod.ts";

const cases: [string, string, boolean][] = [
  ["*", "", true],
  ["*", "acme/large:free", true],
  ["gpt-4", "gpt-4", true],
  ["gpt-4", "gpt-4o", false],
  ["gpt-*", "gpt-", true],
  ["gpt-*", "xgpt-4", false],
  ["*-free", "acme-free", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["a**c", "abc", true],
  ["*b*b*", "ab", false],
  ["o1.*", "o1x", false],
  ["GPT-*", "gpt-4", false],
];
for (const [pattern, name, expected] of cases) {
  Deno.test(`matchesPattern ${pattern} ${expected ? "admits" : "refuses"} "${name}"`, () => {
    assertEquals(matchesPattern(pattern, name), expected);
  });
}

Deno.test("matchesPattern stays fast on a hostile name", () => {
  const started = performance.now();
  matchesPattern("*a".repeat(100) + "b", "a".repeat(100_000));
  assert(performance.now() - started < 500);
});

Deno.test("patternSpecificity puts the closer name first", () => {
  const order = ["*", "g*", "gpt-*", "gpt-4o"];
  assertEquals(order.toSorted((a, b) => patternSpecificity(a) - patternSpecificity(b)), order);
});

Deno.test("patternLookup finds the first of several patterns that match", () => {
  const valueOf = patternLookup([["gpt-5-search*", 1], ["gpt-5*", 2], ["*-mini", 3], ["o3", 4]]);
  const names = ["gpt-5-search-api", "gpt-5-mini", "o3-mini", "o3", "O3", "gpt-4"];
  assertEquals(names.map(valueOf), [1, 2, 3, 4, undefined, undefined]);
});
