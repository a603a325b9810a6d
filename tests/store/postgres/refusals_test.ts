import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { StoreUnavailable } from "../../../lib/store/file/store_fault.ts";
import { StoreError } from "../../../lib/store/kv/error.ts";
import { openingFault } from "../../../lib/store/postgres/faults.ts";
import { postgresLocation } from "../../../lib/store/postgres/mod.ts";
import { startPostgres } from "../../postgres_server.ts";
import {
  assertOneLine,
  leastUrl,
  makeLeast,
  openEngine,
  testOnPostgres,
  withEngine,
  withServers,
} from "./postgres_store.ts";

const testOnServer = withServers({ fsync: "off", max_connections: 20 });

for (
  const { name, prepare = "SELECT 1", url, says } of [
    {
      name: "a wrong password",
      url: (text: string) => text.replace(/:[^:@]+@/, ":wrong@"),
      says: /authentication failed.*Check the user and the password/,
    },
    {
      name: "a missing password",
      url: (text: string) => text.replace(/:[^:@]+@/, "@"),
      says: /password.*Check the user and the password/,
    },
    {
      name: "a database that is not there",
      url: (text: string) => text.replace("/tessera?", "/other?"),
      says: /"other" does not exist\. Create it/,
    },
    {
      name: "a server without TLS",
      url: (text: string) => `${text}&sslmode=verify-full`,
      says: /not support SSL connections\. Set ssl = on/,
    },
    {
      name: "another table of that name",
      prepare: "CREATE SCHEMA x; CREATE TABLE x.kv (id int)",
      url: (text: string) => text.replace(/schema=\w+/, "schema=x"),
      says: /the table x\.kv is not the gateway's: name another schema/,
    },
  ]
) {
  testOnServer(`${name} is refused in one line without the password`, async (server) => {
    await server.run(prepare);
    const error = await assertRejects(() => openEngine(url(server.url())), StoreError);
    assertOneLine(error.message, says);
  });
}

for (
  const [given, says] of [
    ["sslmode=require", /sslmode that is not one of disable, verify-full, no-verify/],
    ["sslmode=prefer", /sslmode that is not/],
    ["sslmode=verify-ca", /sslmode that is not/],
    ["sslrootcert=/etc/hostname", /sslrootcert, which needs sslmode=verify-full/],
    ["sslmode=no-verify&sslrootcert=/etc/hostname", /needs sslmode=verify-full/],
    ["sslmode=verify-full&sslrootcert=/not/there", /cannot be read: \/not\/there/],
    ["sslmode=verify-full&sslrootcert=deno.json", /without a certificate in PEM format: deno.json/],
    ["pgbouncer=yes", /pgbouncer that is not true or false/],
    ["pool=0", /pool of 1 to 64 connections/],
    ["schema=Tessera", /a schema of small letters/],
    ["statement_timeout=1", /unknown parameter statement_timeout; known are schema, pool/],
  ] as const
) {
  Deno.test(`postgresLocation refuses ${given} in one line without the password`, () => {
    const url = `postgres://tessera:a%20password@127.0.0.1/tessera?${given}`;
    const { message } = assertThrows(() => postgresLocation(url), StoreError);
    assertOneLine(message, says);
  });
}

Deno.test({
  name: "postgresLocation refuses an sslrootcert that the gateway may not read",
  permissions: { read: false },
  fn: () => {
    const url = "postgres://127.0.0.1/tessera?sslmode=verify-full&sslrootcert=/etc/hostname";
    const { message } = assertThrows(() => postgresLocation(url), StoreError);
    assertOneLine(message, /cannot be read: \/etc\/hostname/);
  },
});

for (
  const { message, code } of [
    { message: "getaddrinfo ENOTFOUND ssl.example.com", code: "ENOTFOUND" },
    { message: 'too many connections for database "tls"', code: "53300" },
  ]
) {
  Deno.test(`openingFault: ${message} may end by itself, whatever its names say`, () => {
    assertEquals(openingFault(Object.assign(new Error(message), { code }), "x"), undefined);
  });
}

