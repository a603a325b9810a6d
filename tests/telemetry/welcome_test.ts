import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { baseOf, openedElsewhere } from "../../lib/greet.ts";
import { welcome } from "../../lib/telemetry/mod.ts";

const base = "http://127.0.0.1:8123";
const setupLink = { token: "tok", expiresAtMs: Date.UTC(2026, 10, 21, 9, 30) };

Deno.test("welcome prints the set-up link and its expiry", () => {
  assertStringIncludes(
    welcome(base, { setupLink }, "m"),
    "expires 2026-11-21 09:30 UTC):  http://127.0.0.1:8123/setup/tok",
  );
});

Deno.test("welcome prints the key and a call at the first start only", () => {
  const first = welcome(base, { firstKeySecret: "sk-x" }, "m");
  for (
    const text of ["export KEY=sk-x", "export MODEL=m", 'curl "$BASE_URL/v1/chat/completions"']
  ) {
    assertStringIncludes(first, text);
  }
  const later = welcome(base, {}, "m");
  for (
    const text of [
      "(create one at http://127.0.0.1:8123/console/token)",
      "export BASE_URL=http://127.0.0.1:8123",
      "export MODEL=m",
    ]
  ) {
    assertStringIncludes(later, text);
  }
  assert(!later.includes("export KEY") && !later.includes("curl") && !later.includes("/setup/"));
});

Deno.test("welcome exports no model while no upstream lists one", () => {
  const text = welcome(base, { firstKeySecret: "sk-x" }, undefined);
  assert(!text.includes("export MODEL") && !text.includes("curl"));
  assertStringIncludes(text, "GET /v1/models");
});

Deno.test("welcome quotes a model's name for the shell", () => {
  assertStringIncludes(welcome(base, {}, "it's one"), `export MODEL='it'\\''s one'`);
});

const hosts = {
  "0.0.0.0": "http://127.0.0.1:8123",
  "::": "http://127.0.0.1:8123",
  "::1": "http://[::1]:8123",
  "10.1.2.3": "http://10.1.2.3:8123",
};
for (const [hostname, expected] of Object.entries(hosts)) {
  Deno.test(`baseOf names ${expected} where the server listens on ${hostname}`, () => {
    assertEquals(baseOf({ transport: "tcp", hostname, port: 8123 }), expected);
  });
}

const tunnel = "run ssh -L 8123:127.0.0.1:8123 gw-1";
const elsewhere = {
  "127.0.0.1": tunnel,
  "0.0.0.0": `use http://gw-1:8123, or ${tunnel}`,
  "::": `use http://gw-1:8123, or ${tunnel}`,
  "::1": "run ssh -L 8123:[::1]:8123 gw-1",
  "10.1.2.3": undefined,
};
for (const [hostname, expected] of Object.entries(elsewhere)) {
  Deno.test(`openedElsewhere: ${hostname} is opened elsewhere by ${expected}`, () => {
    assertEquals(openedElsewhere({ transport: "tcp", hostname, port: 8123 }, "gw-1"), expected);
  });
}

Deno.test("openedElsewhere: a container's ID names no machine", () => {
  const address = { transport: "tcp", hostname: "0.0.0.0", port: 8000 } as const;
  const way = openedElsewhere(address, "3f4e1c0b9a2d");
  assertEquals(
    way,
    "publish port 8000 of this container, and run ssh -L 8000:127.0.0.1:8000 SERVER, where SERVER runs it",
  );
});

Deno.test("openedElsewhere names the port of HTTP too", () => {
  const address = { transport: "tcp", hostname: "127.0.0.1", port: 80 } as const;
  assertEquals(openedElsewhere(address, "gw-1"), "run ssh -L 80:127.0.0.1:80 gw-1");
});

Deno.test("welcome says below the set-up link how another machine opens it, and not without a link", () => {
  const said = `/setup/tok\n  To open it on another machine, ${tunnel}\n`;
  assertStringIncludes(welcome(base, { setupLink }, "m", tunnel), said);
  assert(!welcome(base, {}, "m", tunnel).includes("another machine"));
});
