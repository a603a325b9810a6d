import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { StoreUnavailable } from "../../../lib/store/file/store_fault.ts";
import { StoreHealth } from "../../../lib/store/file/store_health.ts";
import { StoreError } from "../../../lib/store/kv/error.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { PostgresEngine, postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { later, until } from "../../waiting.ts";
import { openEngine, testOnPostgres, withEngine, withServers } from "./postgres_store.ts";

const bytes = (...items: number[]) => Uint8Array.from(items);
const set = (key: Deno.KvKey, value: unknown, expireIn?: number) => ({
  type: "set" as const,
  key,
  value,
  expireIn,
});

const testOnServer = withServers({ fsync: "off", max_connections: 20 });

testOnServer("gateways that start at once create one store", async (server) => {
  for (const schema of ["first", "second", "third", "fourth"]) { // PgBouncer's connections know more each time
    const opening = Array.from({ length: 6 }, () => openEngine(server.url(schema)));
    const engines = await Promise.all(opening);
    const commits = engines.map((engine, at) =>
      engine.commit({ checks: [], mutations: [set(["started", at], bytes(at))] })
    );
    assertEquals((await Promise.all(commits)).filter(({ ok }) => !ok), []);
    for (const engine of engines) engine.close();
    assertEquals(await server.run(`SELECT count(*) FROM ${schema}.kv`), "6");
  }
});

testOnServer("an expired entry is never read, and is swept", (server) => {
  const url = server.url("expiry");
  return withEngine(url, async (engine) => {
    await engine.commit({
      checks: [],
      mutations: [set(["old"], bytes(1), 200), set(["new"], bytes(2))],
    });
    assertEquals((await engine.get(["old"])).value, bytes(1));
    await later(250);
    assertEquals((await engine.get(["old"])).versionstamp, null);
    assertEquals((await Array.fromAsync(engine.list({ prefix: [] }))).length, 1);
    const checks = [{ key: ["old"], versionstamp: null }];
    assert((await engine.commit({ checks, mutations: [] })).ok);
    assertEquals(await server.run("SELECT count(*) FROM expiry.kv"), "2");
    await engine.sweep();
    assertEquals(await server.run("SELECT count(*) FROM expiry.kv"), "1");
    await server.run(
      "INSERT INTO expiry.kv SELECT int4send(n), '', NULL, 1, now() FROM generate_series(1, 2500) n",
    );
    await engine.sweep();
    assertEquals(await server.run("SELECT count(*) FROM expiry.kv"), "1");
  });
});

testOnServer(
  "a versionstamp grows with each commit, whatever the clock says",
  (server) =>
    withEngine(server.url("clock"), async (engine) => {
      let last = "";
      for (let at = 0; at < 30; at++) {
        if (at === 10) await server.run("UPDATE clock.kv SET version = version + 3600000000"); // the clock was an hour fast
        const committed = await engine.commit({ checks: [], mutations: [set(["a"], bytes(at))] });
        assert(committed.ok && committed.versionstamp > last);
        last = committed.versionstamp;
      }
    }),
);

/** The connections that listen: their last statement notifies themselves. */
const listeningSql =
  "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_notify%' AND pid <> pg_backend_pid()";

for (
  const [way, more] of [["notifications", {}], ["polls alone", { pgbouncer: "true" }]] as const
) {
  testOnServer(`a watch tells of a change by another process: ${way}`, async (server, isPooled) => {
    const url = server.url(`watched_by_${way.split(" ")[0]}`, more);
    await withEngine(url, (engine) =>
      withEngine(url, async (other) => {
        const reader = engine.watch([["change"]]).getReader();
        assertEquals((await reader.read()).value?.[0].versionstamp, null);
        await later(300);
        const startedAt = performance.now();
        for (let at = 0; at < 5; at++) {
          await other.commit({ checks: [], mutations: [set(["change"], bytes(at))] });
          assertEquals((await reader.read()).value?.[0].value, bytes(at));
        }
        const ms = (performance.now() - startedAt) / 5;
        assert(ms < 700, `${ms} ms: it polls each second`);
        const isNotified = way === "notifications" && !isPooled;
        assertEquals(Number(await server.run(listeningSql)) > 0, isNotified);
        console.log(`  ${ms.toFixed(1)} ms after the commit began`);
        await reader.cancel();
      }));
  });
}

