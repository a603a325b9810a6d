import { assertEquals, assertRejects } from "@std/assert";
import type { Engine } from "../../../lib/store/kv/engine.ts";
import { StoreHealth, StoreUnavailable } from "../../../lib/store/mod.ts";
import { connectKv, RemoteEngine } from "../../../lib/store/kv/remote_engine.ts";
import { denokvPath, startDenokv } from "../../e2e/money/denokv.ts";
import { later } from "../../waiting.ts";
import { withTempFolder } from "../temp_store.ts";

/** A connection, of which a start makes two, may take less than the time limit of an operation. */
const [connectMs, waitMs] = [600, 1_000];

Deno.test({
  name: "a KV server with slow connections can be opened, and opened again after an outage",
  ignore: denokvPath === undefined,
  fn: () =>
    withTempFolder(async (folder) => {
      await using server = await startDenokv(folder);
      using slow = startSlowProxy(server.location.url);
      const health = new StoreHealth("far away");
      const connect = () => connectKv(slow.url, { health, waitMs });
      const remote = await RemoteEngine.open({ connect, health, waitMs });
      await remote.probe(["value"], 1);
      health.report("silent");
      await remote.probe(["value"], 2);
      assertEquals((await remote.get(["value"])).value, 2);
      remote.close();
      await later(50); // connections end
    }),
});

Deno.test("an operation that a silence cuts off says that the store is silent", async () => {
  const cut = Promise.withResolvers<never>();
  const waiting = new Proxy({} as Engine, {
    get: (_, name) => {
      if (name === "close") return () => cut.reject(new Deno.errors.BadResource("Database closed"));
      return name === "then" ? undefined : () => cut.promise; // it is no promise itself
    },
  });
  const health = new StoreHealth("far away");
  const remote = await RemoteEngine.open({
    connect: () => Promise.resolve(waiting),
    health,
    waitMs,
  });
  const reading = remote.get(["value"]);
  health.report("silent");
  assertEquals((await assertRejects(() => reading, StoreUnavailable)).fault, "silent");
  remote.close();
});

/** Forwards each connection, but only after `connectMs`. */
function startSlowProxy(target: string) {
  const { hostname, port } = new URL(target);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const join = async (client: Deno.TcpConn) => {
    await later(connectMs);
    const server = await Deno.connect({ hostname, port: Number(port) });
    await Promise.all([
      client.readable.pipeTo(server.writable),
      server.readable.pipeTo(client.writable),
    ]);
  };
  (async () => {
    for await (const client of listener) void join(client).catch(() => {});
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    [Symbol.dispose]: () => listener.close(),
  };
}
