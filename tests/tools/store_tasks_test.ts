import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { keys } from "../../lib/store/keys.ts";
import { openStore } from "../../lib/store/mod.ts";
import { fileEntries } from "../../lib/store/transfer/mod.ts";
import { leaveRows } from "../store/log/log_rows.ts";
import { requestIdOf } from "../store/log/row_arbitrary.ts";
import { sampleRow } from "../store/samples.ts";
import { startHolder } from "../store/store_holder.ts";
import { withTempFolder } from "../store/temp_store.ts";
import { runTask, startTask } from "./run_task.ts";

/** A folder with the store of a stopped gateway, which holds one group. */
function withStore(run: (folder: string, env: Record<string, string>) => Promise<void>) {
  return withTempFolder(async (folder) => {
    const path = `${folder}/tessera.db`;
    const store = await openStore({ location: { type: "file", path } });
    await store.kv.set(["group", "a"], { version: 1, id: "a" });
    store.close();
    await run(folder, { TESSERA_KV: path });
  });
}

async function groupIn(path: string): Promise<unknown> {
  const store = await openStore({ location: { type: "file", path } });
  const { value } = await store.kv.get(["group", "a"]);
  store.close();
  return value;
}

Deno.test("deno task backup: replaces a file only with --force, and names the secret", async () => {
  await withStore(async (folder, env) => {
    const target = `${folder}/backup.db`;
    const first = await runTask("store/backup.ts", [target], env);
    assertEquals([first.code, first.stderr], [0, ""]);
    assertStringIncludes(first.stdout, `Copy ${folder}/secret too`);
    const second = await runTask("store/backup.ts", [target], env);
    assertEquals([second.code, second.stdout], [1, ""]);
    assertMatch(second.stderr, /it exists\..*--force\n$/);
    assertEquals((await runTask("store/backup.ts", [target, "--force"], env)).code, 0);
    const none = await runTask("store/backup.ts", [], env);
    assertEquals([none.code, none.stderr], [1, "Usage: deno task backup FILE [--force]\n"]);
    const nowhere = await runTask("store/backup.ts", [`${folder}/none/backup.db`], env);
    assertMatch(
      nowhere.stderr,
      /^Cannot write .*none\/backup\.db: the folder .*none does not exist\. Create it\n$/,
    );
  });
});

Deno.test("deno task backup and export: refuse each file of the store, also with --force", async () => {
  await withStore(async (folder, env) => {
    const path = `${folder}/tessera.db`;
    await Deno.link(path, `${folder}/hard.db`);
    await Deno.symlink(folder, `${folder}/linked`);
    const before = await Deno.readFile(path);
    const names = [
      "tessera.db",
      "secret",
      "hard.db",
      "tessera.db.lock",
      "tessera.db.write-lock",
      "linked/tessera.db-wal",
    ];
    for (const [at, name] of names.entries()) {
      const script = at % 2 === 0 ? "store/backup.ts" : "store/export.ts";
      const { code, stderr } = await runTask(script, [`${folder}/${name}`, "--force"], env);
      assertEquals(code, 1, name);
      assertMatch(stderr, /^Cannot write .*: it belongs to the store\..*\n$/, name);
    }
    const viaLink = { TESSERA_KV: `${folder}/linked/tessera.db` };
    const { code } = await runTask("store/backup.ts", [`${path}-wal`, "--force"], viaLink);
    assertEquals(code, 1);
    assertEquals(await Deno.readFile(path), before);
  });
});

Deno.test("deno task restore: restores on a machine without a store, and warns of a missing secret", async () => {
  await withStore(async (folder, env) => {
    await runTask("store/backup.ts", [`${folder}/backup.db`], env);
    const path = `${folder}/other/tessera.db`;
    const restored = await runTask("store/restore.ts", [`${folder}/backup.db`], {
      TESSERA_KV: path,
    });
    assertEquals([restored.code, restored.stderr], [0, ""]);
    assertStringIncludes(restored.stdout, "The store holds 0 calls, and 0 API keys");
    assertStringIncludes(restored.stdout, "There is no secret yet");
    const names = await Array.fromAsync(Deno.readDir(`${folder}/other`), ({ name }) => name);
    assertEquals(names.sort(), ["tessera.db", "tessera.db.lock"]);
    assertEquals(await groupIn(path), { version: 1, id: "a" });
  });
});

