import { assertEquals } from "@std/assert";
import { allRows, auditStore } from "../../../lib/audit/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { openStore } from "../../../lib/store/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { later, until } from "../../waiting.ts";
import { type Seen, startUpstream } from "../fake_upstream.ts";
import { RawConnection } from "../faults/raw_connection.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { withStoreFolder } from "../money/place.ts";
import { startServer } from "../server_process.ts";

const usage = { prompt_tokens: 60, completion_tokens: 20, total_tokens: 80 };
const costNanoUsd = 100_000n;
const answered = () => Response.json(chatAnswer({ content: "Hi" }, { usage }));
const failing = (status: number, headers: HeadersInit = {}) => () =>
  Response.json({ error: { message: "fails" } }, { status, headers });

/** A gateway before one upstream that charges; its key has room for one call only. */
function configOf(base: string, fields: Record<string, unknown> = {}) {
  return {
    ...oneUpstream({ "chat-completions": base }, fields),
    keys: [{
      name: "test",
      group: "default",
      value: testKey,
      budget: { usd: 0.0002, period: "total" },
    }],
    models: [{ id: "m", price: { input: 1, output: 2 } }],
  };
}

function post(base: string, more: Record<string, unknown> = {}) {
  const messages = [{ role: "user", content: "hi" }];
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", max_tokens: 50, messages, ...more }),
  });
}

/** The status of a call, its row, and how often the upstream was asked. */
async function outcomeOf(
  answers: readonly ((seen: Seen) => Response)[],
  { more = {}, fields = {} }: { readonly more?: object; readonly fields?: object } = {},
) {
  const left = [...answers];
  await using upstream = startUpstream((seen) => (left.shift() ?? answered)(seen));
  await using gateway = await startGateway(configOf(upstream.base, { ...fields }));
  const response = await post(gateway.base, { ...more });
  await response.text();
  const { store } = gateway.parts;
  const { rows: [row, ...others] } = await listRequestLogs(store, { limit: 9 });
  assertEquals(others, []);
  assertEquals((await auditStore(store)).differences, []);
  const attempts = (row.attempts ?? []).map(({ outcome, status }) => [outcome, status]);
  return { status: response.status, asked: upstream.seen.length, row, attempts };
}

const failed = ["upstream_error" as const, 503];

Deno.test("a call that failed once is answered by its only upstream, and charged once", async () => {
  const { status, asked, attempts, row } = await outcomeOf([failing(503)]);
  assertEquals([status, asked, row.costNanoUsd], [200, 2, costNanoUsd]);
  assertEquals(attempts, [failed, ["completed", 200]]);
  const [first, second] = row.attempts ?? [];
  const pauseMs = second.startedAfterMs - first.startedAfterMs - first.durationMs;
  assertEquals(pauseMs >= 90 && pauseMs < 2_000, true, `${pauseMs} ms`);
});

Deno.test("a call that fails twice costs nothing, and its error counts the attempts", async () => {
  const { status, asked, row, attempts } = await outcomeOf(Array(9).fill(failing(503)));
  assertEquals([status, asked, row.costNanoUsd], [503, 2, undefined]);
  assertEquals(attempts, [failed, failed]);
});

/** An upstream on raw sockets: of each answer, it writes so much of the text, and closes. */
function startBreaking(answers: readonly string[]) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const left = [...answers];
  const serving = (async () => {
    for await (const accepted of listener) {
      const connection = new RawConnection(accepted);
      if (await connection.readPath() === undefined) continue;
      await connection.readBody();
      await connection.write(left.shift() ?? "");
      await connection.readLast();
      connection.close();
    }
  })();
  return {
    base: `http://127.0.0.1:${listener.addr.port}`,
    left,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await serving;
    },
  };
}

const head = (type: string, length: number) =>
  `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
const delta = { index: 0, delta: { content: "Hi" }, finish_reason: "stop" };
const events = `data: ${JSON.stringify({ choices: [delta], usage })}\n\ndata: [DONE]\n\n`;
const stream = head("text/event-stream", events.length) + events;

const breaks: readonly (readonly [string, string, boolean])[] = [
  ["a stream that breaks before its first byte", head("text/event-stream", 99), true],
  ["a stream that breaks after its first byte", stream.slice(0, -40), false],
  ["a whole answer that breaks, which its vendor bills", head("application/json", 99), false],
];

for (const [name, broken, isRetried] of breaks) {
  Deno.test(`${name} is ${isRetried ? "" : "not "}asked for again`, async () => {
    await using upstream = startBreaking([broken, stream]);
    await using gateway = await startGateway(configOf(upstream.base));
    const isStream = !broken.includes("json");
    await (await post(gateway.base, { stream: isStream })).text();
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals([row.attempts?.length, upstream.left.length], isRetried ? [2, 0] : [1, 1]);
    assertEquals(row.outcome === "completed", isRetried);
  });
}

/** The runtime itself sends such a request a second time, within the attempt (Deno 2.8.2). */
Deno.test("a call whose connection is closed without an answer is tried again", async () => {
  await using upstream = startBreaking(["", "", stream]);
  await using gateway = await startGateway(configOf(upstream.base));
  await (await post(gateway.base, { stream: true })).text();
  const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
  const attempts = row.attempts?.map(({ errorCode }) => errorCode);
  assertEquals(attempts, ["upstream_unreachable", undefined]);
  assertEquals([row.outcome, row.costNanoUsd], ["completed", costNanoUsd]);
});

const once = {
  "its vendor stores the answer": { more: { store: true } },
  "its upstream has retries switched off": { fields: { retry: false } },
};

for (const [name, options] of Object.entries(once)) {
  Deno.test(`a failed call is sent once if ${name}`, async () => {
    const { status, asked } = await outcomeOf([failing(503)], options);
    assertEquals([status, asked], [503, 1]);
  });
}

Deno.test("killed during the pause before a retry, a call costs nothing and holds nothing", async () => {
  await withStoreFolder(async (folder) => {
    await using upstream = startUpstream(() =>
      upstream.seen.length === 1 ? failing(503, { "retry-after": "4" })() : answered()
    );
    const config = configOf(upstream.base);
    const first = await startServer(folder, { config });
    const lost = post(first.base).catch((error) => error.name);
    await until(() => upstream.seen.length === 1, "the first attempt");
    await later(100); // its answer has arrived
    await first.kill();
    assertEquals(await lost, "TypeError");
    const second = await startServer(folder, { config });
    await until(async () => {
      const response = await post(second.base);
      await response.body?.cancel();
      return response.status === 200;
    }, "the dead process still holds the only room");
    assertEquals(await second.stop(), 0);
    const store = await openStore({ location: { type: "file", path: `${folder}/tessera.db` } });
    const rows = await Array.fromAsync(allRows(store));
    assertEquals((await auditStore(store)).differences, []);
    store.close();
    const charged = rows.filter(({ costNanoUsd }) => costNanoUsd);
    assertEquals(charged.map((row) => [row.outcome, row.costNanoUsd]), [[
      "completed",
      costNanoUsd,
    ]]);
  });
});
