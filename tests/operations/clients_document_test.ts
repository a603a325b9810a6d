import { assertEquals } from "@std/assert";
import { startGateway } from "../e2e/gateway.ts";

Deno.test("GET /docs/clients.md: the document of the clients, as text", async () => {
  await using gateway = await startGateway();
  const response = await fetch(`${gateway.base}/docs/clients.md`);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "text/plain; charset=utf-8");
  const document = new URL("../../docs/clients.md", import.meta.url);
  assertEquals(await response.text(), await Deno.readTextFile(document));
});
