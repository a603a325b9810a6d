import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../lib/canonical/mod.ts";
import { checkJson } from "../../lib/json/check.ts";
import { findIn, isListIn, surelyLacks, withOwnMember } from "../../lib/json/late_member.ts";
import { lateObject } from "../../lib/json/late_object.ts";
import { searchedText } from "../../lib/json/read_text.ts";
import { parsedTexts } from "../parsed_texts.ts";

const mebibyte = 1024 * 1024;
const bounds = {
  nestingMax: 100,
  containersMax: 100_000,
  membersMax: 250_000,
  valuesMax: 500_000,
  weightMax: mebibyte,
};
const bytesOf = (text: string) => new TextEncoder().encode(text);
const checked = (text: string, within = bounds) => checkJson(bytesOf(text), within);
const read = (text: string) => lateObject(bytesOf(text), bounds);

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const values = [
  "0",
  "-0",
  "1.5e+10",
  "-12.25E-3",
  "7e0",
  "true",
  "false",
  "null",
  '""',
  "[]",
  "{}",
];
const strings = [
  '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD800"',
  '"é 日本 \u{1f600}"',
  `"${"long ".repeat(9)}"`,
];
const malformed = [
  ..."01 1. .5 +1 1e 1e+ --1 - 0x1 1_0 NaN Infinity tru True nulll undefined 'a' a /**/1 1//".split(
    " ",
  ),
  ...'[1,] [,1] [1} [1 1] {] {"a"} {"a":} {"a":1,} {,} {1:2} {"a":1,,"b":2} {a:1} , :'.split(" "),
  ...'" "a "\\" "\\x41" "\\u12g4" "\\u123" "\\U0041"'.split(" "),
  "1 2",
  "[1 2]",
  '{"a" 1}',
  '{"a":1 "b":2}',
  '"a\nb"',
  '"a\tb"',
  '"\u0000"',
  '"\u001f"',
  "\u00a0",
  "\ufeff1",
  "\v",
  "\f",
];

for (const value of [...values, ...strings]) {
  Deno.test(`checkJson accepts ${value.slice(0, 40)} as a member`, () => {
    for (const text of [`{"a":${value}}`, ` {\t"a"\r:\n${value} ,"b":[${value}, ${value}]} `]) {
      assert(isParsed(text));
      assertNotEquals(checked(text), undefined, text);
    }
  });
}

for (const value of malformed) {
  Deno.test(`checkJson is not sure of ${JSON.stringify(value)}`, () => {
    for (const text of [`{"a":${value}}`, `{"a":[${value}],"b":1}`, `{"a":1}${value}`]) {
      assert(!isParsed(text), text);
      assertEquals(checked(text), undefined, text);
    }
  });
}

Deno.test("checkJson is sure only of an object", () => {
  for (const text of ["", " ", "[]", '"{}"', "1", "null", "{", "}", "{}{}", "{} x"]) {
    assertEquals(checked(text), undefined, text);
  }
});

Deno.test("checkJson is not sure of JSON beyond its bounds", () => {
  const deep = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  assertNotEquals(checked(deep(100)), undefined);
  assertEquals(checked(deep(101)), undefined);
  assertEquals(checked(deep(100_000), { ...bounds, nestingMax: Infinity }), undefined);
  const members = '{"a":1,"b":{"c":[2]}}';
  assertNotEquals(checked(members, { ...bounds, membersMax: 3, containersMax: 3 }), undefined);
  assertEquals(checked(members, { ...bounds, membersMax: 2 }), undefined);
  assertEquals(checked(members, { ...bounds, containersMax: 2 }), undefined);
  assertEquals(checked(members, { ...bounds, valuesMax: 0 }), undefined);
});

/** JSON texts as clients write them: spaced, indented, with ASCII escapes. */
const texts = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 2 })).map(
  ([value, space]) =>
    `{"a":${JSON.stringify(value, undefined, space)},"b":[${JSON.stringify(value)}]}`,
);

for (const value of ["1,", '"x",']) {
  Deno.test(`checkJson ends where ${value} repeated for 60 MB is too much`, () => {
    const endless = bytesOf(`{"a":[${value.repeat(60 * mebibyte / value.length)}0]}`);
    const msWithin = (weightMax: number, isSure: boolean) => {
      const startedAt = performance.now();
      assertEquals(
        checkJson(endless, { ...bounds, valuesMax: Infinity, weightMax }) !== undefined,
        isSure,
      );
      return performance.now() - startedAt;
    };
    const wholeMs = msWithin(Infinity, true);
    assert(msWithin(8 * mebibyte, false) < wholeMs / 2);
  });
}

