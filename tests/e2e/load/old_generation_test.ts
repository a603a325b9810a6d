import { assert } from "@std/assert";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { promotedPer, promoteLiving } from "../../old_generation.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

const info = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;
const answer = JSON.stringify(chatAnswer());
const config = {
  keys: [{
    name: "test",
    value: testKey,
    budget: { usd: 1_000, period: "month" },
    limits: { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1_000 },
  }],
  ...oneUpstream({ "chat-completions": "http://127.0.0.1:9/v1" }),
  models: [{ id: "m", price: { input: 3, output: 15 } }],
};

/** A gateway whose upstream answers in this process, so that only the gateway's own objects count. */
async function startOwn() {
  const [fetched, connect] = [globalThis.fetch, Deno.connect];
  globalThis.fetch = async () => {
    await Promise.resolve();
    const headers = { "content-type": "application/json", "content-length": `${answer.length}` };
    return new Response(answer, { headers });
  };
  Deno.connect = (() => Promise.resolve({ close() {} })) as unknown as typeof Deno.connect; // dialled once
  const gateway = await startGateway(config);
  return {
    call: async () => {
      const messages = Array.from(
        { length: 10 },
        () => ({ role: "user", content: "x".repeat(90) }),
      );
      const request = new Request("http://127.0.0.1/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "m", messages }),
      });
      const response = await gateway.parts.fetch(request, info);
      assert(response.status === 200, await response.text());
    },
    stop: async () => {
      await gateway[Symbol.asyncDispose]();
      globalThis.fetch = fetched;
      Deno.connect = connect;
    },
  };
}

const atOnce = 32;
/** Rows wait half a second for their compaction, so they are promoted; nothing else of a call is. */
const bytesMax = 7_000;

Deno.test("a call leaves its row in the old generation, and nothing else", async () => {
  const { call, stop } = await startOwn();
  const calls = () => Promise.all(Array.from({ length: atOnce }, call));
  for (let n = 0; n < 60; n++) await calls();
  promoteLiving();
  const bytes = await promotedPer(200, calls) / atOnce;
  await stop();
  assert(bytes < bytesMax, `${bytes} bytes of each call were promoted`);
});
