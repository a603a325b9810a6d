import { computed, Signal, signal } from "@preact/signals";
import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { h } from "preact";
import { revive } from "../../jsr/fresh/islands/revive.ts";
import { serialize } from "../../jsr/fresh/islands/serialize.ts";

const trip = (value: unknown): unknown => revive(serialize(value));

Deno.test("island props: plain data survives, whatever it is", () => {
  const data = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
  });
  fc.assert(fc.property(data, (value) => assertEquals(trip(value), value)));
});

Deno.test("island props: minus zero, bytes, addresses and patterns", () => {
  assert(Object.is(trip(-0), -0));
  for (const value of [new Uint8Array([1, 2, 255]), new URL("http://x.test/"), /a\/b/gi]) {
    assertEquals<unknown>(trip(value), value);
  }
});

Deno.test("island props: what was shared or circular stays so", () => {
  const shared = { list: [1] };
  const [a, b] = trip([shared, shared]) as [unknown, unknown];
  assertStrictEquals(a, b);
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const revived = trip(circle) as typeof circle;
  assertStrictEquals(revived.self, revived);
});

Deno.test("island props: one signal in two islands is one", () => {
  const count = signal(1);
  const [a, b] = trip([{ count }, { count }]) as { count: Signal<number> }[];
  a.count.value = 2;
  assertEquals(b.count.value, 2);
});

Deno.test("island props: a computed value arrives frozen", () => {
  const revived = trip(computed(() => 4));
  assertInstanceOf(revived, Signal);
  assertEquals(revived.value, 4);
  assertThrows(() => {
    revived.value = 5;
  });
});

for (
  const [name, value] of Object.entries({
    function: () => 1,
    symbol: Symbol("x"),
    JSX: h("b", null),
  })
) {
  Deno.test(`island props: no ${name}`, () => {
    assertThrows(() => serialize({ value }), Error, `Serializing ${name}`.slice(0, 15));
  });
}
