import { assertEquals } from "@std/assert";
import { removeFolder } from "../../store/temp_store.ts";
import { assertAdvice, makeStore, runOn } from "./outage.ts";
import { mountSmallDisk, ran } from "./small_disk.ts";

/** Nobody's, and not root's. */
const stranger = 65_534;

const cases: readonly {
  readonly name: string;
  /** Spoils a store that was stopped. */
  readonly spoil: (path: string, folder: string) => Promise<void>;
  readonly advice: RegExp;
  /** The user of the programs; root may write everything. */
  readonly user?: number;
}[] = [
  {
    name: "gone, though it was there",
    spoil: (path) => Deno.remove(path),
    advice: /missing or empty\. Restore it from a backup/,
  },
  {
    name: "emptied",
    spoil: (path) => Deno.truncate(path, 0),
    advice: /missing or empty\. Restore it from a backup/,
  },
  {
    name: "cut in half",
    spoil: async (path) =>
      Deno.truncate(path, Math.floor((await Deno.stat(path)).size / 8_192) * 4_096),
    advice: /damaged.*restore a backup/,
  },
  {
    name: "garbage",
    spoil: (path) => Deno.writeFile(path, crypto.getRandomValues(new Uint8Array(65_536))),
    advice: /damaged.*restore a backup/,
  },
  {
    name: "a text",
    spoil: (path) => Deno.writeTextFile(path, "These are not the rows.\n".repeat(1_000)),
    advice: /damaged, or is not a store.*restore a backup/,
  },
  {
    name: "a folder",
    spoil: async (path) => {
      await Deno.remove(path);
      await Deno.mkdir(path);
    },
    advice: /Is a directory.*TESSERA_KV names a file/,
  },
  {
    name: "not readable by the gateway's user",
    spoil: async (path, folder) => {
      await Deno.chown(folder, stranger, stranger);
      await Deno.chown(`${path}.lock`, stranger, stranger);
      await Deno.chmod(path, 0o600);
    },
    user: stranger,
    advice: /read-only\. Make both writable/,
  },
  {
    name: "only readable by the gateway's user",
    spoil: async (path, folder) => {
      await Deno.chown(folder, stranger, stranger);
      await Deno.chown(`${path}.lock`, stranger, stranger);
      await Deno.chmod(path, 0o644);
    },
    user: stranger,
    advice: /read-only\. Make both writable/,
  },
  {
    name: "in a folder that the gateway's user may not write",
    spoil: async (path, folder) => {
      await Deno.chown(path, stranger, stranger);
      await Deno.chmod(folder, 0o755);
    },
    user: stranger,
    advice: /read-only\. Make both writable/,
  },
];

for (const { name, spoil, advice, user } of cases) {
  Deno.test(`a store file that is ${name}: a start and an audit end with one line and exit code 1`, async () => {
    const why = user === undefined ? undefined : await ran("setpriv", [`--reuid=${user}`, "true"]);
    if (why !== undefined) return console.log(`skipped: cannot be another user here: ${why}`);
    const folder = await Deno.makeTempDir({ dir: "/tmp" });
    const path = `${folder}/tessera.db`;
    await makeStore(path);
    await spoil(path, folder);
    assertAdvice(await runOn(path, "main.ts", user), path, advice);
    assertAdvice(await runOn(path, "tools/audit.ts", user), path, advice);
    await removeFolder(folder);
  });
}

Deno.test("a store on a disk that is mounted read-only: a start and an audit end with one line and exit code 1", async () => {
  await using disk = await mountSmallDisk(12);
  if (!disk) return;
  const path = `${disk.path}/tessera.db`;
  await makeStore(path);
  assertEquals(await ran("mount", ["-o", "remount,ro", disk.path]), undefined);
  assertAdvice(await runOn(path, "main.ts"), path, /read-only\. Make both writable/);
  assertAdvice(await runOn(path, "tools/audit.ts"), path, /read-only\. Make both writable/);
});
