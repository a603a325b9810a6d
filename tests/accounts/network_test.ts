import { assertEquals } from "@std/assert";
import { may } from "../../lib/accounts/mod.ts";
import { mayBeProxy, networkOf } from "../../lib/accounts/network.ts";
import { readEmail } from "../../lib/accounts/users.ts";
import { sampleUser } from "../store/samples.ts";

const networks = [
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::9", "2001:db8:1:2"],
  ["2001:0db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["no address", "no address"],
] as const;
for (const [ip, expected] of networks) {
  Deno.test(`networkOf ${ip} is ${expected}`, () => assertEquals(networkOf(ip), expected));
}

const addresses: [string | undefined, boolean][] = [
  ["203.0.113.7", false],
  ["2001:db8::1", false],
  ["127.0.0.1", true],
  ["::ffff:127.0.0.1", true],
  ["172.17.0.1", true],
  ["172.32.0.1", false],
  ["::1", true],
  ["fd00::1", true],
  [undefined, true],
  ["no address", true],
];
for (const [ip, expected] of addresses) {
  Deno.test(`mayBeProxy ${ip}: ${expected}`, () => assertEquals(mayBeProxy(ip), expected));
}

const emails = [
  [" Ada@Example.COM ", "ada@example.com"],
  ["ada@localhost", "ada@localhost"],
  ["ada", undefined],
  ["a b@c.test", undefined],
  ["a@b@c.test", undefined],
  [`${"x".repeat(250)}@b.test`, undefined],
] as const;
for (const [text, expected] of emails) {
  Deno.test(`readEmail ${text.slice(0, 20)}`, () => assertEquals(readEmail(text), expected));
}

Deno.test("may: administrators manage, members and the disabled do not", () => {
  const administrator = sampleUser({ role: "administrator" });
  assertEquals(may(administrator, "upstreams:write"), true);
  assertEquals(may({ ...administrator, enabled: false }, "upstreams:write"), false);
  assertEquals(may(sampleUser(), "upstreams:write"), false);
});
