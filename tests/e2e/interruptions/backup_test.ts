import { assert, assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../../store/temp_store.ts";
import { runTask } from "../../tools/run_task.ts";
import { testKey } from "../gateway.ts";
import { callPaid, paidConfig, startPaidUpstream } from "../money/paid_upstream.ts";
import { type ServerProcess, startServer } from "../server_process.ts";

/**
 * Backups of a gateway under load, started at random moments: each holds every call that was answered
 * before, and its audit is clean.
 */

const backups = 6;
const callers = 48;
const pauseMsMax = 2_500;
const loadMsMin = 10_000;
/** A hundred calls a second on a machine that does nothing else. */
const callsMin = 1_000;
const loadMsMax = 90_000;

/** A copy, and the calls that callers had read to their end when it was started. */
interface Copy {
  readonly path: string;
  readonly answered: readonly string[];
}

Deno.test(`${backups} backups under load hold every call answered before, and a copied file does not`, async () => {
  await withTempFolder(async (folder) => {
    await using upstream = startPaidUpstream();
    const budget = { usd: 1_000, period: "total" };
    const config = {
      ...paidConfig(upstream),
      keys: [{ name: "test", value: testKey, budget }],
    };
    const server = await startServer(folder, { config });
    const load = startLoad(server);
    const copies: Copy[] = [];
    const plain: Copy[] = [];
    for (let at = 0; at < backups || load.isShort(); at++) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * pauseMsMax));
      plain.push(await copyPlainly(folder, at, load.answered));
      copies.push(await backUp(folder, at, load.answered));
    }
    const perSecond = await load.stop();
    assertEquals(await server.stop(), 0);
    await assertServes(copies[0], config);
    for (const copy of copies) await assertComplete(copy);
    const lost = await Promise.all(plain.map(missingIn));
    console.log(
      `${copies.length} backups at ${
        Math.round(perSecond)
      } calls/s, ${load.answered.length} calls; ` +
        `plain copies lost ${lost.map(({ missing }) => missing).join(", ")} calls`,
    );
    assert(load.answered.length >= callsMin);
    assert(lost.some(({ missing }) => missing > 0), "the test must see what a plain copy loses");
  });
});

function startLoad({ base, said }: ServerProcess) {
  const startedAt = performance.now();
  const answered: string[] = [];
  const failed: string[] = [];
  const stopping = new AbortController();
  const running = Array.from({ length: callers }, async (_, caller) => {
    while (!stopping.signal.aborted) {
      const { status, id, code } = await callPaid(base, testKey, { stream: caller % 2 === 0 });
      if (status === 200) answered.push(id);
      else failed.push(`${status} ${code} ${said()}`);
    }
  });
  return {
    answered,
    isShort: () => {
      const ms = performance.now() - startedAt;
      return ms < loadMsMin || (answered.length < callsMin && ms < loadMsMax);
    },
    /** Returns the calls per second. */
    stop: async () => {
      const perSecond = answered.length / (performance.now() - startedAt) * 1_000;
      stopping.abort();
      await Promise.all(running);
      assertEquals(failed, []);
      return perSecond;
    },
  };
}

async function backUp(folder: string, at: number, answered: readonly string[]): Promise<Copy> {
  const copy = { path: `${folder}/backup-${at}.db`, answered: [...answered] };
  const { code, stderr } = await runTask("store/backup.ts", [copy.path], {
    TESSERA_KV: `${folder}/tessera.db`,
    TESSERA_CONFIG: `${folder}/config.jsonc`,
  });
  assertEquals([code, stderr], [0, ""]);
  assertEquals((await Deno.stat(copy.path)).mode! & 0o777, 0o600);
  return copy;
}

async function copyPlainly(folder: string, at: number, answered: readonly string[]): Promise<Copy> {
  const copy = { path: `${folder}/plain-${at}.db`, answered: [...answered] };
  await Deno.copyFile(`${folder}/tessera.db`, copy.path);
  return copy;
}

async function assertComplete(copy: Copy): Promise<void> {
  const { missing, differences } = await missingIn(copy);
  assertEquals([missing, differences], [0, []], copy.path);
}

/** Restores a copy, with its processes and calls in flight, and starts a gateway on it. */
async function assertServes(
  { path, answered }: Copy,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const env = { TESSERA_KV: `${folder}/tessera.db` };
    const { code, stdout, stderr } = await runTask("store/restore.ts", [path], env);
    assertEquals([code, stderr], [0, ""]);
    const calls = Number(/holds ([\d,]+) calls/.exec(stdout)?.[1].replaceAll(",", ""));
    assert(calls >= answered.length, stdout);
    const server = await startServer(folder, { config });
    assertEquals((await callPaid(server.base, testKey)).status, 200);
    assertEquals(await server.stop(), 0);
  });
}

async function missingIn({ path, answered }: Copy) {
  const store = await openStore({ location: { type: "file", path }, isAudited: true });
  try {
    const { differences } = await auditStore(store);
    const ids = new Set((await Array.fromAsync(allRows(store))).map(({ id }) => id));
    return { missing: answered.filter((id) => !ids.has(id)).length, differences };
  } finally {
    store.close();
  }
}
