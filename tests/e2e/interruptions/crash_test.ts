import { assert, assertEquals } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { testKey } from "../gateway.ts";
import { ofSize, sizeInTurn } from "../load/sized_body.ts";
import { startServer } from "../server_process.ts";

const main = new URL("../../../main.ts", import.meta.url).pathname;

const calls = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "tessera-echo", stream: true, messages: [{ role: "user", content: "hi" }] },
  },
  responses: { path: "/v1/responses", body: { model: "tessera-echo", stream: true, input: "hi" } },
  messages: {
    path: "/v1/messages",
    body: {
      model: "tessera-echo",
      stream: true,
      max_tokens: 99,
      messages: [{ role: "user", content: "hi" }],
    },
  },
  "generate-content": {
    path: "/v1beta/models/tessera-echo:streamGenerateContent?alt=sse",
    body: { contents: [{ parts: [{ text: "hi" }] }] },
  },
} as const;

for (const [at, format] of formatNames.entries()) {
  const { path, body } = calls[format];
  const { size, bytes } = sizeInTurn(at);
  const isolates = at % 2 === 1 ? 2 : undefined;
  Deno.test(`killed right after a streamed ${format} answer to ${size} was read to its end, its row is there: ${isolates ?? 1} isolate(s)`, async () => {
    const folder = await Deno.makeTempDir();
    const { base, kill } = await startServer(folder, { isolates });
    const response = await fetch(base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify(ofSize(format, body, bytes)),
    });
    assertEquals(response.status, 200);
    const id = response.headers.get("x-request-id");
    const reader = response.body?.getReader();
    while (!(await reader?.read())?.done);
    await kill();

    const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
    const { rows } = await listRequestLogs(store, { limit: 10 });
    store.close();
    assertEquals(rows.map((row) => [row.id, row.outcome, row.format]), [[id, "completed", format]]);
    assert((rows[0].usage?.outputTokens ?? 0) > 0);
    await removeFolder(folder);
  });
}

Deno.test("a second process on the same store is refused with a clear message, and SIGTERM ends the first with 0", async () => {
  const folder = await Deno.makeTempDir();
  const { process, stop } = await startServer(folder);
  const second = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main],
    env: { PORT: "0", TESSERA_KV: `${folder}/tessera.db` },
    stdout: "piped",
    stderr: "piped",
  }).output();
  assertEquals(second.code, 1);
  assert(new TextDecoder().decode(second.stderr).includes(`process ${process.pid}`));
  assertEquals(await stop(), 0);
  await removeFolder(folder);
});

Deno.test("a bad configuration stops the start and names the field", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(
    `${folder}/config.jsonc`,
    '{ "upstreams": [{ "id": "a", "endpoints": {}, "timeouts": { "connectMs": -1 } }] }',
  );
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main],
    env: {
      PORT: "0",
      TESSERA_KV: `${folder}/tessera.db`,
      TESSERA_CONFIG: `${folder}/config.jsonc`,
    },
    stdout: "null",
    stderr: "piped",
  }).output();
  assertEquals(code, 1);
  assert(new TextDecoder().decode(stderr).includes("upstreams[0].timeouts.connectMs"));
  await removeFolder(folder);
});
