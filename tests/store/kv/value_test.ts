import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { StoreError } from "../../../lib/store/mod.ts";
import { decodeValue, encodeValue, isEncoded } from "../../../lib/store/kv/value.ts";
import { keys } from "../../../lib/store/keys.ts";
import { getGroup, listGroups } from "../../../lib/store/catalog/mod.ts";
import { createGroup } from "../../../lib/store/catalog/mod.ts";
import { sampleGroup } from "../samples.ts";
import { withTempStore } from "../temp_store.ts";

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.string().map((text) => `~${text}`),
    fc.bigInt(),
    fc.double().filter((number) => !Object.is(number, -0)),
    fc.constantFrom(null, true, false, Infinity, NaN, "~", "\ud800"),
    fc.uint8Array(),
    fc.array(tie("value")),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "~n1", "1")), tie("value"), {
      noNullPrototype: true,
    }),
  ),
})).value;

Deno.test("encodeValue: decodeValue returns every value as it was", () => {
  fc.assert(
    fc.property(values, (value) => {
      const bytes = encodeValue(value);
      assertEquals(isEncoded(bytes), true);
      assertEquals(decodeValue(bytes), value);
    }),
    { numRuns: 500 },
  );
});

Deno.test("encodeValue leaves undefined members out", () => {
  assertEquals(decodeValue(encodeValue({ a: undefined, b: { c: undefined } })), { b: {} });
});

Deno.test("encodeValue refuses what it cannot restore", () => {
  for (const value of [new Map(), new Set(), new Date(), undefined, () => {}, Symbol("a")]) {
    assertThrows(() => encodeValue(value), TypeError, "Cannot store");
  }
});

Deno.test("encodeValue writes a chunk of 60,000 sealed bytes into less than one value", () => {
  const sealed = crypto.getRandomValues(new Uint8Array(60_000));
  const bytes = encodeValue({ sealed });
  assertEquals(bytes.length < 60_100, true);
  assertEquals(decodeValue(bytes), { sealed });
});

for (
  const { what, bytes, words } of [
    { what: "a later encoding", bytes: [0xfe, 9, 0x7b, 0x7d], words: "version 9" },
    { what: "damaged bytes", bytes: [0xfe, 1, 0x7b], words: "damaged" },
    { what: "an unknown escape", bytes: [0xfe, 1, 0x22, 0x7e, 0x78, 0x22], words: "damaged" },
  ]
) {
  Deno.test(`a value in ${what} is refused in one line and ends no list`, () =>
    withTempStore(async (store, path) => {
      await createGroup(store, sampleGroup());
      await createGroup(store, sampleGroup({ id: "another" }));
      using kv = await Deno.openKv(path);
      await kv.set(keys.group("team"), Uint8Array.from(bytes));
      for (const read of [() => getGroup(store, "team"), () => listGroups(store)]) {
        const error = await read().catch((error) => error);
        assertEquals([error instanceof StoreError, error.code], [true, "unreadable"]);
        assertEquals([error.message.includes(words), error.message.includes("\n")], [true, false]);
      }
      const listed = await Array.fromAsync(store.kv.list({ prefix: keys.groups }));
      assertEquals(listed.map(({ key }) => key), [keys.group("another"), keys.group("team")]);
      assertEquals(await getGroup(store, "another"), sampleGroup({ id: "another" }));
    }));
}
