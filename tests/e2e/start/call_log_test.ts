import { assertEquals } from "@std/assert";
import { removeFolder } from "../../store/temp_store.ts";
import { testKey } from "../gateway.ts";
import { startServer } from "../server_process.ts";

Deno.test("call log: a gateway writes a line for each call to standard output, the last ones as it stops", async () => {
  const folder = await Deno.makeTempDir();
  const env = { TESSERA_CALL_LOG: "json" };
  const server = await startServer(folder, { env, stdout: "piped" });
  const written = new Response(server.process.stdout).text();
  const ids: (string | null)[] = [];
  for (const model of ["tessera-echo", "nobody", "tessera-echo"]) {
    const response = await fetch(`${server.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "a secret prompt" }] }),
    });
    await response.text();
    ids.push(response.headers.get("x-request-id"));
  }
  assertEquals(await server.stop(), 0);
  const text = await written;
  await removeFolder(folder);
  const calls = text.split("\n").filter((line) => line.startsWith("{")).map((line) =>
    JSON.parse(line)
  );
  assertEquals(calls.map(({ id }) => id), ids);
  assertEquals(calls.map(({ status }) => status), [200, 404, 200]);
  for (const secret of [testKey, "a secret prompt"]) assertEquals(text.includes(secret), false);
});
