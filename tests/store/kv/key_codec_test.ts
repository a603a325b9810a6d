import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { compareKeys, decodeKey, encodeKey } from "../../../lib/store/kv/key_codec.ts";
import { withTempFolder } from "../temp_store.ts";

const part = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
  fc.bigInt({ min: -300n, max: 300n }),
  fc.boolean(),
  fc.uint8Array({ maxLength: 20 }),
);

Deno.test("the keys are read, written and ordered as Deno KV does", async () => {
  await withTempFolder(async (folder) => {
    const path = `${folder}/kv.db`;
    const keys = fc.sample(fc.array(part, { minLength: 1, maxLength: 4 }), 500);
    const written = [...keys, [""], ["\ufeffa"], ["a\0b", new Uint8Array([0, 0xff, 0])], [
      0n,
      -0,
      NaN,
      -Infinity,
    ]];
    using kv = await Deno.openKv(path);
    for (const [at, key] of written.entries()) await kv.set([...key, at], 1);
    const listed = (await Array.fromAsync(kv.list({ prefix: [] }))).map(({ key }) => key);
    const database = new DatabaseSync(path, { readOnly: true });
    const found = database.prepare("SELECT k FROM kv ORDER BY k").all();
    database.close();
    assertEquals(found.length, written.length);
    assertEquals(found.map(({ k }) => decodeKey(k as Uint8Array)), listed as Deno.KvKeyPart[][]);
    assertEquals(listed.map(encodeKey), found.map(({ k }) => new Uint8Array(k as Uint8Array)));
    assertEquals(listed.toReversed().sort(compareKeys), listed);
  });
});

Deno.test("encodeKey: reads back as the same texts", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (key) => {
      assertEquals(decodeKey(encodeKey(key)), key);
    }),
    { examples: [[["\ufeffgpt", "gpt"]]] },
  );
});

for (const bytes of [[0x02, 0x61], [0x02, 0xff, 0], [0x05], [0xff]]) {
  Deno.test(`decodeKey: refuses ${bytes}`, () => {
    assertThrows(() => decodeKey(Uint8Array.from(bytes)), TypeError);
  });
}
