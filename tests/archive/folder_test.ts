import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ArchiveError, openPlace } from "../../lib/archive/mod.ts";
import { permissionFlags } from "../../tools/start_arguments.ts";
import { withTempFolder } from "../store/temp_store.ts";

const program = new URL("putting.ts", import.meta.url).pathname;
const file = { bytes: new TextEncoder().encode("some bytes"), sha256: "" };

Deno.test("folder: a file is there as a whole, private, and without leftovers", () =>
  withTempFolder(async (folder) => {
    const place = openPlace({ type: "folder", path: `${folder}/new/archive` });
    await place.put("2026/11/21/0001-5e0c3f9a.jsonl.gz", file);
    assertEquals(await place.get("2026/11/21/0001-5e0c3f9a.jsonl.gz"), file.bytes);
    const path = `${folder}/new/archive/2026/11/21`;
    assertEquals([...Deno.readDirSync(path)].map(({ name }) => name), ["0001-5e0c3f9a.jsonl.gz"]);
    assertEquals((await Deno.stat(`${path}/0001-5e0c3f9a.jsonl.gz`)).mode! & 0o777, 0o600);
    await Deno.writeTextFile(`${path}/0001-5e0c3f9a.jsonl.gz.tmp`, "half of");
    await place.remove("2026/11/21/0001-5e0c3f9a.jsonl.gz");
    await place.remove("2026/11/21/0001-5e0c3f9a.jsonl.gz");
    assertEquals([...Deno.readDirSync(path)], []);
  }));

for (const folder of ["archive", "archive/", "./archive//", "{temp}/archive/"]) {
  Deno.test(`folder: ${folder} can be written with the permissions of the tasks`, () =>
    withTempFolder(async (temp) => {
      const path = folder.replace("{temp}", temp);
      await Deno.writeTextFile(`${temp}/t.json`, JSON.stringify({ logArchive: { folder: path } }));
      const env = { TESSERA_CONFIG: `${temp}/t.json`, TESSERA_KV: `${temp}/data/tessera.db` };
      const flags = permissionFlags(env).map((flag) =>
        flag.replace("--allow-read=.,", `--allow-read=${Deno.cwd()},`)
      );
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", ...flags, program, path],
        cwd: temp,
      }).output();
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      assertEquals(await Deno.readTextFile(`${temp}/archive/2026/11/21/file`), "some bytes");
    }));
}

Deno.test("folder: failures name the file", () =>
  withTempFolder(async (folder) => {
    const place = openPlace({ type: "folder", path: `${folder}/taken` });
    await Deno.writeTextFile(`${folder}/taken`, "a file, no folder");
    for (const act of [() => place.put("a/b", file), () => place.get("a/b")]) {
      const { message } = await assertRejects(act, ArchiveError);
      assertStringIncludes(message, "a/b in the log's archive: ");
    }
  }));
