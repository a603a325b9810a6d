import { assertEquals } from "@std/assert";
import { lastWholeBar } from "../../../lib/console/calls/log_bars.ts";

const bars = [0, 10, 20].map((fromMs) => ({ fromMs, toMs: fromMs + 10, requests: 1, failures: 0 }));

for (const [nowMs, expected] of [[25, 1], [30, 2], [99, 2], [5, 2]]) {
  Deno.test(`lastWholeBar: bar ${expected} of 0 to 30 at ${nowMs}`, () => {
    assertEquals(lastWholeBar(bars, nowMs), expected);
  });
}
