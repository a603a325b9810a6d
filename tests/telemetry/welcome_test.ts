import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { welcome } from "../../lib/telemetry/mod.ts";

const address: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 8123 };
const setupLink = { token: "tok", expiresAtMs: Date.UTC(2026, 10, 21, 9, 30) };

Deno.test("welcome tells the set-up link and until when it holds", () => {
  assertStringIncludes(
    welcome(address, { setupLink, model: "m" }),
    "before 2026-11-21 09:30 UTC):  http://127.0.0.1:8123/setup/tok",
  );
});

Deno.test("welcome shows a key and a call only where there is a first key", () => {
  const first = welcome(address, { firstKeySecret: "sk-x", model: "m" });
  for (const text of ["sk-x", "curl http://127.0.0.1:8123/v1/chat/completions", '"model":"m"']) {
    assertStringIncludes(first, text);
  }
  const later = welcome(address, { model: "m" });
  assertStringIncludes(later, "http://127.0.0.1:8123/console");
  assert(!later.includes("sk-") && !later.includes("curl") && !later.includes("/setup/"));
});

const hosts = {
  "0.0.0.0": "http://127.0.0.1:8123",
  "::": "http://127.0.0.1:8123",
  "::1": "http://[::1]:8123",
  "10.1.2.3": "http://10.1.2.3:8123",
};
for (const [hostname, expected] of Object.entries(hosts)) {
  Deno.test(`welcome names ${expected} where the server listens on ${hostname}`, () => {
    const [line] = welcome({ ...address, hostname }, { model: "m" }).split("\n");
    assertEquals(line, `Tessera listens on ${expected}`);
  });
}