Deno.test("openingFault: a server that does not admit the gateway names its file, not the password", () => {
  const message = 'no pg_hba.conf entry for host "10.0.0.11", no encryption';
  const fault = openingFault(Object.assign(new Error(message), { code: "28000" }), "x");
  assertOneLine(`${fault?.message}`, /no encryption\. Admit the gateway there, with sslmode=/);
});

testOnServer("a role needs no more than the rights that a refusal names", async (server) => {
  await makeLeast(server);
  const open = () => openEngine(leastUrl(server, "granted"));
  const refusal = async () => (await assertRejects(open, StoreError)).message;
  assertOneLine(await refusal(), /may not create.*start once as a role that may/);
  (await openEngine(server.url("granted"))).close();
  assertOneLine(await refusal(), /permission denied for schema granted\. Grant its role/);
  await server.run("GRANT USAGE ON SCHEMA granted TO least");
  assertOneLine(await refusal(), /may not use the table: GRANT SELECT, INSERT, UPDATE, DELETE ON/);
  await server.run("GRANT SELECT, INSERT, UPDATE ON granted.kv TO least");
  assertOneLine(await refusal(), /may not use the table/);
  await server.run("GRANT DELETE ON granted.kv TO least");
  await withEngine(leastUrl(server, "granted"), async (engine) => {
    const set = { type: "set", key: ["a"], value: new Uint8Array() } as const;
    assert((await engine.commit({ checks: [], mutations: [set] })).ok);
    await engine.sweep();
  });
  await server.run("DROP OWNED BY least");
});

testOnServer(
  "a server without connections is waited for with one, and refused with none",
  async (server) => {
    await makeLeast(server);
    (await openEngine(server.url("narrow"))).close();
    await server.run("GRANT USAGE ON SCHEMA narrow TO least; GRANT ALL ON narrow.kv TO least");
    await server.run("ALTER ROLE least CONNECTION LIMIT 3");
    const url = leastUrl(server, "narrow", { pool: "8" });
    await withEngine(url, async (engine) => {
      const commits = Array.from({ length: 40 }, (_, at) => {
        const set = { type: "set", key: ["a", at], value: new Uint8Array() } as const;
        return engine.commit({ checks: [], mutations: [set] });
      });
      assertEquals((await Promise.all(commits)).filter(({ ok }) => !ok), []);
    });
    await server.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'least'",
    );
    await server.run("ALTER ROLE least CONNECTION LIMIT 0");
    const error = await assertRejects(() => openEngine(url), StoreUnavailable);
    const isPooled = String(error.cause).includes("server_login_retry"); // PgBouncer keeps the reason to itself
    assertEquals(error.fault, isPooled ? "silent" : "no_connection");
    const says = /no connection left\. Raise `max_connections`.*or lower `pool`/;
    assertOneLine(error.advice, isPooled ? /does not answer\. Check/ : says);
    await server.run("DROP OWNED BY least");
  },
);

testOnPostgres("a standby is refused, and so is a server that becomes one", async () => {
  await using primary = await startPostgres();
  await using standby = await startPostgres({ follows: primary });
  const refusal = await assertRejects(() => openEngine(standby.url()), StoreError);
  assertOneLine(refusal.message, /read-only standby: TESSERA_KV must name the primary/);
  await withEngine(primary.url(), async (engine) => {
    await primary.run("ALTER SYSTEM SET default_transaction_read_only = on");
    await primary.run("SELECT pg_reload_conf()");
    const set = { type: "set", key: ["a"], value: new Uint8Array() } as const;
    const error = await assertRejects(async () => {
      for (;;) await engine.commit({ checks: [], mutations: [set] });
    }, StoreUnavailable);
    assertOneLine(error.advice, /read-only standby\. Let TESSERA_KV name the primary/);
  });
});
