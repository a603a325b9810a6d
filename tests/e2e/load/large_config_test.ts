import { assertEquals } from "@std/assert";
import { withTempFolder } from "../../store/temp_store.ts";
import { testKey } from "../gateway.ts";
import { startServer } from "../server_process.ts";

for (const count of [1_200, 5_000]) {
  Deno.test(`a configuration with ${count} models starts in two isolates, and again`, async () => {
    const models = Array.from(
      { length: count },
      (_, at) => `accounts/fireworks/models/llama-v3p1-8b-instruct-${at}`,
    );
    const endpoints = { "chat-completions": "http://127.0.0.1:9/v1" };
    await withTempFolder(async (folder) => {
      const config = {
        upstreams: [{ id: "host", endpoints, models }],
        keys: [{ name: "test", value: testKey }],
      };
      for (let start = 0; start < 2; start++) {
        const server = await startServer(folder, { config, isolates: 2 });
        const listed = await Promise.all(Array.from({ length: 4 }, async () => {
          const headers = { "x-api-key": testKey, connection: "close" }; // each may reach another isolate
          const response = await fetch(`${server.base}/v1/models`, { headers });
          const { data }: { data: readonly unknown[] } = await response.json();
          return data.length;
        }));
        assertEquals(listed, [count, count, count, count]);
        assertEquals(await server.stop(), 0);
      }
    });
  });
}
