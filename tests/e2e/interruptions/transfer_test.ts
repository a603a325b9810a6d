import { assert, assertEquals } from "@std/assert";
import { auditStore } from "../../../lib/audit/mod.ts";
import { getRequestLog } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { postgresPrograms, startPostgres } from "../../postgres_server.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { runTask } from "../../tools/run_task.ts";
import { later } from "../../waiting.ts";
import { testKey } from "../gateway.ts";
import { locationOf, testOnSharedStores } from "../money/shared_store.ts";
import { denokvPath, startDenokv } from "../money/denokv.ts";
import { callPaid, paidConfig, startPaidUpstream } from "../money/paid_upstream.ts";
import { startServer } from "../server_process.ts";

type Env = Readonly<Record<string, string>>;

const calls = 60;

/** Fills a store with calls by a gateway in `folder`, which is stopped afterwards. */
async function fill(folder: string, env: Env): Promise<void> {
  await using upstream = startPaidUpstream();
  const keys = [{ name: "test", value: testKey, budget: { usd: 1_000, period: "total" } }];
  const server = await startServer(folder, { env, config: { ...paidConfig(upstream), keys } });
  for (let at = 0; at < calls; at++) await callPaid(server.base, testKey, { stream: at % 2 === 0 });
  assertEquals(await server.stop(), 0);
}

async function done(script: string, args: readonly string[], env: Env): Promise<string> {
  const { code, stdout, stderr } = await runTask(`store/${script}.ts`, args, env);
  assertEquals(code, 0, stderr);
  return stdout;
}

async function audited(env: Env): Promise<unknown> {
  const { code, stdout, stderr } = await runTask("audit.ts", ["--json"], env);
  assertEquals([code, stderr], [0, ""], stdout);
  const audit = JSON.parse(stdout);
  assertEquals(audit.calls, calls);
  return audit;
}

/** The lines of an export without its header, footer and the times of expiry. */
async function entriesOf(file: string): Promise<unknown[]> {
  const lines = (await Deno.readTextFile(file)).trimEnd().split("\n").slice(1, -1);
  return lines.map((line) => ({ ...JSON.parse(line), expires: undefined }));
}

const secret = "a-secret-of-tests-0123456789abcdef";

function envOf(path: string): Env {
  return { TESSERA_KV: path, TESSERA_SECRET: secret };
}

Deno.test("an export of a gateway's store into another file has the same entries and a clean audit", async () => {
  await withTempFolder(async (folder) => {
    const [from, to] = ["tessera.db", "moved.db"].map((name) => envOf(`${folder}/${name}`));
    await fill(folder, from);
    await done("export", [`${folder}/first.jsonl`], from);
    await done("import", [`${folder}/first.jsonl`], to);
    await done("export", [`${folder}/second.jsonl`], to);
    assertEquals(
      await entriesOf(`${folder}/second.jsonl`),
      await entriesOf(`${folder}/first.jsonl`),
    );
    assertEquals(await audited(to), await audited(from));
  });
});

testOnSharedStores(
  (kind) => `a store moves from a file to ${kind} and back, and its audits are the same`,
  async (start, kind) => {
    await withTempFolder(async (folder) => {
      await using server = await start(folder);
      const onServer = { ...server.env, TESSERA_SECRET: secret };
      const [from, back] = ["tessera.db", "back.db"].map((name) => envOf(`${folder}/${name}`));
      await fill(folder, from);
      await done("export", [`${folder}/there.jsonl.gz`], from);
      await done("import", [`${folder}/there.jsonl.gz`], onServer);
      const stdout = await done("backup", [`${folder}/back.jsonl.gz`], onServer);
      assert(stdout.startsWith("Exported "), stdout);
      await done("import", [`${folder}/back.jsonl.gz`], back);
      const audit = await audited(from);
      assertEquals([await audited(onServer), await audited(back)], [audit, audit]);
      if (kind === "PostgreSQL") return; // it has no file of its own
      await done("backup", [`${folder}/file.db`], envOf(`${folder}/denokv.sqlite`));
      assertEquals(await audited(envOf(`${folder}/file.db`)), audit);
    });
  },
);

