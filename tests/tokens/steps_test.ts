import { assert, assertEquals } from "@std/assert";
import { countTextTokens, textTokenSteps } from "../../lib/tokens/mod.ts";

const english = "Concurrent counts of long texts take turns and must not disturb each other. "
  .repeat(1_500);
const chinese = "两个很长的文本轮流计数，互不影响。".repeat(6_000);

Deno.test("textTokenSteps: counts that take turns are each as if alone", () => {
  const counts = [english, english.slice(17), chinese].map((text) => ({
    steps: textTokenSteps(text),
    alone: countTextTokens(text),
    found: 0,
  }));
  const open = new Set(counts);
  while (open.size > 0) {
    for (const count of open) {
      const { done, value } = count.steps.next();
      if (!done) continue;
      count.found = value;
      open.delete(count);
    }
  }
  assertEquals(counts.map(({ found }) => found), counts.map(({ alone }) => alone));
});

Deno.test("textTokenSteps: a text without words in Latin letters is counted in steps too", () => {
  for (const text of [chinese, "0123456789abcdef".repeat(8_000), "😀".repeat(40_000)]) {
    const steps = [...textTokenSteps(text)].length;
    assert(steps >= Math.floor(text.length / (24 * 1024)), `${steps} steps`);
  }
});
