import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { archiveLog, openPlace } from "../../lib/archive/mod.ts";
import { openStore } from "../../lib/store/mod.ts";
import { callAt, newestFirst, nowMs } from "../archive/archived_store.ts";
import { compose } from "../../main.ts";
import { readCsv } from "../ledger/csv.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { withTempFolder } from "../store/temp_store.ts";
import { runTask } from "./run_task.ts";

const program = new URL("../../tools/log.ts", import.meta.url).pathname;
const rows = Array.from({ length: 40 }, (_, n) => callAt(n, n / 8));
const all = newestFirst(rows);

/** A stopped gateway's store, with most days in an archive beside it. */
async function archivedStore(folder: string): Promise<void> {
  const location = { type: "file", path: `${folder}/tessera.db` } as const;
  const store = await openStore({ location, logRetentionMs: Infinity });
  await leaveRows(store, rows);
  const path = `${folder}/archive`;
  await archiveLog({ store, place: openPlace({ type: "folder", path }), keepDays: 1, nowMs });
  store.close();
  await Deno.writeTextFile(
    `${folder}/config.jsonc`,
    JSON.stringify({ logArchive: { folder: path, keepDays: 1 } }),
  );
}

async function log(folder: string, ...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", program, ...args],
    env: { TESSERA_KV: `${folder}/tessera.db`, TESSERA_CONFIG: `${folder}/config.jsonc` },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

Deno.test("deno task log prints calls of store and archive, newest first, each once", () =>
  withTempFolder(async (folder) => {
    await archivedStore(folder);
    const idsIn = (json: string) =>
      json.split("\n").filter(Boolean).map((line) => JSON.parse(line).request_id);
    assertEquals(idsIn((await log(folder, "--json")).out), all.map(({ id }) => id));
    const { out: lines } = await log(folder, "--limit", "3");
    assertEquals(
      lines.trimEnd().split("\n").map((line) => line.split("  ")[1]),
      all.slice(0, 3).map(({ id }) => id),
    );
    const day = ["--from", "2026-11-18", "--to", "2026-11-19T00:00:00Z"];
    const odd = all.filter(({ atMs, model, keyName }) =>
      atMs >= Date.UTC(2026, 10, 18) && atMs < Date.UTC(2026, 10, 19) && model === "odd" &&
      keyName === "key 1"
    );
    const csv = await log(folder, "--csv", ...day, "--model", "odd", "--key", "key 1");
    assertEquals(readCsv(csv.out).slice(1).map(([id]) => id), odd.map(({ id }) => id));
    const one = await log(folder, "--json", "--id", rows[39].id);
    assertEquals(idsIn(one.out), [rows[39].id]);
  }));

Deno.test("deno task log and audit: say that archived days are not read without a configuration", () =>
  withTempFolder(async (folder) => {
    await archivedStore(folder);
    const env = { TESSERA_KV: `${folder}/tessera.db` };
    const unread =
      /^4 archived days are not read: logArchive is not configured\. Set TESSERA_CONFIG/;
    const printed = await runTask("log.ts", ["--json"], env);
    assertEquals(printed.code, 0);
    assertMatch(printed.stderr, unread);
    const refused = await runTask("audit.ts", ["--json"], env);
    assertEquals([refused.code, refused.stdout], [1, ""]);
    assertMatch(refused.stderr, unread);
    const without = await runTask("audit.ts", ["--json", "--without-archive"], env);
    assertEquals([without.stderr, typeof JSON.parse(without.stdout).calls], ["", "number"]);
    const configured = { ...env, TESSERA_CONFIG: `${folder}/config.jsonc` };
    assertEquals((await runTask("log.ts", ["--json"], configured)).stderr, "");
  }));

Deno.test("gateway: warns of archived days without a configured archive", () =>
  withTempFolder(async (folder) => {
    await archivedStore(folder);
    const started = async (env: Record<string, string>) => {
      const { error } = console;
      const lines: string[] = [];
      console.error = (line) => void lines.push(line);
      const TESSERA_KV = `${folder}/tessera.db`;
      const { close } = await compose({ TESSERA_KV, ...env }).finally(() => console.error = error);
      await close();
      return lines.filter((line) => line.includes('"4 archived days are not read')).length;
    };
    assertEquals(await started({}), 1);
    assertEquals(await started({ TESSERA_CONFIG: `${folder}/config.jsonc` }), 0);
  }));

Deno.test("deno task log explains what it refuses, and exits with 1", () =>
  withTempFolder(async (folder) => {
    await archivedStore(folder);
    const option = await log(folder, "--modle", "x");
    assertEquals([option.code, option.out], [1, ""]);
    assertStringIncludes(option.err, "--modle");
    assertStringIncludes(option.err, "--model NAME");
    assertMatch((await log(folder, "--from", "someday")).err, /^someday is not a time/);
    assertMatch((await log(folder, "--id", "req_none")).err, /^No call has the ID req_none/);
    await Deno.remove(`${folder}/archive`, { recursive: true });
    const gone = await log(folder, "--json");
    assertEquals(gone.code, 1);
    assertMatch(
      gone.err,
      /^Cannot read 2026\/11\/19\/0001-\w{8}\.jsonl\.gz in the log's archive: .*missing.*Put it back/,
    );
  }));