Deno.test("checkJson accepts what JSON.parse accepts", () => {
  fc.assert(fc.property(texts, (text) => checked(text) !== undefined), { numRuns: 3_000 });
});

Deno.test("checkJson never accepts what JSON.parse refuses, wherever a text is broken", () => {
  const broken = fc.tuple(
    texts,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom(...'{}[]",:\\0-+.eEu \n\u0001tx'),
  ).map(
    ([text, place, cut, added]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + added + text.slice(at + cut);
    },
  );
  const isSound = (text: string) =>
    (checked(text) !== undefined) === (isParsed(text) && text.trimStart().startsWith("{"));
  fc.assert(fc.property(broken, isSound), { numRuns: 3_000 });
});

const turn = { role: "user", content: 'a "quoted" \\ [text], {with} é 日本 and more of it' };
const turns = Array.from({ length: 100 }, (_, at) => ({ ...turn, at }));

Deno.test("lateObject reads the same as JSON.parse", () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  fc.assert(
    fc.property(members, fc.integer({ min: 0, max: 1 }), (others, space) => {
      const text = JSON.stringify({ ...others, turns, tools: { turns } }, undefined, space);
      const late = read(text);
      assert(late);
      assertEquals({ ...late.body }, JSON.parse(text));
      assertEquals(JSON.stringify(late.body), JSON.stringify(JSON.parse(text)));
      assertEquals([late.text, late.repeats], [text, false]);
    }),
    { numRuns: 200 },
  );
});

Deno.test("lateObject takes names as JSON.parse does", () => {
  const text = `{"__proto__":${JSON.stringify(turns)},"a\\u0062":${JSON.stringify(turns)},"":1}`;
  const body = read(text)?.body ?? {};
  assertEquals(Object.keys(body), ["__proto__", "ab", ""]);
  assertEquals(Object.getPrototypeOf(body), Object.prototype);
  assertEquals(body.ab, turns as unknown as JsonObject[]);
});

Deno.test("lateObject leaves repeated members, short, long and complex bodies to others", () => {
  const long = JSON.stringify(turns);
  assertEquals(read(`{"a":${long},"a":1}`), undefined);
  assertEquals(read(`{"b":1,"a":${long},"\\u0062":2}`), undefined);
  assertEquals(read(`{"a":[]}`), undefined);
  assertEquals(read(`{"a":"${"x".repeat(5_000)}"}`), undefined, "nothing in it is worth it");
  const numbers = (bytes: number) => `{"a":[${"12,".repeat(bytes / 3)}0]}`;
  assertNotEquals(read(numbers(mebibyte - 100)), undefined);
  assertEquals(read(numbers(mebibyte)), undefined, "it is parsed in pieces");
  assertEquals(read(`{"a":[${"[],".repeat(99_000)}[]]}`), undefined, "so is this");
  const picture = (bytes: number) => `{"a":["${"x".repeat(bytes)}"]}`;
  assertNotEquals(read(picture(8 * mebibyte - 1_000)), undefined, "a long string costs less");
  assertEquals(read(picture(8 * mebibyte)), undefined);
  assertEquals(read(`{"a":["${"\\n".repeat(mebibyte)}"]}`), undefined, "escapes cost more");
  assertEquals(read(`{"${"a".repeat(100)}":${long}}`), undefined, "no format has such a name");
});

Deno.test("objects with late members share their getters, whatever else was late", () => {
  for (let at = 0; at < 100; at++) late({ [`odd${at}`]: turns });
  const getterOf = () => Object.getOwnPropertyDescriptor(late({ new: turns }), "new")?.get;
  assertNotEquals(getterOf(), undefined);
  assert(getterOf() === getterOf(), "V8 keeps each until a full collection");
});

Deno.test("lateObject throws for what is not UTF-8", () => {
  const bytes = bytesOf(JSON.stringify({ turns }));
  bytes[bytes.indexOf(0x61, 100)] = 0xff;
  assertThrows(() => lateObject(bytes, bounds), TypeError);
});

function late(value: object): JsonObject {
  const body = read(JSON.stringify(value))?.body;
  assert(body);
  return body;
}

Deno.test("a late member answers simple questions without being parsed", async () => {
  const body = late({
    list: turns,
    object: { turns },
    mixed: [...turns, 1],
    short: [1],
    none: null,
  });
  const parsed = await parsedTexts(() => {
    const lists = Object.keys(body).concat("absent").filter((name) => isListIn(body, name));
    assertEquals(lists, ["list", "mixed", "short"]);
    const without = (pattern: RegExp) =>
      Object.keys(body).filter((name) => surelyLacks(body, name, pattern));
    assertEquals(without(/quoted|\\u00/), []);
    assertEquals(without(/absent|\\u00/), ["list"], "the others are short, no list, or mixed");
    assertEquals(findIn(body, "list", () => true), turns[0]);
    assertEquals(findIn(body, "absent", () => true), undefined);
  });
  assertEquals(parsed, [JSON.stringify(turns[0])]);
});

