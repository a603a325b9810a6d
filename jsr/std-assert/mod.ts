/**
 * Stand-in for `@std/assert`: the assertions that our tests use, with the real signatures.
 * `jsr/README.md` says why it exists and how to drop it.
 */
export {
  assert,
  assertAlmostEquals,
  assertInstanceOf,
  assertLess,
  assertMatch,
  assertStringIncludes,
} from "./assertions.ts";
export { assertEquals, assertNotEquals, assertStrictEquals } from "./equality.ts";
export { assertRejects, assertThrows } from "./throwing.ts";
