import { assert, assertEquals } from "@std/assert";
import { compactRows } from "../../../lib/store/settling/mod.ts";
import { startApi } from "../../management/api.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { requestIdOf } from "../../store/log/row_arbitrary.ts";
import { sampleRow } from "../../store/samples.ts";

/** With room for a busy machine. */
const msMax = 2_000;

Deno.test("management: usage of 500 keys and 10,000 calls is added up quickly", async () => {
  await using api = await startApi();
  const hourMs = 3_600_000;
  const startMs = Math.floor(Date.now() / hourMs) * hourMs - 20 * 24 * hourMs;
  const rows = Array.from({ length: 10_000 }, (_, n) => {
    const atMs = startMs + n * 60_000;
    const id = requestIdOf(atMs, n);
    return sampleRow(n, { id, atMs, keyId: `key_${n % 500}`, upstreamId: "up", costNanoUsd: 1n });
  });
  await leaveRows(api.store, rows);
  await compactRows(api.store);
  for (const path of ["/usage?by=key&limit=100", "/usage?by=key&limit=100&step=day"]) {
    const startedAt = performance.now();
    const { body } = await api.ask("GET", path);
    const tookMs = Math.round(performance.now() - startedAt);
    console.log(`${path}: ${tookMs} ms`);
    assertEquals(body.data.length, 100);
    assert(tookMs < msMax, `${path} took ${tookMs} ms`);
  }
});