Deno.test("deno task export and import: compressed, and through standard output and input", async () => {
  await withStore(async (folder, env) => {
    const target = `${folder}/store.jsonl.gz`;
    const exported = await runTask("store/export.ts", [target], env);
    assertEquals(exported.code, 0, exported.stderr);
    assertEquals((await Deno.stat(target)).mode! & 0o777, 0o600);
    const path = `${folder}/other/tessera.db`;
    const imported = await runTask("store/import.ts", [target], { TESSERA_KV: path });
    assertEquals([imported.code, imported.stderr], [0, ""]);
    assertEquals(await groupIn(path), { version: 1, id: "a" });
    const again = await runTask("store/import.ts", [target], { TESSERA_KV: path });
    assertEquals(again.code, 1);
    assertMatch(again.stderr, /^Cannot import into the store .*: it is not empty.*\n$/);
    const { stdout } = await runTask("store/export.ts", ["-"], env);
    const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals([lines[0].tessera, lines.at(-1).entries], ["export", lines.length - 2]);
    assert(lines.some(({ key }) => key?.[0] === "group"));
  });
});

for (const task of ["restore", "import"]) {
  Deno.test(`deno task ${task}: keeps calls that waited as long as configured`, async () => {
    await withStore(async (folder, env) => {
      const location = { type: "file", path: env.TESSERA_KV } as const;
      const store = await openStore({ location });
      await leaveRows(store, [sampleRow(1, { id: requestIdOf(Date.now(), 1), atMs: Date.now() })]);
      store.close();
      const config = `${folder}/config.jsonc`;
      await Deno.writeTextFile(config, JSON.stringify({ limits: { logRetentionDays: 365 } }));
      const target = `${folder}/copy`;
      await runTask(task === "restore" ? "store/backup.ts" : "store/export.ts", [target], env);
      const path = `${folder}/other/tessera.db`;
      const { code, stdout } = await runTask(`store/${task}.ts`, [target], {
        TESSERA_KV: path,
        TESSERA_CONFIG: config,
      });
      assertEquals(code, 0);
      assertStringIncludes(stdout, "The store holds 1 call,");
      const pages = [...fileEntries(path, { nowMs: 0, prefix: String(keys.logPages[0]) })];
      const days = pages.map(({ expiresAtMs = 0 }) => (expiresAtMs - Date.now()) / 86_400_000);
      assertEquals(days.map(Math.round), [365]);
    });
  });
}

Deno.test("deno task import: refuses other lines of standard input before their end", async () => {
  await withTempFolder(async (folder) => {
    const task = startTask("store/import.ts", ["-"], { TESSERA_KV: `${folder}/tessera.db` });
    const input = task.stdin.getWriter();
    await input.write(new TextEncoder().encode("other lines\n"));
    const tooLong = setTimeout(() => task.kill("SIGKILL"), 10_000);
    const { code, stderr } = await task.output();
    clearTimeout(tooLong);
    await input.close().catch(() => {});
    const refusal = "Cannot import standard input: it is not an export of Tessera\n";
    assertEquals([code, new TextDecoder().decode(stderr)], [1, refusal]);
  });
});

Deno.test("deno task import: names a file that it cannot read", async () => {
  await withStore(async (folder, env) => {
    const file = `${folder}/store.jsonl.gz`;
    await runTask("store/export.ts", [file], env);
    const bytes = await Deno.readFile(file);
    await Deno.writeFile(file, bytes.subarray(0, bytes.length >> 1));
    const other = { TESSERA_KV: `${folder}/other/tessera.db` };
    const cut = await runTask("store/import.ts", [file], other);
    const damage = "it is not compressed with gzip, or is damaged. Export again, or copy it again";
    assertEquals([cut.code, cut.stderr], [1, `Cannot import ${file}: ${damage}\n`]);
    const none = await runTask("store/import.ts", [`${folder}/none`], other);
    assertEquals(none.stderr, `Cannot import ${folder}/none: there is no such file\n`);
  });
});