Deno.test("a late member is parsed once, also in a copy with another member", async () => {
  const body = late({ list: turns, object: { turns }, short: [1] });
  const parsed = await parsedTexts(() => {
    const copy = withOwnMember(withOwnMember(body, "short", 2), "object", 3);
    assertEquals({ ...copy }, { list: turns, object: 3, short: 2 });
    assertEquals([isListIn(copy, "object"), isListIn(copy, "list")], [false, true]);
    assertEquals({ ...body }, { list: turns, object: { turns }, short: [1] });
    assert(body.list === copy.list);
  });
  assertEquals(parsed.length, 2);
});

Deno.test("a word that is spelled in escapes is not surely absent", () => {
  const body = read(JSON.stringify({ list: turns }).replace("user", "\\u0075ser2"))?.body ?? {};
  assertEquals(surelyLacks(body, "list", /nowhere|\\u00/), false);
});

const empty = " \n".repeat(3_000);
const hostileLists = {
  "only space": `[${empty}]`,
  "a turn behind space": `[${empty}{"role":"user","content":"a"}${empty}]`,
  "numbers before a turn": `[${"1,".repeat(3_000)}{"role":"user","content":"a"}]`,
  "empty turns": `[${"{},".repeat(3_000)}{"role":"user","content":"a"}]`,
  "brackets and commas in strings": JSON.stringify(['],[}{"\\', "a,]".repeat(2_000), {
    role: "user",
  }]),
  "one turn": JSON.stringify([{ role: "user", content: 'a\\"]},'.repeat(1_000) }]),
};

for (const [name, text] of Object.entries(hostileLists)) {
  Deno.test(`findIn finds what Array.find finds: ${name}`, () => {
    const body = read(`{"list":${text}}`)?.body ?? {};
    const list: JsonValue[] = JSON.parse(text);
    const isObject = (value: JsonValue) => typeof value === "object";
    const isString = (value: JsonValue) => typeof value === "string";
    for (const isWanted of [isObject, isString, () => false]) {
      assertEquals(findIn(body, "list", isWanted), list.find(isWanted));
    }
    assertEquals(surelyLacks(body, "list", /nowhere/), list.every(isObject));
  });
}

Deno.test("findIn takes no longer for a long hostile list than to parse it", async () => {
  const body = read(`{"list":[${"1,".repeat(250_000)}1]}`)?.body ?? {};
  const parsed = await parsedTexts(() =>
    assertEquals(findIn(body, "list", () => false), undefined)
  );
  assert(parsed.length < 12, `${parsed.length} texts`);
});

Deno.test("late object: its outline has all names and short values, and the beginning of long ones", () => {
  const long = (head: string) => head + 'é\\"x'.repeat(600);
  const messages = [
    { role: "user", content: long("data:image/png;base64,") },
    { [long("name")]: "short é", type: "input_audio", text: "a".repeat(510) },
    { content: "b".repeat(511) },
  ];
  const text = JSON.stringify({ model: "m", messages, tail: [long("c"), "after"] });
  const outline = read(text)?.outline ?? "";
  for (const word of ["model", "data:image/png", "name", "short", "input_audio", "after"]) {
    assert(outline.includes(word), word);
  }
  assert(outline.includes("a".repeat(510)) && !outline.includes("b".repeat(65)));
  assert(outline.length < text.length - 5_000);
});

for (const word of ["short é", "short"]) {
  Deno.test(`late object: without long strings, its text is searched (${word})`, () => {
    const text = JSON.stringify({ model: "m", messages: Array(400).fill({ content: word }) });
    const object = read(text);
    assert(object && object.outline === undefined);
    assertEquals(searchedText(object), text);
    assert(!surelyLacks(object.body, "messages", /short/));
    assert(surelyLacks(object.body, "messages", /model/));
  });
}

Deno.test("surelyLacks searches the outline of one member", () => {
  const list = (word: string) => Array(3).fill({ content: `${"é".repeat(600)} word`, [word]: 1 });
  const body = read(JSON.stringify({ a: list("first"), b: list("second"), c: 1 }))?.body ?? {};
  const without = (pattern: RegExp) =>
    ["a", "b"].filter((name) => surelyLacks(body, name, pattern));
  assertEquals(without(/first/), ["b"]);
  assertEquals(without(/"second":1}]$/), ["a"]);
  assertEquals(without(/ word/), ["a", "b"], "which is in prose only");
});
