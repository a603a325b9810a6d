import { assertEquals, assertStringIncludes } from "@std/assert";
import { buildWhenStale } from "../../tools/build.ts";
import { startServer } from "../e2e/server_process.ts";

Deno.test("docs: pages and search need no permission to write", async () => {
  await buildWhenStale();
  const folder = await Deno.makeTempDir();
  const server = await startServer(folder, {
    env: { TESSERA_KV: ":memory:" },
    permissions: ["--deny-write"],
  });
  try {
    for (const path of ["", "/how-to/set-a-budget", "/search?q=budget", "/api"]) {
      const response = await fetch(`${server.base}/docs${path}`);
      const html = await response.text();
      assertEquals([path, response.status], [path, 200]);
      if (path.startsWith("/search")) assertStringIncludes(html, "/docs/how-to/set-a-budget");
    }
  } finally {
    await server.stop();
    await Deno.remove(folder, { recursive: true });
  }
});
