import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ArchiveError, openPlace } from "../../lib/archive/mod.ts";
import { withTempFolder } from "../store/temp_store.ts";

const file = { bytes: new TextEncoder().encode("some bytes"), sha256: "" };

Deno.test("folder: a file is there as a whole, private, and without leftovers", () =>
  withTempFolder(async (folder) => {
    const place = openPlace({ type: "folder", path: `${folder}/new/archive` });
    await place.put("2026/11/21/0001.jsonl.gz", file);
    assertEquals(await place.get("2026/11/21/0001.jsonl.gz"), file.bytes);
    const path = `${folder}/new/archive/2026/11/21`;
    assertEquals([...Deno.readDirSync(path)].map(({ name }) => name), ["0001.jsonl.gz"]);
    assertEquals((await Deno.stat(`${path}/0001.jsonl.gz`)).mode! & 0o777, 0o600);
    await Deno.writeTextFile(`${path}/0001.jsonl.gz.tmp`, "half of");
    await place.remove("2026/11/21/0001.jsonl.gz");
    await place.remove("2026/11/21/0001.jsonl.gz");
    assertEquals([...Deno.readDirSync(path)], []);
  }));

Deno.test("folder: failures name the file", () =>
  withTempFolder(async (folder) => {
    const place = openPlace({ type: "folder", path: `${folder}/taken` });
    await Deno.writeTextFile(`${folder}/taken`, "a file, no folder");
    for (const act of [() => place.put("a/b", file), () => place.get("a/b")]) {
      const { message } = await assertRejects(act, ArchiveError);
      assertStringIncludes(message, "a/b in the log's archive: ");
    }
  }));
