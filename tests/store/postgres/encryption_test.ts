import { assert, assertEquals, assertRejects } from "@std/assert";
import { StoreUnavailable } from "../../../lib/store/file/store_fault.ts";
import { StoreError } from "../../../lib/store/kv/error.ts";
import {
  type Certificate,
  makeAuthority,
  makeCertificate,
  opensslPath,
} from "../../certificates.ts";
import { postgresPrograms, type PostgresServer, startPostgres } from "../../postgres_server.ts";
import { until } from "../../waiting.ts";
import { assertOneLine, openEngine, withEngine } from "./postgres_store.ts";

/** Certificates of a server, by what is wrong with them. */
interface Certificates {
  readonly authority: Certificate;
  readonly other: Certificate;
  readonly right: Certificate;
  readonly misnamed: Certificate;
  readonly expired: Certificate;
}

const set = { type: "set", key: ["a"], value: new Uint8Array() } as const;
const change = { checks: [], mutations: [set] };

Deno.test({
  name: "sslmode=verify-full accepts the right certificate, and names the fault of any other",
  ignore: postgresPrograms === undefined || opensslPath === undefined,
  fn: async () => {
    await using server = await startPostgres({ settings: { fsync: "off" } });
    const { authority, other, right, misnamed, expired } = await makeCertificates(server.folder);
    const url = (sslrootcert: string) =>
      server.url("encrypted", { sslmode: "verify-full", sslrootcert });

    assertOneLine(await refusalOf(url(authority.certificate)), /not support SSL/);
    await present(server, right);
    await withEngine(url(authority.certificate), async (engine) => {
      assert((await engine.commit(change)).ok);
      assertEquals(await server.run(plainSql), "0");
    });
    assertOneLine(await refusalOf(url(other.certificate)), /unable to verify.*sslrootcert/);
    assertOneLine(
      await refusalOf(server.url("encrypted", { sslmode: "verify-full" })),
      /unable to verify.*sslrootcert/,
    );
    await present(server, misnamed);
    assertOneLine(await refusalOf(url(authority.certificate)), /127\.0\.0\.1 is not in.*Name the/);
    await present(server, expired);
    assertOneLine(await refusalOf(url(authority.certificate)), /has expired\. Renew/);
    await withEngine(server.url("encrypted", { sslmode: "no-verify" }), async (engine) => {
      assert((await engine.commit(change)).ok);
      assertEquals(await server.run(plainSql), "0");
    });
  },
});

Deno.test({
  name: "a certificate that expires while the gateway runs makes the store unavailable",
  ignore: postgresPrograms === undefined || opensslPath === undefined,
  fn: async () => {
    await using server = await startPostgres({ settings: { fsync: "off" } });
    const { authority, right, expired } = await makeCertificates(server.folder);
    await present(server, right);
    const sslrootcert = authority.certificate;
    await withEngine(server.url("x", { sslmode: "verify-full", sslrootcert }), async (engine) => {
      await engine.commit(change);
      await present(server, expired);
      await server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_ssl WHERE ssl");
      await until(async () => {
        const error = await assertRejects(() => engine.commit(change), StoreUnavailable);
        assertEquals(error.fault, "silent");
        return String(error.cause).includes("expired"); // the first commit may meet the ended connection
      });
      await present(server, right);
      assert((await engine.commit(change)).ok);
    });
  },
});

/** Counts the connections of the gateway without encryption. */
const plainSql = `SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
  WHERE application_name = 'tessera' AND NOT ssl`;

async function makeCertificates(folder: string): Promise<Certificates> {
  const [authority, other] = await Promise.all([
    makeAuthority(folder, "authority"),
    makeAuthority(folder, "other"),
  ]);
  const signed = (names: string, days: number) =>
    makeCertificate(folder, { authority, names, days });
  return {
    authority,
    other,
    right: await signed("IP:127.0.0.1", 2),
    misnamed: await signed("DNS:db.example.com", 2),
    expired: await signed("IP:127.0.0.1", -1),
  };
}

/** Lets the server use a certificate for its next connections. */
async function present(server: PostgresServer, { key, certificate }: Certificate): Promise<void> {
  const { uid, gid } = await Deno.stat(`${server.folder}/data`);
  for (const [from, name] of [[key, "server.key"], [certificate, "server.crt"]] as const) {
    const to = `${server.folder}/data/${name}`;
    await Deno.copyFile(from, to);
    await Deno.chmod(to, 0o600);
    await Deno.chown(to, uid, gid);
  }
  const loadedAt = () => server.run("SELECT pg_conf_load_time()");
  const before = await loadedAt();
  await server.run("ALTER SYSTEM SET ssl = on");
  await server.run("SELECT pg_reload_conf()");
  await until(async () => await loadedAt() !== before);
}

async function refusalOf(url: string): Promise<string> {
  return (await assertRejects(() => openEngine(url), StoreError)).message;
}
