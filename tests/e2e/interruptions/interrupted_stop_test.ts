import { assert, assertEquals } from "@std/assert";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { testKey } from "../gateway.ts";
import { bodySizes, ofSize } from "../load/sized_body.ts";
import { startServer } from "../server_process.ts";

for (const [at, { size, bytes }] of bodySizes.entries()) {
  const isolates = at === 1 ? 2 : undefined;
  Deno.test(`interrupted: a caller that is the last to leave while the server stops has its row: ${size}, ${isolates ?? 1} isolate(s)`, async () => {
    const folder = await Deno.makeTempDir();
    const { base, stop } = await startServer(folder, {
      isolates,
      config: { limits: { stopGraceMs: 5_000 } },
    });
    const response = await fetch(`${base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify(ofSize("chat-completions", {
        model: "tessera-echo",
        stream: true,
        messages: [{ role: "user", content: `pace 20 ${"a word ".repeat(300)}` }],
      }, bytes)),
    });
    const reader = response.body?.getReader();
    for (let read = 0; read < 5; read++) await reader?.read();
    const stopped = stop();
    if (isolates === undefined) await refusesCalls(base);
    await reader?.cancel();
    assertEquals(await stopped, 0);

    const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
    const { rows } = await listRequestLogs(store, { limit: 10 });
    store.close();
    await removeFolder(folder);
    assertEquals(rows.map(({ outcome, usageSource }) => [outcome, usageSource]), [
      ["client_gone", "counted"],
    ]);
    assert((rows[0].usage?.outputTokens ?? 0) > 0);
  });
}

/** Resolves once the server takes no new connection, at most after five seconds. */
async function refusesCalls(base: string): Promise<void> {
  const deadline = performance.now() + 5_000;
  const { hostname, port } = new URL(base);
  while (performance.now() < deadline) {
    const connection = await Deno.connect({ hostname, port: Number(port) }).catch(() => undefined);
    if (!connection) return;
    connection.close();
  }
}
