import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SseReader } from "../../../lib/http/stream/sse.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { chatChunk } from "../../formats/chat_chunk.ts";
import { until } from "../../waiting.ts";
import { textSoFar } from "../conversion/broken_body.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";
import { bodySizes, ofSize } from "../load/sized_body.ts";
import { streamValidators } from "../../formats/validators/mod.ts";

const answer = `${chatChunk({ delta: { role: "assistant", content: "Hi" } })}${
  chatChunk({ finish: "stop" })
}data: [DONE]\n\n`;

/** A streaming caller of an upstream that says nothing until `release`, with keep-alives every 20 ms. */
async function withSilence(
  answerWith: () => Response,
  run: (
    response: Response,
    release: () => void,
    gateway: Awaited<ReturnType<typeof startGateway>>,
    aborted: Promise<number>,
  ) => Promise<void>,
  { path = "/v1/chat/completions", bytes = 0 } = {},
) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await using upstream = startUpstream(async () => (await promise, answerWith()));
  await using gateway = await startGateway({
    limits: { sseKeepAliveMs: 20 },
    ...oneUpstream({ "chat-completions": upstream.base }),
  });
  const body = {
    model: "m",
    max_tokens: 50,
    stream: true,
    messages: [{ role: "user", content: "hi" }],
  };
  const response = await fetch(gateway.base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(ofSize("chat-completions", body, bytes)),
  });
  await until(() => upstream.seen.length === 1, "the upstream was not asked");
  await run(response, release, gateway, upstream.seen[0].aborted);
  release();
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true });
  }
  return text;
}

const streamed = () => new Response(answer, { headers: { "content-type": "text/event-stream" } });

for (const path of ["/v1/chat/completions", "/v1/messages"]) {
  Deno.test(`an upstream that is silent before its first byte: ${path} gets its status and signs of life, then the answer`, () =>
    withSilence(streamed, async (response, release, gateway) => {
      assertEquals(response.status, 200);
      const reader = response.body?.getReader();
      assert(reader);
      let early = "";
      while (early.split(": keep-alive").length < 3) {
        early += new TextDecoder().decode((await reader.read()).value);
      }
      release();
      const text = early + await rest(reader);
      const frames = new SseReader().push(new TextEncoder().encode(text)).flatMap(({ event }) =>
        event ? [event] : []
      );
      const validator = streamValidators
        [path === "/v1/messages" ? "messages" : "chat-completions"]();
      for (const event of frames) validator.push(event);
      assertEquals(validator.end(), []);
      assertStringIncludes(text, "Hi");
      const { rows } = await listRequestLogs(gateway.parts.store, { limit: 5 });
      assertEquals(rows.map(({ outcome }) => outcome), ["completed"]);
    }, { path }));
}

Deno.test("an upstream that fails after a long silence ends the stream in the format's error form, settled once", () =>
  withSilence(() => new Response("busy", { status: 503 }), async (response, release, gateway) => {
    assertEquals(response.status, 200);
    release();
    const text = await textSoFar(response);
    assertStringIncludes(text, '"error"');
    assert(!text.includes("[DONE]"));
    const { rows } = await listRequestLogs(gateway.parts.store, { limit: 5 });
    assertEquals(rows.map(({ outcome }) => outcome), ["upstream_error"]);
  }));

for (const { size, bytes } of bodySizes) {
  Deno.test(`a caller that leaves during a long silence ends the upstream's work, settled once: ${size}`, () =>
    withSilence(streamed, async (response, _release, gateway, aborted) => {
      const left = performance.now();
      await response.body?.cancel();
      assert(await aborted - left < 1000);
      const deadline = performance.now() + 5000;
      for (;;) {
        const { rows } = await listRequestLogs(gateway.parts.store, { limit: 5 });
        if (rows.length > 0) {
          return assertEquals(rows.map(({ outcome }) => outcome), ["client_gone"]);
        }
        assert(performance.now() < deadline, "no row was written");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }, { bytes }));
}
