import { assert, assertEquals } from "@std/assert";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { keyScene } from "../../operations/own_key/key_scene.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { requestIdOf } from "../../store/log/row_arbitrary.ts";
import { sampleRow } from "../../store/samples.ts";

const calls = 100_000;
const dayMs = 86_400_000;
/** Far below the seconds that reading the rows takes, with room for a busy machine. */
const readMsMax = 500;

Deno.test(`a key with ${calls} calls reads its usage in ${readMsMax} ms`, async () => {
  await using scene = await keyScene();
  const { store } = scene.gateway.parts;
  const keyId = await scene.idOf("ci");
  const startMs = Math.floor(Date.now() / dayMs) * dayMs - 28 * dayMs;
  for (let first = 0; first < calls; first += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, at) => {
      const n = first + at;
      const atMs = startMs + Math.floor(n * (28 * dayMs / calls));
      const id = requestIdOf(atMs, n);
      const model = `model-${n % 20}`;
      return sampleRow(n, { id, atMs, keyId, model, upstreamId: "up", costNanoUsd: 1_000n });
    });
    await leaveRows(store, rows);
    await compactRows(store);
  }
  for (const path of ["/v1/usage", "/v1/key", "/dashboard/billing/usage"]) {
    const times: number[] = [];
    for (let n = 0; n < 11; n++) {
      const started = performance.now();
      const response = await scene.get(path);
      const body = await response.text();
      times.push(performance.now() - started);
      if (n === 0) {
        assertEquals(response.status, 200);
        if (path === "/v1/usage") assertEquals(JSON.parse(body).total.requests, calls);
      }
    }
    const median = times.toSorted((a, b) => a - b)[5];
    console.log(`${path}: first ${times[0].toFixed(1)} ms, median ${median.toFixed(1)} ms`);
    assert(times[0] < readMsMax, `${path} took ${times[0]} ms`);
  }
});
