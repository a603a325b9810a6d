import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreHealth, StoreUnavailable } from "../../../lib/store/mod.ts";
import { Database } from "../../../lib/store/kv/database.ts";
import { DenoEngine } from "../../../lib/store/kv/engine.ts";
import { StoreDeadline } from "../../../lib/store/kv/store_deadline.ts";
import { later } from "../../waiting.ts";

const never = () => new Promise<never>(() => {});

Deno.test("an operation that gets no response fails after the deadline, and all others with it", async () => {
  const health = new StoreHealth("far away");
  const deadline = new StoreDeadline(160, health);
  const startedAt = performance.now();
  const first = deadline.run(never);
  await later(80);
  const second = deadline.run(never);
  for (const one of [first, second]) await assertRejects(() => one, StoreUnavailable);
  assert(performance.now() - startedAt >= 150);
  assertEquals(health.fault, "silent");
});

Deno.test("a single operation that hangs fails alone while the store answers others", async () => {
  const health = new StoreHealth("far away");
  const deadline = new StoreDeadline(160, health);
  const hanging = assertRejects(() => deadline.run(never), StoreUnavailable);
  for (let round = 0; round < 12; round++) {
    await later(20);
    assertEquals(await deadline.run(() => Promise.resolve(round)), round);
  }
  await hanging;
  assertEquals(health.fault, undefined);
});

Deno.test("an operation that hangs alone does not make the store silent for the others", async () => {
  const health = new StoreHealth("far away");
  const deadline = new StoreDeadline(160, health);
  const opened = await Deno.openKv(":memory:");
  const { get, list } = opened;
  const kv = new Database(
    new DenoEngine(
      Object.assign(opened, {
        get: (key: Deno.KvKey) => deadline.run(() => get.call(opened, key)),
        list: (selector: Deno.KvListSelector) =>
          Object.assign(list.call(opened, selector), { next: () => deadline.run(never) }),
      }),
    ),
    health,
  );
  const hanging = assertRejects(() => kv.list({ prefix: [] }).next(), StoreUnavailable);
  for (let round = 0; round < 12; round++) {
    await later(20);
    await kv.get(["value"]);
  }
  await hanging;
  assertEquals(health.fault, undefined);
  kv.close();
});

Deno.test("a late response is not mistaken for silence because the gateway itself was busy", async () => {
  const health = new StoreHealth("far away");
  const deadline = new StoreDeadline(160, health);
  const operation = deadline.run(() => later(80).then(() => "late"));
  for (const endsAt = performance.now() + 400; performance.now() < endsAt;); // such as a long body
  assertEquals(await operation, "late");
  assertEquals(health.fault, undefined);
});
