import { assertEquals } from "@std/assert";
import { browserNames } from "../../../lib/console/account/browser_words.ts";
import { passkeySite } from "../../../lib/console/sign_in/passkeys.ts";

const sites = [
  { name: "localhost", asked: "http://localhost:8000", origin: "http://localhost:8000" },
  { name: "https", asked: "https://gw.example", origin: "https://gw.example" },
  {
    name: "a proxy that ends TLS: the browser names the scheme",
    asked: "http://gw.example",
    header: "https://gw.example",
    origin: "https://gw.example",
  },
  {
    name: "another site's page names nothing",
    asked: "http://gw.example",
    header: "https://evil.example",
    origin: "http://gw.example",
  },
  {
    name: "a configured address wins",
    asked: "http://10.0.0.7:8000",
    publicUrl: "https://gw.example",
    origin: "https://gw.example",
  },
  { name: "an IPv4 address", asked: "http://192.168.1.5", origin: undefined },
  { name: "an IPv6 address", asked: "http://[2001:db8::7]:8000", origin: undefined },
] as const;

for (const { name, asked, origin, ...rest } of sites) {
  Deno.test(`passkeySite: ${name}`, () => {
    const { header, publicUrl } = { header: undefined, publicUrl: undefined, ...rest };
    const req = new Request(`${asked}/login`, { headers: header ? { origin: header } : {} });
    const state = { services: { config: { publicUrl } } };
    // The only fields of a request's context that it reads.
    const ctx = { req, url: new URL(req.url), state } as unknown as Parameters<
      typeof passkeySite
    >[0];
    const expected = origin && { origin, rpId: new URL(origin).hostname };
    assertEquals(passkeySite(ctx), expected);
  });
}

const agents = [
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/120.0 Safari/537.36 Edg/120.0",
    "Edge",
    "Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/17.0 Safari/605",
    "Safari",
    "macOS",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0", "Firefox", "Linux"],
  [
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36",
    "Chrome",
    "Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) CriOS/120.0 Mobile Safari/604",
    "Chrome",
    "iPhone",
  ],
  ["curl/8.10.1", "curl", undefined],
  ["<script>", undefined, undefined],
  [undefined, undefined, undefined],
] as const;

for (const [agent, browser, system] of agents) {
  Deno.test(`browserNames: ${agent}`, () => {
    const found = browserNames(agent);
    assertEquals([found.browser, found.system], [browser, system]);
  });
}
