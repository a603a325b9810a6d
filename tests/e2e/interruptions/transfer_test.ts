import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { runTask } from "../../tools/run_task.ts";
import { testKey } from "../gateway.ts";
import { locationOf, testOnSharedStores } from "../money/shared_store.ts";
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

function fileEnv(path: string): Env {
  return { TESSERA_KV: path, TESSERA_SECRET: secret };
}

Deno.test("an export of a gateway's store into another file has the same entries and a clean audit", async () => {
  await withTempFolder(async (folder) => {
    const [from, to] = ["tessera.db", "moved.db"].map((name) => fileEnv(`${folder}/${name}`));
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
      const [from, back] = ["tessera.db", "back.db"].map((name) => fileEnv(`${folder}/${name}`));
      await fill(folder, from);
      await done("export", [`${folder}/there.jsonl.gz`], from);
      await done("import", [`${folder}/there.jsonl.gz`], onServer);
      const stdout = await done("backup", [`${folder}/back.jsonl.gz`], onServer);
      assert(stdout.startsWith("Exported "), stdout);
      await done("import", [`${folder}/back.jsonl.gz`], back);
      const audit = await audited(from);
      assertEquals([await audited(onServer), await audited(back)], [audit, audit]);
      if (kind === "PostgreSQL") return; // it has no file of its own
      await done("backup", [`${folder}/file.db`], fileEnv(`${folder}/denokv.sqlite`));
      assertEquals(await audited(fileEnv(`${folder}/file.db`)), audit);
    });
  },
);

testOnSharedStores(
  (kind) => `an export of ${kind} that changes all the time fails instead of mixing moments`,
  async (start) => {
    await withTempFolder(async (folder) => {
      await using server = await start(folder);
      const location = locationOf(server.env.TESSERA_KV);
      const store = await openStore({ location, secret });
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
