import { assertEquals } from "@std/assert";
import { PastDays } from "../../lib/store/past_days.ts";

const dayMs = 86_400_000;

Deno.test("past days: a range is read once, until something is added to a day that is over", async () => {
  const days = new PastDays();
  let reads = 0;
  const read = () => Promise.resolve([++reads]);
  assertEquals(await days.points("a", read), [1]);
  assertEquals(await days.points("a", read), [1]);
  assertEquals(await days.points("b", read), [2]);
  days.noteAdded([Date.now()]);
  assertEquals(await days.points("a", read), [1]);
  days.noteAdded([Date.now(), Date.now() - 3 * dayMs]);
  assertEquals(await days.points("a", read), [3]);
});

Deno.test("past days: what was being read while something was added is not kept", async () => {
  const days = new PastDays();
  const reading = Promise.withResolvers<string[]>();
  const points = days.points("a", () => reading.promise);
  days.noteAdded([0]);
  reading.resolve(["old"]);
  assertEquals(await points, ["old"]);
  assertEquals(await days.points("a", () => Promise.resolve(["new"])), ["new"]);
});

Deno.test("past days: today and yesterday are not over", () => {
  const endMs = new PastDays().endMs();
  assertEquals(endMs % dayMs, 0);
  assertEquals(Math.floor(Date.now() / dayMs) * dayMs - endMs, dayMs);
});
