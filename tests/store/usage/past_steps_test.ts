import { assertEquals } from "@std/assert";
import { PastSteps } from "../../../lib/store/usage/past_steps.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];

Deno.test("past steps: a range is read once, until something is added to an hour that is over", async () => {
  const days = new PastSteps();
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

Deno.test("past steps: what was being read while something was added is not kept", async () => {
  const days = new PastSteps();
  const reading = Promise.withResolvers<string[]>();
  const points = days.points("a", () => reading.promise);
  days.noteAdded([0]);
  reading.resolve(["old"]);
  assertEquals(await points, ["old"]);
  assertEquals(await days.points("a", () => Promise.resolve(["new"])), ["new"]);
});

Deno.test("past steps: the present step and the one before it are not over", () => {
  const steps = new PastSteps();
  for (const [step, lengthMs] of [["hour", hourMs], ["day", dayMs]] as const) {
    const endMs = steps.endMs(step);
    assertEquals(endMs % lengthMs, 0);
    assertEquals(Math.floor(Date.now() / lengthMs) * lengthMs - endMs, lengthMs);
  }
});