testOnServer("more callers than connections wait for one", (server) => {
  const urls = Array.from({ length: 4 }, () => server.url("crowd", { pool: "8" }));
  return Promise.all(urls.map((url) =>
    withEngine(url, async (engine) => {
      const keys = Array.from({ length: 100 }, (_, at) => [crypto.randomUUID(), at]);
      const commits = keys.map((key, at) =>
        engine.commit({ checks: [], mutations: [set(key, bytes(at))] })
      );
      await Promise.all(commits);
      const entries = await Promise.all(keys.map((key) => engine.get(key)));
      assertEquals(entries.map(({ value }) => value), keys.map((_, at) => bytes(at)));
    })
  )).then(async () => assertEquals(await server.run("SELECT count(*) FROM crowd.kv"), "400"));
});

testOnServer(
  "a connection that the server ends breaks its commit, and no later one",
  (server) =>
    withEngine(server.url("ended"), async (engine) => {
      await engine.commit({ checks: [], mutations: [set(["a"], bytes(1))] });
      const blocker = await openEngine(server.url("ended"));
      await server.run("ALTER DATABASE tessera SET idle_session_timeout = 0");
      const terminate =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'tessera'";
      const commits = Promise.allSettled(
        Array.from(
          { length: 20 },
          (_, at) => engine.commit({ checks: [], mutations: [set(["b", at], bytes(1))] }),
        ),
      );
      await server.run(terminate);
      for (const result of await commits) {
        if (result.status === "rejected") {
          assert(result.reason instanceof StoreUnavailable, String(result.reason));
        }
      }
      await until(async () => (await engine.get(["a"])).versionstamp !== null);
      assert((await engine.commit({ checks: [], mutations: [set(["c"], bytes(1))] })).ok);
      blocker.close();
    }),
);

testOnServer(
  "commits that wait for a connection fail, too, when none can be opened",
  async (server) => {
    const engine = await openEngine(server.url("refusing", { pool: "2" }), 1_000);
    await server.kill();
    const commits = Array.from(
      { length: 10 },
      (_, at) => engine.commit({ checks: [], mutations: [set(["a", at], bytes(1))] }),
    );
    const results = await Promise.race([Promise.allSettled(commits), later(20_000)]);
    await server.start();
    engine.close();
    assert(results, "some commits still wait");
    for (const result of results) {
      assert(result.status === "rejected" && result.reason instanceof StoreUnavailable);
    }
  },
);

testOnServer(
  "a store whose schema is dropped is missing, and no outage creates it again",
  async (server) => {
    const location = { type: "postgres", url: server.url("dropped") } as const;
    const store = await openStore({ location, secret: "a-secret-of-tests" });
    await server.run("DROP SCHEMA dropped CASCADE");
    for (const isCut of [false, true]) {
      if (isCut) store.health.report("silent");
      const probe = async () => void await store.remote?.probe(["a"], bytes(1));
      assertEquals((await assertRejects(probe, StoreUnavailable)).fault, "missing");
    }
    assertEquals(await server.run("SELECT FROM pg_namespace WHERE nspname = 'dropped'"), "");
    store.close();
  },
);

testOnServer(
  "a silent server costs four seconds at most, and a new one is found again",
  async (server) => {
    const engine = await openEngine(server.url(), 1_000);
    await server.signal("SIGSTOP");
    const startedAt = performance.now();
    await assertRejects(
      () => engine.commit({ checks: [], mutations: [set(["a"], bytes(1))] }),
      StoreUnavailable,
    );
    await assertRejects(() => engine.get(["a"]), StoreUnavailable);
    assert(performance.now() - startedAt < 8_000, `${performance.now() - startedAt} ms`);
    await server.signal("SIGCONT");
    await until(() =>
      engine.commit({ checks: [], mutations: [set(["b"], bytes(1))] }).then(
        ({ ok }) => ok,
        () => false,
      )
    );
    engine.close();
  },
);

testOnPostgres("an address that nobody listens at is a silent store", async () => {
  const location = postgresLocation("postgres://127.0.0.1:1/tessera");
  const opening = PostgresEngine.open({
    location,
    health: new StoreHealth(location.where),
    waitMs: 1_000,
  });
  const error = await assertRejects(() => opening, StoreUnavailable);
  assertEquals(error.fault, "silent");
});

Deno.test("an address of PostgreSQL that cannot be read is refused without its password", () => {
  const addresses = ["a:10%secret@h/d", "a:secret#@h/d", "a:secret/@h/d", "a:secret@h/d?pool=0"];
  for (const address of addresses) {
    const error = assertThrows(() => postgresLocation(`postgres://${address}`), StoreError);
    assert(!/secret|\n/.test(error.message), error.message);
  }
});