Deno.test({
  name: "a store moves from PostgreSQL to a KV server and back, and its audits are the same",
  ignore: denokvPath === undefined || postgresPrograms === undefined,
  fn: () =>
    withTempFolder(async (folder) => {
      await using postgres = await startPostgres();
      await using kv = await startDenokv(folder);
      const envs = [envOf(postgres.url()), kv.env, envOf(postgres.url())];
      const [from, onKv, back] = envs.map((env) => ({ ...env, TESSERA_SECRET: secret }));
      await fill(folder, from);
      await done("export", [`${folder}/there.jsonl`], from);
      await done("import", [`${folder}/there.jsonl`], onKv);
      await done("export", [`${folder}/back.jsonl`], onKv);
      await done("import", [`${folder}/back.jsonl`], back);
      const entries = await entriesOf(`${folder}/there.jsonl`);
      assertEquals(await entriesOf(`${folder}/back.jsonl`), entries);
      const audit = await audited(from);
      assertEquals([await audited(onKv), await audited(back)], [audit, audit]);
    }),
});

Deno.test({
  name: "a dump of PostgreSQL under load, restored into another database, has every answered call",
  ignore: postgresPrograms === undefined,
  fn: () =>
    withTempFolder(async (folder) => {
      await using postgres = await startPostgres();
      await using upstream = startPaidUpstream();
      const address = postgres.url("dumped");
      const [from, to] = ["tessera", "restored"].map((name): Env => ({
        TESSERA_KV: address.replace("/tessera?", `/${name}?`),
        TESSERA_SECRET: secret,
      }));
      const config = paidConfig(upstream);
      const before = await startServer(folder, { env: from, config });
      const read: string[] = [];
      const ending = new AbortController();
      const load = Promise.all(Array.from({ length: 8 }, async (_, caller) => {
        while (!ending.signal.aborted) {
          const call = await callPaid(before.base, testKey, { stream: caller % 2 === 0 });
          assertEquals(call.status, 200);
          read.push(call.id);
        }
      }));
      await later(1_000);
      const answered = [...read];
      const dump = `${postgres.folder}/dump.sql`;
      await postgres.tool("pg_dump", ["-n", "dumped", "-f", dump]);
      ending.abort();
      await load;
      assertEquals(await before.stop(), 0);

      await postgres.run("CREATE DATABASE restored");
      await postgres.tool("psql", ["-qX", "-v", "ON_ERROR_STOP=1", "-d", "restored", "-f", dump]);
      const after = await startServer(folder, { env: to, config });
      assertEquals((await callPaid(after.base, testKey)).status, 200);
      assertEquals(await after.stop(), 0);
      const store = await openStore({ location: locationOf(to.TESSERA_KV), secret });
      const rows = await Promise.all(answered.map((id) => getRequestLog(store, id)));
      assertEquals((await auditStore(store)).differences, []);
      store.close();
      assert(answered.length > 8 && rows.every((row) => row?.outcome === "completed"));
    }),
});

/** Fills a store, so that nobody reads it between two writes. */
async function addGroups(store: Store, count: number): Promise<void> {
  for (let at = 0; at < count; at += 100) {
    const operation = store.kv.atomic();
    for (let next = at; next < at + 100; next++) operation.set(["group", `filling ${next}`], next);
    await operation.commit();
  }
}

testOnSharedStores(
  (kind) => `an export of ${kind} that changes all the time fails instead of mixing moments`,
  async (start) => {
    await withTempFolder(async (folder) => {
      await using server = await start(folder);
      const location = locationOf(server.env.TESSERA_KV);
      const store = await openStore({ location, secret });
      await addGroups(store, 3_000);
      let isOver = false;
      const load = Promise.all(Array.from({ length: 16 }, async (_, writer) => {
        for (let at = 0; !isOver; at++) await store.kv.set(["group", `changing ${writer}`], at);
      }));
      const { code, stderr } = await runTask(
        "store/export.ts",
        [`${folder}/out.jsonl`],
        server.env,
      );
      isOver = true;
      await load;
      store.close();
      assertEquals(code, 1);
      assert(stderr.includes("Stop its gateways, and export again"), stderr);
    });
  },
);
