import { assert, assertEquals } from "@std/assert";
import { Activity } from "../../lib/activity.ts";
import { missedBy } from "../../lib/telemetry/metrics.ts";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { later, until } from "../waiting.ts";

for (
  const { name, lateMs, expected } of [
    { name: "a sample in time", lateMs: 0, expected: [0] },
    { name: "one that came early by the clock's grain", lateMs: -0.4, expected: [0] },
    { name: "one that is late", lateMs: 12, expected: [12] },
    { name: "one that swallowed two others", lateMs: 130, expected: [130, 80, 30] },
  ]
) {
  Deno.test(`missedBy: ${name}`, () => assertEquals(missedBy(lateMs), expected));
}

Deno.test("missedBy is bounded, however long a machine slept", () => {
  assert(missedBy(86_400_000).length <= 1_000);
});

Deno.test("Metrics shows how late the event loop is and what memory the process has", async () => {
  const metrics = new Metrics().watchProcess(new Activity());
  const busyUntil = performance.now() + 120;
  while (performance.now() < busyUntil);
  while (await valueOf(metrics, "tessera_event_loop_lag_seconds_count") === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  metrics.close();
  assert(await valueOf(metrics, "tessera_event_loop_lag_seconds_sum") > 0.03);
  for (const kind of ["rss", "heap_used", "heap_total", "external"]) {
    assert(await valueOf(metrics, `tessera_memory_bytes{kind="${kind}"}`) > 0, kind);
  }
});

Deno.test("Metrics takes no sample without requests, and does not count the pause as a delay", async () => {
  const activity = new Activity(0);
  const metrics = new Metrics().watchProcess(activity);
  const count = () => valueOf(metrics, "tessera_event_loop_lag_seconds_count");
  await later(150);
  const atRest = await count();
  await later(300);
  assertEquals(await count(), atRest);
  activity.note();
  await until(async () => await count() > atRest, "the samples do not go on");
  metrics.close();
  assert(await valueOf(metrics, "tessera_event_loop_lag_seconds_sum") < 1); // a pause adds more
});

async function valueOf(metrics: Metrics, name: string): Promise<number> {
  const line = (await metrics.text()).split("\n").find((line) => line.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}
