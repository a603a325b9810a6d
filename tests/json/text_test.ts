import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { AsciiText, type ReadText } from "../../lib/json/read_text.ts";
import { JsonScan } from "../../lib/json/scan.ts";
import {
  isAmbiguous,
  memberText,
  readMemberText,
  withMember,
  withMembers,
  withNewMembers,
  withoutMember,
  withReadMember,
  withReadMembers,
} from "../../lib/json/text.ts";

const cases = [
  {
    name: "replaces a value and nothing else",
    text: '{ "model" : "a" , "n": 1.0 }',
    expected: '{ "model" : "b" , "n": 1.0 }',
  },
  {
    name: "keeps digits that a parser would round",
    text: '{"seed":12345678901234567890,"model":"a"}',
    expected: '{"seed":12345678901234567890,"model":"b"}',
  },
  {
    name: "passes over equal names further inside",
    text: '{"messages":[{"model":"x"}],"model":"a"}',
    expected: '{"messages":[{"model":"x"}],"model":"b"}',
  },
  {
    name: "passes over quotes and braces in strings",
    text: '{"a":"\\"}]{ \\\\","model":"a"}',
    expected: '{"a":"\\"}]{ \\\\","model":"b"}',
  },
  { name: "takes an escaped name", text: '{"mo\\u0064el":"a"}', expected: '{"mo\\u0064el":"b"}' },
  {
    name: "replaces the last of two, which parsers keep",
    text: '{"model":"x","model":"a"}',
    expected: '{"model":"x","model":"b"}',
  },
  {
    name: "replaces an object",
    text: '{"model":{"a":[1,{"b":"}"}]},"x":null}',
    expected: '{"model":"b","x":null}',
  },
  { name: "adds to an empty object", text: " { } ", expected: ' {"model":"b" } ' },
  { name: "adds to an object that lacks it", text: '{"x":1}', expected: '{"model":"b","x":1}' },
  { name: "replaces a number at the end", text: '{"model":12}', expected: '{"model":"b"}' },
];

for (const { name, text, expected } of cases) {
  Deno.test(`withMember ${name}`, () => assertEquals(withMember(text, "model", '"b"'), expected));
}

Deno.test("withMember equals parsing, setting and writing, for any object", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.jsonValue(),
      fc.boolean(),
      (object, name, value, pretty) => {
        const text = JSON.stringify(object, null, pretty ? 2 : undefined);
        const expected = JSON.parse(
          JSON.stringify(Object.fromEntries([...Object.entries(object), [name, value]])),
        );
        assertEquals(JSON.parse(withMember(text, name, JSON.stringify(value))), expected);
      },
    ),
    { numRuns: 500 },
  );
});

const without = [
  { name: "the first", text: '{ "a" : 1.0 , "b": 2 }', expected: '{ "b": 2 }' },
  { name: "the last", text: '{"b":2,"a":[1,{"a":2}]}', expected: '{"b":2}' },
  { name: "the only one", text: '{ "a":"x" }', expected: "{ }" },
  { name: "all of its places", text: '{"a":1,"b":2,"a":3}', expected: '{"b":2}' },
  { name: "none", text: '{"b":{"a":1}}', expected: '{"b":{"a":1}}' },
];
for (const { name, text, expected } of without) {
  Deno.test(`withoutMember takes out ${name}`, () => {
    assertEquals(withoutMember(text, "a"), expected);
    assertEquals(JSON.parse(withoutMember(text, "a")).a, undefined);
  });
}

Deno.test("memberText gives a member's own text, in its last place", () => {
  assertEquals(memberText('{"x":{"a":1},"a":1.50,"a":{ "b": 1.0 }}', "a"), '{ "b": 1.0 }');
  assertEquals(memberText('{"x":{"a":1}}', "a"), undefined);
});

/** A text as it is kept: in ASCII, it is decoded when it is read. */
function readOf(text: string): ReadText {
  const [bytes, body] = [new TextEncoder().encode(text), JSON.parse(text)];
  return bytes.length === text.length
    ? new AsciiText(bytes, { body, repeats: false })
    : { text, bytes, body, repeats: false };
}

Deno.test("withReadMember changes what withMember does, and the object with it", () => {
  const values = fc.jsonValue({ stringUnit: "binary" });
  const objects = fc.dictionary(fc.constantFrom("a", "b", "c", "A"), values);
  const longs = fc.constantFrom("u", "ü").map((letter) => ({ long: letter.repeat(2_000) }));
  const name = fc.constantFrom("a", "b");
  fc.assert(
    fc.property(objects, longs, name, values, (object, long, name, json) => {
      const text = JSON.stringify({ ...object, ...long }, null, 2);
      const value = JSON.parse(JSON.stringify(json));
      const changed = withReadMember(readOf(text), name, { value });
      assertEquals(changed.text, withMember(text, name, JSON.stringify(value)));
      if (changed.bytes) assertEquals(changed.bytes, new TextEncoder().encode(changed.text));
      assertEquals(changed.body, JSON.parse(changed.text));
      assertEquals(readMemberText(changed, name), JSON.stringify(value));
    }),
  );
});

