import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  accepts,
  type Cookie,
  deleteCookie,
  eTag,
  getCookies,
  ifNoneMatch,
  isErrorStatus,
  setCookie,
  STATUS_CODE,
  STATUS_TEXT,
} from "@std/http";

Deno.test("getCookies: undecoded, of one name the last", () => {
  const cookies = getCookies(new Headers({ cookie: 'a=1; b="x y"; c=x=y; a=%20; d' }));
  assertEquals({ ...cookies }, { a: "%20", b: '"x y"', c: "x=y", d: "" });
  assertEquals(cookies.__proto__, undefined);
  assertThrows(() => getCookies(new Headers({ cookie: "=1" })), SyntaxError);
});

const cookies: readonly { name: string; cookie: Cookie; expected: string }[] = [
  { name: "least", cookie: { name: "s", value: "" }, expected: "s=" },
  {
    name: "all attributes",
    cookie: {
      name: "s",
      value: "v",
      expires: new Date(0),
      maxAge: 60,
      domain: "x.test",
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
      partitioned: true,
      unparsed: ["Priority=High"],
    },
    expected: "s=v; Secure; HttpOnly; Partitioned; Max-Age=60; Domain=x.test; SameSite=Lax; " +
      "Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Priority=High",
  },
  {
    name: "the host prefix",
    cookie: { name: "__Host-s", value: "v", domain: "x.test", path: "/q" },
    expected: "__Host-s=v; Secure; Path=/",
  },
  {
    name: "the secure prefix",
    cookie: { name: "__Secure-s", value: "v" },
    expected: "__Secure-s=v; Secure",
  },
  { name: "no age", cookie: { name: "s", value: "v", maxAge: 0 }, expected: "s=v; Max-Age=0" },
  { name: "half an age", cookie: { name: "s", value: "v", maxAge: 1.5 }, expected: "s=v" },
];

for (const { name, cookie, expected } of cookies) {
  Deno.test(`setCookie: ${name}`, () => {
    const headers = new Headers();
    setCookie(headers, cookie);
    assertEquals(headers.get("set-cookie"), expected);
  });
}

const refused: readonly Cookie[] = [
  { name: "s=", value: "v" },
  { name: "", value: "v" },
  { name: "s", value: "a;b" },
  { name: "s", value: "a b" },
  { name: "s", value: '{"a":1}' },
  { name: "s", value: "é" },
  { name: "s", value: "a\r\nset-cookie: b" },
  { name: "s", value: "v", path: "/;x" },
  { name: "s", value: "v", maxAge: -1 },
];

for (const cookie of refused) {
  Deno.test(`setCookie: refuses ${JSON.stringify(cookie)}`, () => {
    assertThrows(() => setCookie(new Headers(), cookie));
  });
}

Deno.test("deleteCookie: empty and long expired", () => {
  const headers = new Headers();
  deleteCookie(headers, "s", { path: "/", secure: true });
  assertEquals(
    headers.get("set-cookie"),
    "s=; Secure; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  );
});

Deno.test("status: codes, words and kinds", () => {
  assertEquals(STATUS_CODE.UnprocessableEntity, 422);
  assertEquals(STATUS_TEXT[413], "Content Too Large");
  assert(isErrorStatus(404) && !isErrorStatus(200) && !isErrorStatus(499));
});

const asking = (accept?: string) => new Request("http://x", { headers: accept ? { accept } : {} });

Deno.test("accepts: by quality, then by specificity, else none", () => {
  const both = ["text/html", "application/json"];
  assertEquals(accepts(asking("text/html;q=0.5, application/json"), ...both), "application/json");
  assertEquals(accepts(asking("text/*, application/json;q=0.1"), ...both), "text/html");
  assertEquals(accepts(asking("*/*, text/html;q=0"), "text/html"), undefined);
  assertEquals(accepts(asking("image/png"), ...both), undefined);
  assertEquals(accepts(asking(), ...both), "text/html");
  assertEquals(accepts(asking("text/html;q=0.5, application/json")), both.toReversed());
});

Deno.test("eTag: strong for contents, weak for files", async () => {
  assertEquals(await eTag("hi"), '"2-j0NDRmSPa5bfid2pAcUXaxCm2Dl"');
  assertEquals(await eTag("hi", { weak: true }), 'W/"2-j0NDRmSPa5bfid2pAcUXaxCm2Dl"');
  const file = { mtime: new Date(0), size: 3 };
  assertEquals(await eTag(file), 'W/"3-fV7l2JDWcybWhXieoDDmVxKEFxe"');
  assertEquals(await eTag({ mtime: null, size: 3 }), undefined);
});

Deno.test("ifNoneMatch: true when the body must be sent", () => {
  assertEquals(ifNoneMatch('W/"a", "b"', '"a"'), false);
  assertEquals(ifNoneMatch("*", '"a"'), false);
  assertEquals(ifNoneMatch('"b"', '"a"'), true);
  assertEquals(ifNoneMatch(null, '"a"'), true);
});
