import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { lenientText, strictText } from "../../lib/bytes.ts";

const lenient = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Long and short, of bytes that are text in every script, or no text at all. */
const texts = fc.tuple(fc.string({ unit: "grapheme" }), fc.constantFrom(1, 40, 2_000)).map(
  ([text, times]) => new TextEncoder().encode(text.repeat(times)),
);
const broken = fc.tuple(texts, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 4 })).map(
  ([bytes, place, wrong]) => {
    const at = place % (bytes.length + 1);
    return new Uint8Array([...bytes.subarray(0, at), ...wrong, ...bytes.subarray(at)]);
  },
);

/** The text, or the name of the error. */
function outcome(decode: (bytes: Uint8Array) => string, bytes: Uint8Array): string {
  try {
    return decode(bytes);
  } catch (thrown) {
    return (thrown as Error).name;
  }
}

for (const [name, samples] of Object.entries({ texts, "broken bytes": broken })) {
  Deno.test(`strictText and lenientText decode ${name} as the runtime's decoders do`, () => {
    fc.assert(
      fc.property(samples, (bytes) => {
        assertEquals(lenientText(bytes), lenient.decode(bytes));
        assertEquals(
          outcome(strictText, bytes),
          outcome((all) => strict.decode(all), bytes),
        );
      }),
      { numRuns: 500 },
    );
  });
}

Deno.test("a byte-order mark is kept by strictText only", () => {
  for (const rest of ["a", "é".repeat(1_000)]) {
    const bytes = new TextEncoder().encode(`\ufeff${rest}`);
    assertEquals(strictText(bytes), `\ufeff${rest}`);
    assertEquals(lenientText(bytes), rest);
  }
});

Deno.test("strictText decodes a part of a buffer", () => {
  const bytes = new TextEncoder().encode("é ASCII é");
  assertEquals(strictText(bytes.subarray(3, 8)), "ASCII");
  assertThrows(() => strictText(bytes.subarray(1)), TypeError);
});
