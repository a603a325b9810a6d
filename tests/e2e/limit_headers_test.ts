import { assertEquals } from "@std/assert";
import { chatAnswer } from "../formats/whole_answer.ts";
import { startUpstream } from "./fake_upstream.ts";
import { startGateway } from "./gateway.ts";

/** An upstream's own rate-limit headers, which are not the caller's limits. */
const theirs = {
  "x-ratelimit-limit-requests": "5000",
  "x-ratelimit-remaining-requests": "4999",
  "x-ratelimit-reset-requests": "12ms",
  "x-ratelimit-limit-tokens": "160000",
  "anthropic-ratelimit-requests-limit": "50",
  "anthropic-ratelimit-tokens-remaining": "1",
  "anthropic-ratelimit-unified-status": "allowed",
  "openai-organization": "acme",
  "x-should-retry": "true",
  "retry-after": "7",
  "set-cookie": "a=b",
} as const;

const whole = chatAnswer({ content: "Hi", refusal: null }, {
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
});
const stream = [
  '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
  "[DONE]",
].map((data) => `data: ${data}\n\n`).join("");

const requests = {
  "/v1/chat/completions": { messages: [{ role: "user", content: "hi" }] },
  "/v1/messages": { messages: [{ role: "user", content: "hi" }], max_tokens: 9 },
};

for (const path of ["/v1/chat/completions", "/v1/messages"] as const) {
  Deno.test(`${path}: what an upstream says of its own limits stays inside`, async () => {
    await using upstream = startUpstream(({ body }) => {
      const { stream: streams, messages: [{ content }] } = JSON.parse(body);
      if (content === "busy") {
        return Response.json({ error: { message: "slow down" } }, { status: 429, headers: theirs });
      }
      return streams
        ? new Response(stream, { headers: { ...theirs, "content-type": "text/event-stream" } })
        : Response.json(whole, { headers: theirs });
    });
    await using gateway = await startGateway({
      upstreams: [{ id: "up", endpoints: { "chat-completions": `${upstream.base}/v1` } }],
      groups: [{ id: "default", allowUnpriced: true }],
      limits: { attemptsMax: 1 },
    });
    const ask = async (fields: Record<string, unknown>) => {
      const response = await fetch(gateway.base + path, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.key}` },
        body: JSON.stringify({ model: "m", ...requests[path], ...fields }),
      });
      await response.body?.cancel();
      return response;
    };
    const told = ({ headers }: Response) =>
      Object.keys(theirs).filter((name) => headers.get(name) !== null);
    for (const fields of [{}, { stream: true }]) {
      const answered = await ask(fields);
      assertEquals([answered.status, told(answered)], [200, []]);
    }
    const busy = await ask({ messages: [{ role: "user", content: "busy" }] });
    assertEquals([busy.status, told(busy)], [429, ["retry-after"]]);
    assertEquals(
      busy.headers.get("retry-after"),
      "7",
      "when to come back is the caller's business",
    );
  });
}
