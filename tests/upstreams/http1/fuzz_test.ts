import { assertEquals } from "@std/assert";
import { fuzz } from "./fuzz.ts";
import { strictness } from "./fuzz_differences.ts";

/** `deno task fuzz:http 1000000` compares more. */
const count = 4_000;

Deno.test("http1: answers, whole, cut and broken, are read as fetch reads them, or refused by a named rule", async () => {
  const { answers, allowed, differences } = await fuzz({ count, seed: 7 });
  assertEquals(differences, []);
  assertEquals(answers, count);
  const known = new Set(strictness.map(({ name }) => name));
  assertEquals(Object.keys(allowed).filter((name) => !known.has(name)), []);
});
