import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import {
  assertAdvice,
  assertAudited,
  assertRefused,
  call,
  deltaText,
  readiness,
  rowsOf,
  runOn,
  startGatedUpstream,
  startOnStore,
  untilReadiness,
} from "./outage.ts";
import { mountSmallDisk } from "./small_disk.ts";

/** Far above the quarter of a second that a known fault is waited for: the machine of a test is busy. */
const boundMs = 3_000;

const arrayPath = "/v1beta/models/m:streamGenerateContent";

Deno.test("a full disk: calls in flight end typed and in time, new ones are refused at once, and all is booked once there is room", async () => {
  await using disk = await mountSmallDisk(12);
  if (!disk) return;
  const path = `${disk.path}/tessera.db`;
  await using upstream = startGatedUpstream();
  const server = await startOnStore(path, upstream);

  const streams = formatNames.map((format) => call(server, format, true));
  const array = call(server, "generate-content", true, arrayPath);
  const wholes = formatNames.map((format) => call(server, format, false));
  await upstream.arrived(9);
  await disk.fill();
  upstream.open();
  const endedAt = performance.now();
  const streamed = await Promise.all([...streams, array]);
  const whole = await Promise.all(wholes);
  const tookMs = performance.now() - endedAt;
  assert(tookMs < boundMs, `calls in flight ended after ${tookMs} ms`);
  for (const { status, code, text } of streamed) {
    assertEquals([status, code], [200, "store_unavailable"], text.slice(-400));
    assertStringIncludes(text, deltaText.slice(0, 50));
    assert(!text.includes("[DONE]") && !text.includes("message_stop"), "no clean end");
  }
  for (const { status, code, retryAfter, text } of whole) {
    assertEquals([status, code, retryAfter], [503, "store_unavailable", "5"]);
    assert(!text.includes(deltaText.slice(0, 50)), "an answer that is not booked is not given");
  }

  const last = JSON.parse((await array).text).at(-1);
  assertEquals(last.error.reason, "store_unavailable", "an array that clients can read to its end");

  const { status, retryAfter, body } = await readiness(server);
  assertEquals([status, retryAfter, body.failed, body.fault], [503, "5", "store", "full"]);
  assertMatch(body.remedy, /Free space/);
  const refused = await assertRefused(server, upstream);

  await disk.free();
  const recoveredMs = await untilReadiness(server, 200, 10_000);
  const again = await call(server, "messages", false);
  assertEquals(again.status, 200);
  console.log(
    `full disk: in flight ${Math.round(tookMs)} ms, refused ${
      Math.max(...refused.map(({ ms }) => ms))
    } ms, ready ${recoveredMs} ms after there was room`,
  );
  const changes = server.said().split("\n").filter((line) => /"fault"|available again/.test(line));
  assertEquals(changes.length, 2, `one line for each change:\n${server.said()}`);
  assertEquals(await server.stop(), 0);

  const rows = await rowsOf(path);
  for (const { id } of streamed) {
    const row = rows.get(id);
    assertEquals([row?.outcome, row?.errorCode], ["truncated", "store_unavailable"]);
    assertEquals(row?.costNanoUsd, 40_640_000n, "what was delivered is charged");
  }
  for (const { id } of whole) {
    const row = rows.get(id);
    assertEquals([row?.status, row?.errorCode, row?.costNanoUsd], [
      503,
      "store_unavailable",
      undefined,
    ]);
  }
  for (const { id } of refused) assertEquals(rows.get(id), undefined, "a refused call has no row");
  assertEquals(rows.get(again.id)?.costNanoUsd, 40_640_000n);
  assertAudited(await runOn(path, "tools/audit.ts"));
});

Deno.test("a disk that stays full: the gateway stops with one line and exit code 1, and starts no more", async () => {
  await using disk = await mountSmallDisk(12);
  if (!disk) return;
  const path = `${disk.path}/tessera.db`;
  await using upstream = startGatedUpstream();
  const server = await startOnStore(path, upstream);
  const streaming = call(server, "chat-completions", true);
  await upstream.arrived(1);
  await disk.fill();
  upstream.open();
  const { id } = await streaming;
  assertEquals(await server.stop(), 1);
  const said = server.said();
  assertMatch(said, /its disk is full\. Free space on that disk/);
  assertMatch(said, new RegExp(`in neither log nor ledger.*320 output tokens.*${id}`));
  assert(!/^\s+at /m.test(said), said);
  assertAdvice(await runOn(path, "tools/audit.ts"), path, /disk is full/);
  assertAdvice(await runOn(path, "main.ts"), path, /disk is full/);
  await disk.free();
  assertAudited(await runOn(path, "tools/audit.ts"));
});

Deno.test("a full disk under several isolates: each refuses, and each recovers", async () => {
  await using disk = await mountSmallDisk(12);
  if (!disk) return;
  const path = `${disk.path}/tessera.db`;
  await using upstream = startGatedUpstream();
  const server = await startOnStore(path, upstream, {}, 2);
  const streams = Array.from({ length: 12 }, () => call(server, "messages", true));
  await upstream.arrived(12);
  await disk.fill();
  upstream.open();
  const streamed = await Promise.all(streams);
  assertEquals(streamed.map(({ code }) => code), Array(12).fill("store_unavailable"));
  await untilReadiness(server, 503, boundMs);
  await disk.free();
  const again = () => Promise.all(formatNames.map((format) => call(server, format, false)));
  for (let round = 0; (await again()).some(({ status }) => status !== 200); round++) {
    assert(round < 100, "the isolates do not recover");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assertEquals(await server.stop(), 0);
  const rows = await rowsOf(path);
  for (const { id } of streamed) assertEquals(rows.get(id)?.costNanoUsd, 40_640_000n);
  assertAudited(await runOn(path, "tools/audit.ts"));
});

Deno.test("a full disk: a refusal for a reason of its own keeps that reason, for its caller and in the log", async () => {
  await using disk = await mountSmallDisk(12);
  if (!disk) return;
  const path = `${disk.path}/tessera.db`;
  await using upstream = startGatedUpstream();
  const server = await startOnStore(path, upstream, { storeProbeMs: 60_000 });
  await disk.fill();
  const unknown = "/v1beta/models/unknown:generateContent";
  const { status, code, ms, id } = await call(server, "generate-content", false, unknown);
  assertEquals([status, code], [404, "model_not_found"]);
  assert(ms < boundMs, `${ms} ms`);
  await disk.free();
  await untilReadiness(server, 200, 5_000);
  assertEquals(await server.stop(), 0);
  assertEquals((await rowsOf(path)).get(id)?.errorCode, "model_not_found");
});
