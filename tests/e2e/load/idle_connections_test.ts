import { assert, assertEquals, assertLess } from "@std/assert";
import { later } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { chatChunk } from "../../formats/chat_chunk.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { sampleProcess } from "./process_sample.ts";

/** Clients without a key that only hold connections open, before a process with few descriptors. */

const idleCount = 1_000;
const callsAtOnce = 12;
const megabyte = 1024 * 1024;
/** The young generation, which fills meanwhile, is most of it. */
const growthMax = 160 * megabyte;
const email = "root@example.com";
const password = "correct horse battery";

interface Case {
  readonly openFilesMax: number;
  readonly isolates?: number;
}

const cases: readonly Case[] = [
  { openFilesMax: 300 },
  { openFilesMax: 2_000 },
  { openFilesMax: 300, isolates: 2 },
];

for (const { openFilesMax, isolates } of cases) {
  const where = isolates === undefined ? "" : ` with ${isolates} isolates`;
  Deno.test(`${idleCount} idle connections at ${openFilesMax} open files${where}: a sign-in, calls, streams and the check of the store's file work`, () =>
    withStoreFolder(async (folder) => {
      await using upstream = startUpstream(({ body }) => answerFor(body));
      const server = await startServer(folder, {
        openFilesMax,
        ...(isolates !== undefined && { isolates }),
        config: {
          limits: { storeCheckMs: 3_000 },
          upstreams: [{
            id: "up",
            endpoints: { "chat-completions": upstream.base },
            apiKeys: ["x"],
            models: ["m"],
          }],
        },
        env: { TESSERA_ADMIN_EMAIL: email, TESSERA_ADMIN_PASSWORD: password },
      });
      await signIn(server);
      for (let round = 0; round < 8; round++) await callAtOnce(server);
      await later(4_000); // the workers have started, and the file is checked
      const before = await sampleProcess(server.process.pid, folder);
      const idle = new IdleClients(new URL(server.base));
      try {
        await idle.open(idleCount);
        await signIn(server);
        for (let round = 0; round < 8; round++) {
          await callAtOnce(server);
          await idle.open(idleCount / 10);
          await later(500);
        }
        await signIn(server);
        const after = await sampleProcess(server.process.pid, folder);
        const growth = after.resident - before.resident;
        console.log(
          `${after.descriptors} descriptors, resident +${(growth / megabyte).toFixed(1)} MiB`,
        );
        assertLess(after.descriptors, openFilesMax);
        assertLess(growth, growthMax);
      } finally {
        idle.close();
        if (isRunning(server)) assertEquals(await server.stop(), 0, server.said());
      }
      assert(!server.said().includes("panicked"), server.said());
    }));
}

function answerFor(body: string): Response {
  if (!JSON.parse(body).stream) {
    const message = { role: "assistant", content: "fine" };
    return Response.json({
      ...{ id: "c", object: "chat.completion", model: "m", created: 1 },
      choices: [{ index: 0, message, finish_reason: "stop" }],
    });
  }
  const chunks = [chatChunk({ delta: { content: "fine" }, finish: "stop" }), "data: [DONE]\n\n"];
  return new Response(chunks.join(""), { headers: { "content-type": "text/event-stream" } });
}

async function callAtOnce(server: ServerProcess): Promise<void> {
  await Promise.all(Array.from({ length: callsAtOnce }, (_, at) => call(server, at % 2 === 0)));
}

async function call({ base }: ServerProcess, stream: boolean): Promise<void> {
  const answer = await fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: "hello" }] }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  assertEquals([answer.status, text.includes("fine")], [200, true], text);
}

async function signIn({ base }: ServerProcess): Promise<void> {
  const answer = await fetch(`${base}/login`, {
    method: "POST",
    headers: { origin: base, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ email, password }),
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  });
  await answer.body?.cancel();
  assertEquals(answer.status, 303);
}

function isRunning({ process }: ServerProcess): boolean {
  try {
    process.kill("SIGCONT");
    return true;
  } catch {
    return false;
  }
}

/** Connections that send nothing, or the first words of a request. */
class IdleClients {
  readonly #connections: Deno.TcpConn[] = [];
  readonly #address: { readonly hostname: string; readonly port: number };

  constructor({ hostname, port }: URL) {
    this.#address = { hostname, port: Number(port) };
  }

  async open(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened++) {
      const connection = await Deno.connect(this.#address);
      this.#connections.push(connection);
      if (opened % 2 === 0) await connection.write(partialHead).catch(() => {});
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

const partialHead = new TextEncoder().encode("POST /v1/chat/completions HTTP/1.1\r\nhost: ");
