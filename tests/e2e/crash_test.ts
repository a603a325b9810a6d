import { assert, assertEquals } from "@std/assert";
import { listRequestLogs, openStore } from "../../lib/store/mod.ts";
import { testKey } from "./gateway.ts";

const main = new URL("../../main.ts", import.meta.url).pathname;

/** A gateway in a process of its own, which can be killed. */
async function startProcess(folder: string): Promise<{ base: string; process: Deno.ChildProcess }> {
  await Deno.writeTextFile(
    `${folder}/config.jsonc`,
    JSON.stringify({ keys: [{ name: "test", group: "default", value: testKey }] }),
  );
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main],
    env: {
      PORT: "0",
      TESSERA_KV: `${folder}/tessera.db`,
      TESSERA_CONFIG: `${folder}/config.jsonc`,
    },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of process.stdout.values({ preventCancel: true })) {
    printed += decoder.decode(chunk, { stream: true });
    const base = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0];
    if (base) return { base, process };
  }
  throw new Error(`The gateway did not start: ${printed}`);
}

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

for (const [format, { path, body }] of Object.entries(calls)) {
  Deno.test(`killed right after a streamed ${format} answer was read to its end, its row is there`, async () => {
    const folder = await Deno.makeTempDir();
    const { base, process } = await startProcess(folder);
    const response = await fetch(base + path, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assertEquals(response.status, 200);
    const id = response.headers.get("x-request-id");
    const reader = response.body?.getReader();
    while (!(await reader?.read())?.done);
    process.kill("SIGKILL");
    await process.status;
    await process.stdout.cancel();

    const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
    const { rows } = await listRequestLogs(store, { limit: 10 });
    store.close();
    assertEquals(rows.map((row) => [row.id, row.outcome, row.format]), [[id, "completed", format]]);
    assert((rows[0].usage?.outputTokens ?? 0) > 0);
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("a second process on the same store is refused with a clear message, and SIGTERM ends the first with 0", async () => {
  const folder = await Deno.makeTempDir();
  const { process } = await startProcess(folder);
  const second = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", main],
    env: { PORT: "0", TESSERA_KV: `${folder}/tessera.db` },
    stdout: "piped",
    stderr: "piped",
  }).output();
  assertEquals(second.code, 1);
  assert(new TextDecoder().decode(second.stderr).includes(`process ${process.pid}`));
  process.kill("SIGTERM");
  assertEquals((await process.status).code, 0);
  await process.stdout.cancel();
  await Deno.remove(folder, { recursive: true });
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
  await Deno.remove(folder, { recursive: true });
});
