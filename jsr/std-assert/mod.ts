/**
 * Stand-in for `@std/assert`: the assertions that our tests use, with the real signatures.
 * `jsr/README.md` says why it exists and how to drop it.
 */
export { AssertionError } from "./assertion_error.ts";
export {
  assertArrayIncludes,
  assertMatch,
  assertNotMatch,
  assertObjectMatch,
  assertStringIncludes,
} from "./contents.ts";
export { equal } from "./equal.ts";
export {
  assertEquals,
  assertNotEquals,
  assertNotStrictEquals,
  assertStrictEquals,
} from "./equality.ts";
export { type AnyConstructor, assertInstanceOf, assertNotInstanceOf } from "./instance.ts";
export {
  assertAlmostEquals,
  assertGreater,
  assertGreaterOrEqual,
  assertLess,
  assertLessOrEqual,
} from "./order.ts";
export { assertRejects, assertThrows } from "./throwing.ts";
export {
  assert,
  assertExists,
  assertFalse,
  fail,
  type Falsy,
  unimplemented,
  unreachable,
} from "./truth.ts";
