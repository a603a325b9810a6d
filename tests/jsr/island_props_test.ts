import { assertEquals, assertThrows } from "@std/assert";
import * as fc from "fast-check";
import { h } from "preact";
import { serialize } from "../../jsr/fresh/islands/serialize.ts";

Deno.test("island props: JSON survives, whatever it is", () => {
  fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
    assertEquals(JSON.parse(serialize(value)), value);
  }));
});

Deno.test("island props: an absent prop may be undefined", () => {
  assertEquals(serialize({ a: undefined, b: 1 }), `{"b":1}`);
});

for (
  const value of [() => 1, Symbol("x"), 1n, NaN, new Date(0), new Map(), h("b", null)]
) {
  Deno.test(`island props: no ${Object.prototype.toString.call(value)} ${String(value)}`, () => {
    assertThrows(() => serialize({ value }), Error, "Serializing");
  });
}
