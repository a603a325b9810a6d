import { assert, assertEquals } from "@std/assert";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { missedBy } from "../../lib/telemetry/process_metrics.ts";

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
  const metrics = new Metrics().watchProcess();
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

async function valueOf(metrics: Metrics, name: string): Promise<number> {
  const line = (await metrics.text()).split("\n").find((line) => line.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}
