import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { JsonValue } from "../../lib/canonical/mod.ts";
import { isLong, longJson } from "../../lib/json/long_json.ts";
import { Pace } from "../../lib/pace.ts";

Deno.test("longJson writes what JSON.stringify writes", async () => {
  const pad = fc.integer({ min: 0, max: 300_000 }).map((length) => 'a\n😀é"'.repeat(length / 4));
  const json = fc.letrec<{ any: JsonValue }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      pad,
      fc.double().filter(Number.isFinite),
      fc.constantFrom(null, true, "\ud83d"),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 5 }), tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      assert(await writtenOf(value) === JSON.stringify(value));
    }),
    { numRuns: 60 },
  );
});

Deno.test("longJson leaves out absent members, as JSON.stringify does", async () => {
  const value = {
    a: undefined,
    b: ["x".repeat(200_000), undefined],
    c: {},
  } as unknown as JsonValue; // sound: members of typed objects may be absent
  assertEquals(await writtenOf(value), JSON.stringify(value));
});

Deno.test("isLong counts texts and values up to its bound", () => {
  assert(!isLong({ a: "x".repeat(500_000) }));
  assert(isLong({ a: ["x".repeat(600_000), "x".repeat(600_000)] }));
  assert(isLong(Array(100_000).fill(0)));
});

async function writtenOf(value: JsonValue): Promise<string> {
  return new TextDecoder().decode(await longJson(value, new Pace()));
}
