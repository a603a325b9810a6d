import { assertEquals } from "@std/assert";
import { stringEndInBytes, valuePartEnd } from "../../lib/json/tokens.ts";

/** The ends of strings and values in bytes, around the length from which a native search continues. */

const encoder = new TextEncoder();

/** Endings of a string, and the distance from its text to its end. */
const endings = [
  { title: "a quote", text: '"', after: 1 },
  { title: "an escaped quote", text: '\\""', after: 3 },
  { title: "an escaped backslash", text: '\\\\"', after: 3 },
  { title: "three backslashes before a quote", text: '\\\\\\""', after: 5 },
  { title: "nothing", text: "", after: 1 },
  { title: "a backslash", text: "\\", after: 3 },
];

for (const { title, text, after } of endings) {
  Deno.test(`stringEndInBytes finds the end of a string of any length that ends with ${title}`, () => {
    for (let length = 0; length < 200; length++) {
      const bytes = encoder.encode(`"${"x".repeat(length)}${text}`);
      assertEquals(stringEndInBytes(bytes, 1), 1 + length + after, `length ${length}`);
    }
  });
}

Deno.test("valuePartEnd skips brackets and quotes within long strings", () => {
  const value = { a: ["]}".repeat(1_000), { b: '\\"}'.repeat(1_000) }], c: {} };
  const bytes = encoder.encode(`[${JSON.stringify(value)},1]`);
  assertEquals(valuePartEnd(bytes, 1), bytes.length - 3);
  assertEquals(valuePartEnd(bytes, bytes.length - 2), bytes.length - 1);
});

Deno.test("valuePartEnd ends at the end of unterminated objects, and beyond that of strings", () => {
  const open = encoder.encode('{"a":[1,2');
  assertEquals(valuePartEnd(open, 0), open.length);
  const string = encoder.encode('{"a":"words');
  assertEquals(valuePartEnd(string, 0) > string.length, true);
});
