import { assertEquals } from "@std/assert";
import { removeFolder } from "../../store/temp_store.ts";
import {
  assertAudited,
  assertRefused,
  call,
  readiness,
  rowsOf,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";
import { ran } from "./small_disk.ts";

Deno.test("a store whose files become read-only: calls are refused until they are writable again, and what is pending is booked", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/tessera.db`;
  await using upstream = startGatedUpstream();
  const server = await startOnStore(path, upstream);
  const streaming = call(server, "responses", true);
  await upstream.arrived(1);
  const files = [path, `${path}-wal`];
  const refusal = await ran("chattr", ["+i", ...files]);
  upstream.open();
  const streamed = await streaming;
  if (refusal !== undefined) {
    console.log(`skipped: cannot make files immutable here: ${refusal}`);
  } else {
    try {
      assertEquals([streamed.status, streamed.code], [200, "store_unavailable"]);
      const readyMs = await untilReadiness(server, 503, 4_500);
      const { fault } = (await readiness(server)).body;
      const refused = await assertRefused(server, upstream);
      console.log(
        `read-only (${fault}): in flight ${streamed.ms} ms, /readyz 503 after ${readyMs} ms, ` +
          `refused ${Math.max(...refused.map(({ ms }) => ms))} ms`,
      );
    } finally {
      assertEquals(await ran("chattr", ["-i", ...files]), undefined);
    }
    console.log(`ready ${await untilReadiness(server, 200, 10_000)} ms after it was writable`);
    assertEquals((await call(server, "responses", true)).code, undefined);
  }
  assertEquals(await server.stop(), 0);
  const row = (await rowsOf(path)).get(streamed.id);
  assertEquals(row?.costNanoUsd, 40_640_000n, "what was delivered is charged");
  assertAudited(await runOn(path, "tools/audit.ts"));
  await removeFolder(folder);
});
