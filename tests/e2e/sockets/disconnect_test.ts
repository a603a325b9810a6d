import { assert, assertEquals } from "@std/assert";
import { allRows } from "../../../lib/audit/mod.ts";
import type { RequestLogRow } from "../../../lib/store/log/mod.ts";
import { countTextTokens } from "../../../lib/tokens/mod.ts";
import { until } from "../../waiting.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { startGated } from "./gated_upstream.ts";
import { isType, openSocket } from "./session.ts";
import { rawSocket } from "./raw_socket.ts";

/** Callers that disappear, that do not read, and upstreams that stay silent. */

const create = { type: "response.create", model: "m", input: "hi" };

Deno.test("sockets: a caller that disappears aborts all its upstreams within a second, and its calls are settled", async () => {
  await using upstream = startGated();
  await using gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  countTextTokens("a"); // its load would hold the upstream, which is in this process
  const client = await openSocket(gateway, testKey);
  for (const stream_id of ["a", "b"]) client.send({ ...create, stream_id });
  const calls = [await upstream.next(), await upstream.next()];
  calls[0].say("Some words");
  await client.seen(isType("response.output_text.delta"));
  client.socket.socket.platformSocket.terminate();
  const leftAt = performance.now();
  const abortedAt = await Promise.all(calls.map(({ seen }) => seen.aborted));
  for (const at of abortedAt) assert(at - leftAt < 1_000, `aborted after ${at - leftAt} ms`);
  let rows: readonly RequestLogRow[] = [];
  await until(async () => {
    rows = await Array.fromAsync(allRows(gateway.parts.store));
    return rows.length === 2;
  });
  assertEquals(rows.map(({ outcome }) => outcome), ["client_gone", "client_gone"]);
});

Deno.test("sockets: a caller that disappears gives the memory of all its lanes back", async () => {
  await using upstream = startGated();
  await using gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  const { bodies } = gateway.parts.gateway;
  const client = await openSocket(gateway, testKey);
  client.send(create);
  for (let n = 0; n < 32; n++) client.send({ ...create, stream_id: `l${n}` });
  await Promise.all(Array.from({ length: 16 }, () => upstream.next()));
  const frameBytes = JSON.stringify(create).length;
  await until(() => bodies.bytes > 33 * frameBytes);
  client.socket.socket.platformSocket.terminate();
  await until(() => bodies.bytes === 0);
});

Deno.test("sockets: a silent upstream is bridged by frames that clients skip", async () => {
  await using upstream = startGated();
  const limits = { sseKeepAliveMs: 100 };
  await using gateway = await startGateway({
    ...oneUpstream({ responses: upstream.base }),
    limits,
  });
  using client = await openSocket(gateway, testKey);
  client.send({ ...create, stream_id: "a" });
  const call = await upstream.next();
  const sign = await client.seen(isType("keepalive"));
  assertEquals(sign.stream_id, "a");
  call.end();
  await client.seen(isType("response.completed"));
});

Deno.test("sockets: a caller that does not read stops its upstream, and others are served", async () => {
  await using upstream = startGated();
  const limits = { readTimeoutMs: 3_000 };
  await using gateway = await startGateway({
    ...oneUpstream({ responses: upstream.base }),
    limits,
  });
  using lazy = await rawSocket(gateway.base, testKey);
  await lazy.text(JSON.stringify(create));
  const call = await upstream.next();
  const word = "x".repeat(64 * 1024);
  const before = Deno.memoryUsage();
  for (let n = 0; n < 1_600; n++) call.say(word); // 100 MiB in the upstream's own queue
  using other = await openSocket(gateway, testKey);
  other.send(create);
  (await upstream.next()).end();
  await other.seen(isType("response.completed"));
  assert(Deno.memoryUsage().rss - before.rss < 400 * 1024 * 1024);
  await call.seen.aborted; // after the time in which nothing was read
});