for (
  const [text, name, value, expected] of [
    ['{"model":"m","x":"model"}', "model", "n", '{"model":"n","x":"model"}'],
    [' { "model" : "m" }', "model", "模", ' { "model" : "模" }'],
    ['{"max":12,"x":{"max":1}}', "max", 3, '{"max":3,"x":{"max":1}}'],
    ['{"max":1.5e3,"x":{"max":1}}', "max", 3, '{"max":3,"x":{"max":1}}'],
    ['{"a":{"model":"m"},"model":"m"}', "model", "n", '{"a":{"model":"m"},"model":"n"}'],
    ['{"model":"\\"m"}', "model", "n", '{"model":"n"}'],
    ["{ }", "model", "n", '{"model":"n" }'],
    [`{${" ".repeat(2_000)}}`, "model", "n", `{"model":"n"${" ".repeat(2_000)}}`],
    [`{${" ".repeat(300)}"max":1}`, "n", 2, `{"n":2,${" ".repeat(300)}"max":1}`],
    [`{"max":${"1".repeat(300)}}`, "max", 2, '{"max":2}'],
  ] as const
) {
  Deno.test(`withReadMember sets ${name} in the bytes of ${text.slice(0, 40)}`, () => {
    const changed = withReadMember(readOf(text), name, { value });
    assertEquals(changed.text, expected);
    assertEquals(new TextDecoder().decode(changed.bytes), expected);
  });
}

Deno.test("withMembers and withNewMembers change the given members, and parse to the same object", () => {
  const objects = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.jsonValue());
  fc.assert(fc.property(objects, objects, (object, changes) => {
    const text = JSON.stringify(object, null, 2);
    const wanted = JSON.parse(JSON.stringify({ ...object, ...changes }));
    const read = { text, body: JSON.parse(text) };
    assertEquals(withReadMembers(read, changes as never).text, withMembers(text, changes as never));
    const removed = { ...changes, a: undefined } as never;
    assertEquals(withReadMembers(read, removed).text, withMembers(text, removed));
    assertEquals(JSON.parse(withMembers(text, changes as never)), wanted);
    const fresh = Object.fromEntries(Object.entries(changes).filter(([name]) => !(name in object)));
    const both = JSON.parse(JSON.stringify({ ...object, ...fresh }));
    assertEquals(JSON.parse(withNewMembers(text, fresh as never)), both);
  }));
});

Deno.test("isAmbiguous finds the same by the count of members as by a search of the text", () => {
  const name = fc.constantFrom("model", "Model", "mod\\u0065l", "MODE\\u006c", "a", "models");
  const value = fc.constantFrom("1", '"model"', '{"model":1,"Model":[]}', '"\\"model\\":"');
  const members = fc.array(fc.tuple(name, value), { maxLength: 4 });
  fc.assert(fc.property(members, (members) => {
    const text = `{${members.map(([name, value]) => `"${name}" :${value}`).join()}}`;
    const body = JSON.parse(text);
    const repeats = members.length !== Object.keys(body).length;
    assertEquals(
      isAmbiguous({ text, body, repeats }, "model"),
      isAmbiguous({ text, body }, "model"),
    );
  }));
});

Deno.test("a long text's known members are changed as those that are searched for", () => {
  const space = fc.constantFrom("", " ", "\n\t");
  const value = fc.constantFrom(
    '"a"',
    '"\\"}"',
    "-1.5e3",
    "null",
    "[]",
    '{"b":["}",1]}',
    `"${"x".repeat(200_000)}"`,
  );
  const member = fc.tuple(space, fc.constantFrom("a", "b", "model", "\\u0061"), space, value, space)
    .map(([before, name, between, said, after]) =>
      `${before}"${name}"${between}:${between}${said}${after}`
    );
  const changes = fc.dictionary(
    fc.constantFrom("a", "b", "model", "new"),
    fc.constantFrom(undefined, "m", 7, null),
  );
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), space, changes, (members, space, changes) => {
      const text = `${space}{${members.join()}${members.length === 0 ? space : ""}}${space}`;
      const body = JSON.parse(text);
      const repeats = Object.keys(body).length !== members.length;
      const bytes = new TextEncoder().encode(text);
      const scan = new JsonScan({
        nestingMax: 9,
        containersMax: 99,
        membersMax: 99,
        valuesMax: 1e6,
      });
      scan.push(bytes);
      const known = new AsciiText(bytes, { body, repeats, long: scan.long });
      const searched = withReadMembers({ text, body, repeats }, changes);
      assertEquals(withReadMembers(known, changes).text, searched.text);
      for (const name of ["a", "model"]) {
        assertEquals(isAmbiguous(known, name), isAmbiguous({ text, body, repeats }, name));
        assertEquals(readMemberText(known, name), readMemberText({ text, body, repeats }, name));
      }
    }),
    { numRuns: 400 },
  );
});
