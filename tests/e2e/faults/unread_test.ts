import { assert, assertEquals, assertLess } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { later, until } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { rawCall } from "../load/raw_call.ts";
import { allRows, assertNothingHeld } from "./settled.ts";

/** A caller that keeps its connection open but does not read: its call ends as after a disconnect. */

const readTimeoutMs = 400;
const silentMs = 100;
const word = "word ".repeat(2_000);

/** A stream that never ends by itself. */
function endless(startsMs: number): ReadableStream<Uint8Array> {
  const chunk = { id: "c", model: "m", choices: [{ index: 0, delta: { content: word } }] };
  const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`);
  let chunks = 0;
  return new ReadableStream({
    pull: async (controller) => {
      await later(chunks++ === 0 ? startsMs : 1);
      controller.enqueue(bytes);
    },
  }, { highWaterMark: 0 });
}

const callers: Readonly<Partial<Record<FormatName, { path: string; body: object }>>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] },
  },
  messages: {
    path: "/v1/messages",
    body: {
      model: "m",
      stream: true,
      max_tokens: 100,
      messages: [{ role: "user", content: "hi" }],
    },
  },
};

for (const [format, { path, body }] of Object.entries(callers)) {
  for (const startsMs of [0, 3 * silentMs]) {
    Deno.test(`a caller of ${format} that does not read an answer that starts after ${startsMs} ms is left after its time`, async () => {
      await using upstream = startUpstream(() =>
        new Response(endless(startsMs), { headers: { "content-type": "text/event-stream" } })
      );
      await using gateway = await startGateway({
        limits: { readTimeoutMs, sseKeepAliveMs: silentMs, idleTimeoutMs: 200 },
        keys: [{ name: "test", group: "default", value: testKey, limits: { concurrency: 1 } }],
        ...oneUpstream({ "chat-completions": upstream.base }),
      });
      using client = await rawCall(gateway.base, { path, body: JSON.stringify(body) });
      await until(() => upstream.seen.length > 0);
      const end = await Promise.race([upstream.seen[0].aborted, later(10_000)]);
      assert(end !== undefined, "the upstream's call goes on");
      await until(async () => (await allRows(gateway)).length > 0, "no row was written");
      const [row] = await allRows(gateway);
      assertEquals([row.outcome, row.status], ["client_gone", 200]);
      assertLess(0, row.usage?.outputTokens ?? 0);
      await assertNothingHeld(gateway);
      await client.readAll(10_000); // its connection is closed, too
    });
  }
}

Deno.test("a caller that reads slowly, but reads, keeps its answer", async () => {
  await using upstream = startUpstream(() =>
    new Response(endless(0), { headers: { "content-type": "text/event-stream" } })
  );
  await using gateway = await startGateway({
    limits: { readTimeoutMs },
    ...oneUpstream({ "chat-completions": upstream.base }),
  });
  const { path, body } = callers["chat-completions"] ?? { path: "", body: {} };
  using client = await rawCall(gateway.base, { path, body: JSON.stringify(body) });
  await client.readUntil("word");
  for (let reads = 0; reads < 8; reads++) {
    await later(readTimeoutMs / 4);
    await client.readSome();
  }
  assertEquals((await allRows(gateway)).length, 0);
});
