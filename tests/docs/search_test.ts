import { assertNotEquals, assertRejects } from "@std/assert";
import { searchDocs } from "../../lib/docs/mod.ts";

Deno.test("docs: a search after one that could not read the documents builds the index again", async () => {
  const { readTextFile } = Deno;
  Deno.readTextFile = () => Promise.reject(new Error("Too many open files"));
  try {
    await assertRejects(() => searchDocs("budget"), Error, "Too many open files");
  } finally {
    Deno.readTextFile = readTextFile;
  }
  assertNotEquals(await searchDocs("budget"), []);
});
