import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isIP } from "node:net";
import { behindProxies } from "../../lib/http/behind_proxies.ts";
import { forwardedFor, trustedProxies } from "../../lib/http/forwarded.ts";

const trusted = trustedProxies(["10.0.0.0/8", "203.0.113.7", "2001:db8:1::/48"]);

type Case = readonly [
  name: string,
  peer: string,
  headers: Record<string, string>,
  ip: string | undefined,
];
const cases: readonly Case[] = [
  ["a stranger's word", "198.51.100.1", { "x-forwarded-for": "192.0.2.1" }, undefined],
  ["no word", "10.0.0.1", {}, "10.0.0.1"],
  ["one hop", "10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
  ["a socket of both kinds", "::ffff:10.0.0.1", { "x-forwarded-for": "192.0.2.1" }, "192.0.2.1"],
  ["what the caller wrote", "10.0.0.1", { "x-forwarded-for": "8.8.8.8, 192.0.2.1" }, "192.0.2.1"],
  [
    "a trusted address that the caller wrote",
    "10.0.0.1",
    { "x-forwarded-for": "8.8.8.8, 10.0.0.9, 192.0.2.1" },
    "192.0.2.1",
  ],
  [
    "two trusted hops",
    "10.0.0.1",
    { "x-forwarded-for": "8.8.8.8, 192.0.2.1, 10.0.0.2" },
    "192.0.2.1",
  ],
  ["trusted hops alone", "10.0.0.1", { "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, "10.0.0.3"],
  ["an unreadable hop", "10.0.0.1", { "x-forwarded-for": "192.0.2.1, unknown" }, "10.0.0.1"],
  [
    "an unreadable hop behind a trusted one",
    "10.0.0.1",
    { "x-forwarded-for": "192.0.2.1, <script>, 10.0.0.2" },
    "10.0.0.2",
  ],
  ["an empty header", "10.0.0.1", { "x-forwarded-for": "" }, "10.0.0.1"],
  ["a zone", "10.0.0.1", { "x-forwarded-for": "fe80::1%eth0" }, "10.0.0.1"],
  ["a port", "10.0.0.1", { "x-forwarded-for": "192.0.2.1:4711" }, "192.0.2.1"],
  ["IPv6", "2001:db8:1::1", { "x-forwarded-for": "2001:db8:2::5" }, "2001:db8:2::5"],
  ["IPv6 with a port", "10.0.0.1", { "x-forwarded-for": "[2001:db8:2::5]:443" }, "2001:db8:2::5"],
  ["IPv4 in IPv6's clothes", "10.0.0.1", { "x-forwarded-for": "::ffff:192.0.2.1" }, "192.0.2.1"],
  [
    "forwarded",
    "203.0.113.7",
    { forwarded: 'for=8.8.8.8, For="[2001:db8:2::5]:80";proto=https' },
    "2001:db8:2::5",
  ],
  ["forwarded, hidden", "203.0.113.7", { forwarded: "for=_hidden;proto=https" }, "203.0.113.7"],
  [
    "forwarded that the caller wrote",
    "10.0.0.1",
    { "x-forwarded-for": "192.0.2.1", forwarded: "for=8.8.8.8" },
    "192.0.2.1",
  ],
];
for (const [name, peer, headers, expected] of cases) {
  Deno.test(`forwardedFor, ${name}: ${expected}`, () => {
    assertEquals(forwardedFor(new Headers(headers), peer, trusted)?.ip, expected);
  });
}

Deno.test("forwardedFor trusts all where all are named", () => {
  const all = trustedProxies(["0.0.0.0/0"]);
  const headers = new Headers({ "x-forwarded-for": "192.0.2.1, 192.0.2.2" });
  assertEquals(forwardedFor(headers, "198.51.100.1", all)?.ip, "192.0.2.1");
});

Deno.test("forwardedFor throws at nothing and says an address", () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom("192.0.2.1", "10.0.0.2", "for=", "[::1", "%", ";;", "="),
  );
  const text = fc.array(part).map((parts) =>
    encodeURIComponent(parts.join(",")).replaceAll("%2C", ",").replaceAll("%3D", "=")
  );
  fc.assert(
    fc.property(text, fc.constantFrom("x-forwarded-for", "forwarded"), (value, name) => {
      const said = forwardedFor(new Headers({ [name]: value }), "10.0.0.1", trusted);
      assert(said !== undefined && isIP(said.ip) !== 0);
    }),
  );
});

const addresses = [
  [{ "x-forwarded-proto": "https" }, "https://inside.test/a?b"],
  [{ "x-forwarded-proto": "HTTPS", "x-forwarded-host": "site.test" }, "https://site.test/a?b"],
  [{ "x-forwarded-proto": "https", "x-forwarded-host": "[::1]:8443" }, "https://[::1]:8443/a?b"],
  [{ "x-forwarded-proto": "http, https" }, "https://inside.test/a?b"],
  [{ "x-forwarded-host": "evil.test, site.test" }, "http://site.test/a?b"],
  [{ forwarded: 'for=192.0.2.1;proto=https;host="site.test:8443"' }, "https://site.test:8443/a?b"],
  [{ "x-forwarded-proto": "javascript" }, "http://inside.test/a?b"],
  [{ "x-forwarded-host": "evil.test/x?" }, "http://inside.test/a?b"],
  [{ "x-forwarded-host": "user@evil.test" }, "http://inside.test/a?b"],
  [{ "x-forwarded-host": "site.test:99999" }, "http://inside.test/a?b"],
] as const;
for (const [headers, expected] of addresses) {
  Deno.test(`behindProxies, the console gets the origin ${expected} by ${JSON.stringify(headers)}`, async () => {
    assertEquals(await asked(headers, "10.0.0.1"), expected);
    assertEquals(await asked(headers, "198.51.100.1"), "http://inside.test/a?b");
  });
}

async function asked(headers: Record<string, string>, hostname: string): Promise<string> {
  const handler = behindProxies(["10.0.0.0/8"], {
    api: () => undefined,
    other: ({ url }) => new Response(url),
  });
  const info = {
    remoteAddr: { transport: "tcp", hostname, port: 1 },
    completed: Promise.resolve(),
  } as const;
  const response = await handler(new Request("http://inside.test/a?b", { headers }), info);
  return await response.text();
}
