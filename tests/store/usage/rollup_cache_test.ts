import { assertEquals } from "@std/assert";
import { RollupCache } from "../../../lib/store/usage/rollup_cache.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];

Deno.test("RollupCache reads a range once, until a past hour gets an addition", async () => {
  const days = new RollupCache();
  let reads = 0;
  const read = () => Promise.resolve([++reads]);
  assertEquals(await days.points("a", read), [1]);
  assertEquals(await days.points("a", read), [1]);
  assertEquals(await days.points("b", read), [2]);
  days.noteAdded([Date.now()]);
  assertEquals(await days.points("a", read), [1]);
  days.noteAdded([Date.now(), Date.now() - 3 * hourMs]);
  assertEquals(await days.points("a", read), [3]);
});

Deno.test("RollupCache does not cache a read that ran during an addition", async () => {
  const days = new RollupCache();
  const reading = Promise.withResolvers<string[]>();
  const points = days.points("a", () => reading.promise);
  days.noteAdded([0]);
  reading.resolve(["old"]);
  assertEquals(await points, ["old"]);
  assertEquals(await days.points("a", () => Promise.resolve(["new"])), ["new"]);
});

Deno.test("RollupCache.endMs excludes the current step and the one before it", () => {
  const steps = new RollupCache();
  for (const [step, lengthMs] of [["hour", hourMs], ["day", dayMs]] as const) {
    const endMs = steps.endMs(step);
    assertEquals(endMs % lengthMs, 0);
    assertEquals(Math.floor(Date.now() / lengthMs) * lengthMs - endMs, lengthMs);
  }
});