for (const task of ["restore", "import"]) {
  Deno.test(`deno task ${task}: warns of another secret, and gives the store to its folder's owner`, async () => {
    await withStore(async (folder, env) => {
      const copy = `${folder}/copy`;
      await runTask(task === "restore" ? "store/backup.ts" : "store/export.ts", [copy], env);
      const other = `${folder}/other`;
      await Deno.mkdir(other);
      await Deno.writeTextFile(`${other}/secret`, "y".repeat(44));
      const isRoot = Deno.uid() === 0;
      if (isRoot) await Deno.chown(other, 65_534, 65_534);
      const path = `${other}/tessera.db`;
      const { code, stdout } = await runTask(`store/${task}.ts`, [copy], { TESSERA_KV: path });
      assertEquals(code, 0);
      assertStringIncludes(stdout, "sealed under another secret than the present one");
      const owner = isRoot ? 65_534 : Deno.uid();
      for (const file of [path, `${path}.lock`]) assertEquals((await Deno.stat(file)).uid, owner);
      await Deno.copyFile(`${folder}/secret`, `${other}/secret`);
      const right = await runTask("store/restore.ts", [path], { TESSERA_KV: path });
      assert(!right.stdout.includes("another secret"), right.stdout);
    });
  });
}

Deno.test("deno task audit: lays no secret beside a copied store", async () => {
  await withStore(async (folder, env) => {
    const path = `${folder}/copies/backup.db`;
    await Deno.mkdir(`${folder}/copies`);
    await runTask("store/backup.ts", [path], env);
    assertEquals((await runTask("audit.ts", [], { TESSERA_KV: path })).code, 0);
    const names = await Array.fromAsync(Deno.readDir(`${folder}/copies`), ({ name }) => name);
    assertEquals(names.sort(), ["backup.db", "backup.db.lock"]);
  });
});

for (
  const { task, signal, code } of [
    { task: "backup", signal: "SIGINT", code: 130 },
    { task: "export", signal: "SIGTERM", code: 143 },
  ] as const
) {
  Deno.test(`deno task ${task}: leaves no draft behind after ${signal}`, async () => {
    await withStore(async (folder, env) => {
      await fill(env.TESSERA_KV, 3_000);
      const copies = `${folder}/copies`;
      await Deno.mkdir(copies);
      const names = () => [...Deno.readDirSync(copies)].map(({ name }) => name);
      const running = startTask(`store/${task}.ts`, [`${copies}/copy.gz`], env);
      await running.stdin.close();
      while (!names().some((name) => Deno.statSync(`${copies}/${name}`).size > 0)) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      running.kill(signal);
      assertEquals((await running.output()).code, code);
      assertEquals(names(), []);
    });
  });
}

/** Adds entries of about 20 KB that no compression makes small. */
async function fill(path: string, entries: number): Promise<void> {
  const store = await openStore({ location: { type: "file", path } });
  const bytes = crypto.getRandomValues(new Uint8Array(20_000));
  for (let at = 0; at < entries; at += 20) {
    const operation = store.kv.atomic();
    for (let n = at; n < at + 20; n++) operation.set(["log", n], bytes);
    await operation.commit();
  }
  store.close();
}

Deno.test("deno task audit, log, restore and import: name the remedy beside a running gateway", () =>
  withTempFolder(async (folder) => {
    const env = { TESSERA_KV: `${folder}/tessera.db` };
    const holder = await startHolder(env.TESSERA_KV);
    const file = `${folder}/backup.db`;
    assertEquals((await runTask("store/backup.ts", [file], env)).code, 0);
    const lines = `${folder}/export.jsonl`;
    assertEquals((await runTask("store/export.ts", [lines], env)).code, 0);
    const backup = (task: string) =>
      `Run it on a backup: deno task backup FILE && TESSERA_KV=FILE deno task ${task}`;
    for (
      const [script, args, remedy] of [
        ["audit.ts", [], backup("audit")],
        ["log.ts", [], backup("log")],
        ["store/restore.ts", [file], "Stop the gateway first"],
        ["store/import.ts", [lines], "Stop the gateway first"],
      ] as const
    ) {
      const { code, stderr } = await runTask(script, args, env);
      const fault =
        `Cannot open the store ${env.TESSERA_KV}: process ${holder.pid} already uses it`;
      assertEquals([code, stderr], [1, `${fault}. ${remedy}\n`]);
    }
    await holder.kill();
    const audited = await runTask("audit.ts", [], env);
    assertEquals([audited.code, audited.stdout], [
      0,
      "0 calls, 0 differences\n  charged $0, upstream cost $0\n",
    ]);
  }));
