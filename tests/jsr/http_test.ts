import { assertEquals, assertThrows } from "@std/assert";
import { deleteCookie, getCookies, setCookie } from "@std/http";

Deno.test("getCookies: undecoded, of one name the last", () => {
  const cookies = getCookies(new Headers({ cookie: 'a=1; b="x y"; c=x=y; a=%20; d' }));
  assertEquals({ ...cookies }, { a: "%20", b: '"x y"', c: "x=y", d: "" });
  assertEquals(cookies.__proto__, undefined);
  assertThrows(() => getCookies(new Headers({ cookie: "=1" })), SyntaxError);
});

type Cookie = Parameters<typeof setCookie>[1];

const cookies: readonly { name: string; cookie: Cookie; expected: string | null }[] = [
  { name: "least", cookie: { name: "s", value: "" }, expected: "s=" },
  {
    name: "all attributes",
    cookie: {
      name: "s",
      value: "v",
      expires: new Date(0),
      maxAge: 60,
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
    },
    expected: "s=v; Secure; HttpOnly; Max-Age=60; SameSite=Lax; Path=/; " +
      "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
  },
  { name: "no age", cookie: { name: "s", value: "v", maxAge: 0 }, expected: "s=v; Max-Age=0" },
  { name: "half an age", cookie: { name: "s", value: "v", maxAge: 1.5 }, expected: "s=v" },
  { name: "no name", cookie: { name: "", value: "v" }, expected: null },
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
