import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../../lib/canonical/mod.ts";
import { BodyMemory } from "../../../lib/http/body/body_memory.ts";

const limits = { totalBytes: 100, accountBytes: 60, waitMs: 50 };

Deno.test("BodyMemory bounds what an account and all accounts hold", async () => {
  const memory = new BodyMemory(limits);
  const [first, second, third] = ["a", "a", "b"].map((account) => memory.place(account));
  assertEquals(first.grow(40), undefined);
  const account = await assertRejects(async () => await second.grow(30), GatewayError);
  assertEquals([account.code, account.retryAfterSeconds], ["rate_limit_exceeded", 2]);
  assertEquals(third.grow(60), undefined);
  const fourth = memory.place("a");
  const full = await assertRejects(async () => await fourth.grow(10), GatewayError);
  assertEquals([full.code, full.status], ["gateway_overloaded", 503]);
  assertEquals(memory.bytes, 100);
  for (const place of [first, second, third, third]) place.release();
  assertEquals(memory.bytes, 0);
});

Deno.test("BodyMemory lets one that waits in where another goes, and no more than fit", async () => {
  const memory = new BodyMemory(limits);
  const holder = memory.place("a");
  holder.grow(60);
  const waiting = [1, 2].map(() => memory.place("a"));
  const grown = waiting.map((place) => place.grow(40));
  holder.release();
  const ends = await Promise.allSettled(grown);
  assertEquals(ends.map(({ status }) => status), ["fulfilled", "rejected"]);
  assertEquals(memory.bytes, 40);
});

Deno.test("BodyMemory lets one of those go on that wait for each other", async () => {
  const memory = new BodyMemory(limits);
  const places = [1, 2, 3].map(() => memory.place("a"));
  for (const place of places) assertEquals(place.grow(20), undefined);
  const ends = await Promise.allSettled(places.map((place) => place.grow(50)));
  assertEquals(ends.map(({ status }) => status), ["rejected", "rejected", "fulfilled"]);
  assertEquals(memory.bytes, 50);
});

Deno.test("BodyMemory counts a body once, however often it grows", () => {
  const memory = new BodyMemory(limits);
  const place = memory.place("a");
  for (const bytes of [10, 20, 20, 60]) assertEquals(place.grow(bytes), undefined);
  assertEquals(memory.bytes, 60);
  place.release();
  assertEquals(place.grow(50), undefined);
  assert(memory.bytes === 0, "a call that has ended holds nothing");
});
