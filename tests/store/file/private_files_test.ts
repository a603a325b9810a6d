import { assertEquals, assertStringIncludes } from "@std/assert";
import { openStore } from "../../../lib/store/mod.ts";
import { withTempFolder } from "../temp_store.ts";

const ignore = Deno.build.os === "windows"; // it has no such modes

async function modesIn(folder: string): Promise<Record<string, string>> {
  const modes: Record<string, string> = { ".": await modeOf(folder) };
  for (const { name } of Deno.readDirSync(folder)) modes[name] = await modeOf(`${folder}/${name}`);
  return modes;
}

async function modeOf(path: string): Promise<string> {
  return (((await Deno.stat(path)).mode ?? 0) & 0o777).toString(8);
}

/** A store is opened, written to and looked at while it is open. */
async function opened(folder: string): Promise<{
  readonly modes: Record<string, string>;
  readonly notices: readonly string[];
}> {
  const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
  await store.kv.set(["a"], 1);
  const modes = await modesIn(folder);
  store.close();
  return { modes, notices: store.notices };
}

const ours = {
  ".": "700",
  "tessera.db": "600",
  "tessera.db-wal": "600",
  "tessera.db-shm": "600",
  "tessera.db.lock": "600",
  "tessera.db.write-lock": "600",
  secret: "600",
};

Deno.test({
  name: "openStore makes its folder and files for their owner alone",
  ignore,
  fn: () =>
    withTempFolder(async (folder) => {
      assertEquals(await opened(`${folder}/data`), { modes: ours, notices: [] });
    }),
});

Deno.test({
  name: "openStore takes others' rights from the files and the folder of a former release",
  ignore,
  fn: () =>
    withTempFolder(async (folder) => {
      const data = `${folder}/data`;
      await opened(data);
      await Deno.chmod(data, 0o755);
      for (const { name } of Deno.readDirSync(data)) await Deno.chmod(`${data}/${name}`, 0o664);
      assertEquals(await opened(data), { modes: ours, notices: [] });
    }),
});

Deno.test({
  name: "openStore leaves a folder with other files as it is, and says so",
  ignore,
  fn: () =>
    withTempFolder(async (folder) => {
      await Deno.chmod(folder, 0o755);
      await Deno.writeTextFile(`${folder}/notes.txt`, "", { mode: 0o644 });
      const { modes, notices } = await opened(folder);
      assertEquals(modes, { ...ours, ".": "755", "notes.txt": "644" });
      assertEquals(notices.length, 1);
      assertStringIncludes(notices[0], folder);
      assertStringIncludes(notices[0], "755");
    }),
});
