import { assert, assertEquals, assertThrows } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { tagsOf } from "../../lib/gateway/call_tags.ts";

const headersOf = (text: string) => new Headers({ "tessera-tag": text });

const read: Readonly<Record<string, readonly string[]>> = {
  "": [],
  "nightly run": [],
  "team=a": ["team a"],
  " team=a , feature=checkout/v2 ": ["team a", "feature checkout/v2"],
  "a=1,b=2,c=3,d=4,e=5": ["a 1", "b 2", "c 3", "d 4", "e 5"],
  "owner=ada@example.com": ["owner ada@example.com"],
};
for (const [text, expected] of Object.entries(read)) {
  Deno.test(`tagsOf reads ${JSON.stringify(text)}`, () => {
    assertEquals(tagsOf(headersOf(text)).map(({ key, value }) => `${key} ${value}`), expected);
  });
}

Deno.test("tagsOf finds none without the header", () => {
  assertEquals(tagsOf(new Headers({ "x-session-id": "team=a" })), []);
});

const malformed: Readonly<Record<string, string>> = {
  "team=": "the value ''",
  "=a": "the key ''",
  "team=a,feature": "'feature' has no value",
  "team=a,": "'' has no value",
  "team=a,team=b": "the key team occurs twice",
  "team=a=b": "the value 'a=b'",
  "team=a b": "the value 'a b'",
  "__proto__=a": "the key '__proto__'",
  "a=1,b=2,c=3,d=4,e=5,f=6": "6 tags; a call has at most 5",
  [`${"k".repeat(33)}=a`]: "the key",
  [`team=${"v".repeat(65)}`]: "the value",
  "team=\u00e9": "the value",
};
for (const [text, fault] of Object.entries(malformed)) {
  Deno.test(`tagsOf refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
    const error = assertThrows(() => tagsOf(headersOf(text)), GatewayError);
    assertEquals([error.code, error.param], ["invalid_request", "tessera-tag"]);
    assert(error.message.includes(fault), error.message);
    assert(error.message.length < 300, "a hostile header does not fill the answer");
  });
}
