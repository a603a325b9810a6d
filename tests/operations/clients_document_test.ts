import { assertEquals, assertStringIncludes } from "@std/assert";
import { startGateway } from "../e2e/gateway.ts";

Deno.test("GET /docs/clients.md: the guides of all clients, as text", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/docs/clients.md`);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "text/plain; charset=utf-8");
  const text = await response.text();
  for (const title of ["Clients", "SDKs", "Connect Claude Code", "Connect frameworks"]) {
    assertStringIncludes(text, `# ${title}\n`);
  }
});
