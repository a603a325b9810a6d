import * as asserts from "@std/assert";

// The assertions judge all other tests, so they are judged here without themselves.

class Box {
  constructor(readonly value: number) {}
}

const cycle = () => {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
};

const pairs: readonly { name: string; a: unknown; b: unknown; equal: boolean }[] = [
  { name: "zero and minus zero", a: 0, b: -0, equal: true },
  { name: "not a number", a: NaN, b: NaN, equal: true },
  { name: "a number and its text", a: 1, b: "1", equal: false },
  { name: "null and undefined", a: null, b: undefined, equal: false },
  { name: "keys in another order", a: { a: 1, b: 2 }, b: { b: 2, a: 1 }, equal: true },
  { name: "an undefined key and none", a: { a: undefined }, b: {}, equal: false },
  {
    name: "another key of the same number",
    a: { a: undefined },
    b: { b: undefined },
    equal: false,
  },
  { name: "a class and a plain object", a: new Box(1), b: { value: 1 }, equal: false },
  { name: "with and without a prototype", a: Object.create(null), b: {}, equal: true },
  { name: "deep lists", a: [[1, [2]]], b: [[1, [3]]], equal: false },
  { name: "a longer list", a: [1], b: [1, 2], equal: false },
  { name: "a list and what looks like one", a: [1], b: { 0: 1, length: 1 }, equal: false },
  { name: "dates", a: new Date(1), b: new Date(2), equal: false },
  { name: "addresses", a: new URL("http://a/"), b: new URL("http://b/"), equal: false },
  { name: "patterns", a: /a/g, b: /a/i, equal: false },
  { name: "bytes", a: new Uint8Array([1, 2]), b: new Uint8Array([1, 3]), equal: false },
  { name: "equal bytes", a: new Uint8Array([1, 2]), b: new Uint8Array([1, 2]), equal: true },
  { name: "bytes of another kind", a: new Uint8Array([1]), b: new Int8Array([1]), equal: false },
  {
    name: "sets in another order",
    a: new Set([1, { a: 2 }]),
    b: new Set([{ a: 2 }, 1]),
    equal: true,
  },
  {
    name: "a member that is there twice",
    a: new Set([{ a: 1 }, { a: 1 }]),
    b: new Set([{ a: 1 }, { a: 2 }]),
    equal: false,
  },
  { name: "sets that only overlap", a: new Set([{ a: 1 }, 2]), b: new Set([2, 3]), equal: false },
  {
    name: "maps with equal keys",
    a: new Map([[{ k: 1 }, 1]]),
    b: new Map([[{ k: 1 }, 1]]),
    equal: true,
  },
  { name: "maps with other values", a: new Map([[1, 1]]), b: new Map([[1, 2]]), equal: false },
  { name: "bigints", a: 1n, b: 2n, equal: false },
  { name: "circles", a: cycle(), b: cycle(), equal: true },
  { name: "symbols as keys", a: { [Symbol.iterator]: 1 }, b: {}, equal: false },
];

for (const { name, a, b, equal } of pairs) {
  Deno.test(`equal: ${name}`, () => {
    for (const [left, right] of [[a, b], [b, a]]) {
      expect(throws(() => asserts.assertEquals(left, right)) === !equal, "assertEquals");
      expect(throws(() => asserts.assertNotEquals(left, right)) === equal, "assertNotEquals");
    }
  });
}

const rejected = () => Promise.reject(new TypeError("no way"));
const thrown = () => {
  throw new TypeError("no way");
};

const verdicts: readonly { name: string; passes: () => unknown; fails: () => unknown }[] = [
  { name: "assert", passes: () => asserts.assert(1), fails: () => asserts.assert("") },
  {
    name: "assertStrictEquals",
    passes: () => asserts.assertStrictEquals(NaN, NaN),
    fails: () => asserts.assertStrictEquals(0, -0),
  },
  {
    name: "assertMatch",
    passes: () => asserts.assertMatch("ab", /b/),
    fails: () => asserts.assertMatch("a", /b/),
  },
  {
    name: "assertStringIncludes",
    passes: () => asserts.assertStringIncludes("ab", "b"),
    fails: () => asserts.assertStringIncludes("a", "b"),
  },
  {
    name: "assertThrows, the class",
    passes: () => asserts.assertThrows(thrown, Error),
    fails: () => asserts.assertThrows(thrown, RangeError),
  },
  {
    name: "assertThrows, the message",
    passes: () => asserts.assertThrows(thrown, TypeError, "way"),
    fails: () => asserts.assertThrows(thrown, TypeError, "other"),
  },
  {
    name: "assertRejects, the class",
    passes: () => asserts.assertRejects(rejected, TypeError, "way"),
    fails: () => asserts.assertRejects(rejected, RangeError),
  },
  {
    name: "assertRejects, a throw is no rejection",
    passes: () => asserts.assertRejects(rejected),
    fails: () => asserts.assertRejects(thrown),
  },
  {
    name: "assertRejects, a value is no rejection",
    passes: () => asserts.assertRejects(rejected),
    fails: () => asserts.assertRejects(() => Promise.resolve(1)),
  },
  {
    name: "assertInstanceOf",
    passes: () => asserts.assertInstanceOf(new Date(), Date),
    fails: () => asserts.assertInstanceOf({}, Date),
  },
  {
    name: "assertAlmostEquals",
    passes: () => asserts.assertAlmostEquals(1, 1 + 1e-8),
    fails: () => asserts.assertAlmostEquals(1, 1.1),
  },
  {
    name: "assertLess",
    passes: () => asserts.assertLess(1, 2),
    fails: () => asserts.assertLess(1, 1),
  },
];

for (const { name, passes, fails } of verdicts) {
  Deno.test(`verdict: ${name}`, async () => {
    await passes();
    const error = await caught(fails);
    expect(
      error instanceof Error && error.name === "AssertionError",
      `${name} should fail, but: ${error}`,
    );
  });
}

Deno.test("difference: only the lines that differ are marked", () => {
  const actual = { a: 1, list: [1, 2, 3], z: "same" };
  const error = caughtNow(() => asserts.assertEquals(actual, { ...actual, list: [1, 3] }, "note"));
  const expected = [
    "Values are not equal: note",
    "",
    "",
    "    [Diff] Actual / Expected",
    "",
    "",
    "    {",
    "      a: 1,",
    "      list: [",
    "        1,",
    "-       2,",
    "        3,",
    "      ],",
    '      z: "same",',
    "    }",
    "",
  ].join("\n");
  expect(error?.message === expected, error?.message ?? "nothing thrown");
});

Deno.test("difference: large values end in a message, not in a stop", () => {
  const [a, b] = [0, 1].map((offset) => Array.from({ length: 5_000 }, (_, i) => 2 * i + offset));
  const error = caughtNow(() => asserts.assertEquals(a, b));
  expect(error?.message.includes("-     9998,") ?? false, "the actual lines are shown");
});

function expect(holds: boolean, message: string): void {
  if (!holds) throw new Error(message);
}

function throws(run: () => void): boolean {
  return caughtNow(run) !== null;
}

function caughtNow(run: () => void): Error | null {
  try {
    run();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function caught(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return null;
  } catch (error) {
    return error;
  }
}
