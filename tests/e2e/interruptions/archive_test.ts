import { assert, assertEquals } from "@std/assert";
import { openPlace } from "../../../lib/archive/mod.ts";
import { readLog } from "../../../lib/archive/read_log.ts";
import { auditStore } from "../../../lib/audit/mod.ts";
import { streamRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore, type Store } from "../../../lib/store/mod.ts";
import { leaveRows } from "../../store/log/log_rows.ts";
import { requestIdOf } from "../../store/log/row_arbitrary.ts";
import { sampleRow } from "../../store/samples.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { startServer } from "../server_process.ts";

/** `kill -9` at random moments of archiving. TESSERA_KILLS says how often. */

const kills = Number(Deno.env.get("TESSERA_KILLS") ?? 10);
const program = new URL("archiving.ts", import.meta.url).pathname;
const dayMs = 86_400_000;
const callsAtOnce = 3_000;

Deno.test(`archiving killed ${kills} times: each call is in the log once, at any time and in the end`, async () => {
  const folder = await Deno.makeTempDir();
  const place = openPlace({ type: "folder", path: `${folder}/archive` });
  const ids: string[] = [];
  let [killed, whole] = [0, 0];
  while (killed < kills) {
    if (await withStore(folder, oldCalls) === 0) {
      await withStore(folder, (store) => addCalls(store, ids));
    }
    if (await isKilled(folder)) killed++;
    else whole++;
    await withStore(
      folder,
      async (store) => assertEquals(await idsIn(readLog({ store, place })), ids.toSorted()),
    );
  }
  await run(folder);
  console.log(`${killed} runs killed, ${whole} complete, ${ids.length} calls`);
  await withStore(folder, async (store) => {
    assertEquals(await oldCalls(store), 0);
    assertEquals((await auditStore(store, place)).differences, []);
  });
  assertEquals(await idsInFiles(`${folder}/archive`), ids.toSorted());
  await removeFolder(folder);
});

Deno.test("a gateway archives past days after its start, and deno task log reads them", async () => {
  const folder = await Deno.makeTempDir();
  const ids: string[] = [];
  await withStore(folder, (store) => addCalls(store, ids));
  const config = { logArchive: { folder: `${folder}/archive`, keepDays: 1 } };
  await using server = await startServer(folder, { config }).then(stopping);
  await until(() => /Archived past days/.test(server.said()), 30_000);
  assertEquals(await server.stop(), 0);
  assertEquals(await idsInFiles(`${folder}/archive`), ids.toSorted());
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "log", "--json", "--key", "one"],
    env: {
      TESSERA_KV: `${folder}/tessera.db`,
      TESSERA_CONFIG: `${folder}/config.jsonc`,
      NO_COLOR: "1",
    },
  }).output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).request_id), ids.toSorted().reverse());
  await removeFolder(folder);
});

function stopping<Server extends { stop(): Promise<number> }>(server: Server) {
  let stopped: Promise<number> | undefined;
  const stop = () => stopped ??= server.stop();
  return { ...server, stop, [Symbol.asyncDispose]: async () => void await stop() };
}

async function until(holds: () => boolean, ms: number): Promise<void> {
  for (let waited = 0; !holds(); waited += 50) {
    assert(waited < ms, "it did not happen in time");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Calls of four past days, in pages with rows of several days. */
async function addCalls(store: Store, ids: string[]): Promise<void> {
  const rows = Array.from({ length: callsAtOnce }, (_, n) => {
    const atMs = Math.floor(Date.now() - (2 + (n % 40) / 10) * dayMs);
    return sampleRow(n, { id: requestIdOf(atMs, ids.length + n), atMs });
  });
  await leaveRows(store, rows);
  ids.push(...rows.map(({ id }) => id));
}

/** The number of calls of past days in the store. */
async function oldCalls(store: Store): Promise<number> {
  return (await idsIn(streamRequestLogs(store, { toMs: Date.now() - 2 * dayMs }))).length;
}

/** Archives, and kills the process at a random moment. Returns false if it was done before. */
async function isKilled(folder: string): Promise<boolean> {
  const child = archiving(folder);
  const reader = child.stdout.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 700));
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended
  }
  while (!(await reader.read()).done);
  return (await child.status).signal === "SIGKILL";
}

async function run(folder: string): Promise<void> {
  const child = archiving(folder);
  await child.stdout.cancel();
  assertEquals((await child.status).code, 0);
}

function archiving(folder: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, `${folder}/tessera.db`, `${folder}/archive`],
    stdout: "piped",
  }).spawn();
}

async function withStore<Result>(
  folder: string,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  const path = `${folder}/tessera.db`;
  const store = await openStore({ location: { type: "file", path }, logRetentionMs: Infinity });
  try {
    return await act(store);
  } finally {
    store.close();
  }
}

async function idsIn(
  batches: AsyncIterable<readonly { readonly id: string }[]>,
): Promise<string[]> {
  return (await Array.fromAsync(batches)).flat().map(({ id }) => id).sort();
}

/** The ids in all files, as another program reads them: a killed run may leave a file too many. */
async function idsInFiles(folder: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", `find ${folder} -name '*.jsonl.gz' | sort | xargs zcat | sort -u`],
  }).output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).id).sort();
}
