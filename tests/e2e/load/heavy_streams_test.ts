import { assert, assertEquals } from "@std/assert";
import { chatChunk } from "../../formats/chat_chunk.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream } from "../gateway.ts";
import { assertHealthy, post, startWatched } from "./heavy_load.ts";

/** Answers of upstreams that cost more than they are long, or never come to a word. */

const mebibyte = 1024 * 1024;
const sse = { headers: { "content-type": "text/event-stream" } };
const json = { headers: { "content-type": "application/json" } };

/** A body of so many bytes of a text again and again, in chunks as they come from a network. */
function flood(text: string, bytes: number): ReadableStream<Uint8Array> {
  const chunk = new TextEncoder().encode(text.repeat(Math.ceil(64 * 1024 / text.length)));
  let left = bytes;
  return new ReadableStream({
    pull: (controller) => {
      if (left <= 0) return controller.close();
      controller.enqueue(chunk);
      left -= chunk.length;
    },
  }, { highWaterMark: 0 });
}

const hello = chatChunk({ delta: { role: "assistant", content: "Hello" } });

/** The word first, then the flood. */
function afterHello(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from((async function* () {
    yield new TextEncoder().encode(hello);
    yield* body;
  })());
}

const answers: Readonly<Record<string, () => Response>> = {
  "60 MB of [": () => new Response("[".repeat(60e6), json),
  "60 MB of [[],[],…]": () => new Response(`{"choices":[${"[],".repeat(20e6)}[]]}`, json),
  "an event of 15 MB of [[],[],…]": () =>
    new Response(`data: {"choices":[${"[],".repeat(5e6)}[]]}\n\n`, sse),
  "200 MB of comments": () => new Response(flood(":x\n\n", 200e6), sse),
  "200 MB of comments behind a word": () => new Response(afterHello(flood(":x\n\n", 200e6)), sse),
  "200 MB of blank lines": () => new Response(afterHello(flood("\n", 200e6)), sse),
  "200 MB of empty data": () => new Response(afterHello(flood("data:\n\n", 200e6)), sse),
  "200 MB of names": () => new Response(afterHello(flood("event: a\n\n", 200e6)), sse),
  "200 MB of one comment": () => new Response(afterHello(flood(":xxxxxxx", 200e6)), sse),
  "200 MB of one line of data": () => new Response(afterHello(flood("data: xx", 200e6)), sse),
};

const calls = [
  { path: "/v1/chat/completions", stream: true },
  { path: "/v1/chat/completions", stream: false },
  { path: "/v1/messages", stream: true },
];

Deno.test("answers that are too complex and streams without a word end as invalid answers", async (t) => {
  let answer = () => new Response(hello, sse);
  await using upstream = startUpstream(() => answer());
  await using watched = await startWatched({ config: { ...before(upstream.base) } });
  await post(watched, { body: asked(true) }); // counted here, which loads the tokenizer once
  for (const [name, given] of Object.entries(answers)) {
    await t.step(name, async () => {
      answer = given;
      await assertHealthy(watched, name, async () => {
        const ended = await Promise.all(
          calls.map(({ path, stream }) => post(watched, { path, body: asked(stream) })),
        );
        for (const { text } of ended) {
          assert(/upstream_invalid_response|upstream_truncated/.test(text), text.slice(0, 500));
        }
      });
    });
  }
  const { peakBytes } = await watched.during(() => Promise.resolve());
  assert(peakBytes < 1_024 * mebibyte, `the process took ${peakBytes} bytes`);
});

Deno.test("a flood of tiny events is passed on and converted, and everything else has its turns", async () => {
  const tiny = chatChunk({ delta: { content: "a" } });
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const last = `${chatChunk({ finish: "stop" }, { usage })}data: [DONE]\n\n`;
  await using upstream = startUpstream(() =>
    new Response(
      ReadableStream.from((async function* () {
        yield new TextEncoder().encode(hello);
        yield* flood(tiny, 12e6);
        yield new TextEncoder().encode(last);
      })()),
      sse,
    )
  );
  await using watched = await startWatched({ config: { ...before(upstream.base) } });
  await assertHealthy(watched, "tiny events", async () => {
    const ended = await Promise.all(
      calls.map(({ path, stream }) => post(watched, { path, body: asked(stream) })),
    );
    assertEquals(ended.map(({ status }) => status), [200, 200, 200]);
    assert(ended[0].text.endsWith("data: [DONE]\n\n"));
    assert(ended[2].text.includes("message_stop"));
  });
});

function asked(stream: boolean): string {
  return JSON.stringify({
    model: "m",
    max_tokens: 100,
    stream,
    messages: [{ role: "user", content: "hello" }],
  });
}

function before(base: string) {
  return {
    limits: { breakerFailuresMax: 1_000, breakerWindowFailuresMax: 1_000, attemptsMax: 1 },
    ...oneUpstream({ "chat-completions": base }),
  };
}
