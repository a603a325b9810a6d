import { assertEquals } from "@std/assert";
import { Metrics } from "../../lib/telemetry/mod.ts";
import { startGateway } from "../e2e/gateway.ts";

Deno.test("metrics: what happens seldom counts from zero, so that its first time is in a rate", async () => {
  await using gateway = await startGateway();
  const text = await (await fetch(`${gateway.base}/metrics`)).text();
  const lines = text.split("\n").filter((line) =>
    /^tessera_(alerts|alert_deliveries)_total/.test(line)
  );
  assertEquals(
    lines.sort(),
    [
      'tessera_alert_deliveries_total{outcome="abandoned"} 0',
      'tessera_alert_deliveries_total{outcome="delivered"} 0',
      'tessera_alert_deliveries_total{outcome="failed"} 0',
      'tessera_alerts_total{type="balance.calls_refused"} 0',
      'tessera_alerts_total{type="balance.low"} 0',
      'tessera_alerts_total{type="budget.calls_refused"} 0',
      'tessera_alerts_total{type="budget.threshold_reached"} 0',
      'tessera_alerts_total{type="cache.never_read"} 0',
      'tessera_alerts_total{type="model.retiring"} 0',
      'tessera_alerts_total{type="usage.implausible"} 0',
    ],
  );
});

Deno.test("metrics: a store without a commit shows its histogram with zeros", async () => {
  const metrics = new Metrics();
  metrics.watchStore({ fault: undefined, pending: 0, onCommit: () => {} });
  const lines = (await metrics.text()).split("\n").filter((line) =>
    line.startsWith("tessera_store_commit_seconds")
  );
  assertEquals(lines.length, 13 + 3); // a bucket for each bound, +Inf, sum and count
  assertEquals(lines.every((line) => line.endsWith(" 0")), true, lines.join("\n"));
});
