import { assertEquals } from "@std/assert";
import { oneUpstream, startGateway } from "../gateway.ts";

/** A whole answer in the caller's own format goes out byte for byte, whether it was decoded or not. */

function answer(text: string, more = ""): string {
  const choice = { index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" };
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  const body = { id: "c1", object: "chat.completion", model: "m", choices: [choice], usage };
  return JSON.stringify(body).replace(/}$/, `${more}}`);
}

const kib = 1_024;
const answers: Readonly<Record<string, string>> = {
  "in ASCII": answer("Some words. ".repeat(2 * kib)),
  "in Chinese, with emoji": answer("一些话 😀 é".repeat(2 * kib)),
  "with escapes": answer("words", String.raw`,"x":"\ud800 \u00e9 \/ \ud83d\ude00","y":1.50`),
  "with white space around it": `\n\t ${answer("é".repeat(kib))} \r\n`,
  "behind a byte-order mark": `\ufeff${answer("é".repeat(kib))}`,
  "of 3 MB": answer("一些话 words ".repeat(160 * kib)),
};

for (const [kind, text] of Object.entries(answers)) {
  Deno.test(`a whole answer ${kind} keeps its bytes and its length`, async () => {
    const sent = new TextEncoder().encode(text);
    const headers = { "content-type": "application/json", "content-length": `${sent.length}` };
    await using upstream = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        await request.bytes();
        return new Response(sent, { headers });
      },
    );
    const url = `http://127.0.0.1:${upstream.addr.port}`;
    await using gateway = await startGateway(oneUpstream({ "chat-completions": url }));
    const response = await fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] }),
    });
    const got = await response.bytes();
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-length"), `${sent.length}`);
    assertEquals(got.length, sent.length);
    assertEquals(got.findIndex((byte, at) => byte !== sent[at]), -1);
  });
}
