import { assert } from "@std/assert";
import { compose } from "../../../main.ts";
import { promotedPer, promoteLiving } from "../../old_generation.ts";

const info = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;
const key = "sk-test-0123456789abcdefghij";
const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 },
});
const config = {
  keys: [{
    name: "test",
    value: key,
    budget: { usd: 1_000, period: "month" },
    limits: { requestsPerMinute: 1_000_000, tokensPerMinute: 1_000_000_000, concurrency: 1_000 },
  }],
  upstreams: [{
    id: "up",
    endpoints: { "chat-completions": "http://127.0.0.1:9/v1" },
    apiKeys: ["x"],
    models: ["m"],
  }],
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
  const file = await Deno.makeTempFile({ suffix: ".jsonc" });
  await Deno.writeTextFile(file, JSON.stringify(config));
  const parts = await compose({ TESSERA_KV: ":memory:", TESSERA_CONFIG: file });
  return {
    call: async () => {
      const messages = Array.from(
        { length: 10 },
        () => ({ role: "user", content: "x".repeat(90) }),
      );
      const request = new Request("http://127.0.0.1/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "m", messages }),
      });
      const response = await parts.fetch(request, info);
      assert(response.status === 200, await response.text());
    },
    stop: async () => {
      await parts.close();
      await Deno.remove(file);
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
