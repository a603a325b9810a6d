import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { sseText } from "../../../lib/http/stream/sse.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { bareRequest } from "../../formats/requests/bare_request.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, testKey } from "../gateway.ts";

/** A responses upstream that streams `words` one by one and then goes on for ever. */
function endless(words: readonly string[]): Response {
  const encoder = codecs.responses.eventEncoder({
    requestId: "req_up",
    model: "m",
    createdAtMs: 0,
    request: {
      ...bareRequest,
    },
  });
  const events = [
    ...encoder.push({ type: "start", id: "x", model: "m" }),
    ...encoder.push({ type: "part-start", index: 0, part: { type: "text", text: "" } }),
    ...words.flatMap((text) => encoder.push({ type: "part-delta", index: 0, text })),
  ];
  return new Response(pieces(events.map(sseText), { closes: false }), {
    headers: { "content-type": "text/event-stream" },
  });
}

const chat = {
  model: "m",
  stream: true,
  stop: ["STOP"],
  seed: 7,
  messages: [{ role: "user", content: "hi" }],
};

async function withResponsesUpstream(
  run: (
    post: (headers?: Record<string, string>) => Promise<Response>,
    upstream: ReturnType<typeof startUpstream>,
    gateway: Awaited<ReturnType<typeof startGateway>>,
  ) => Promise<void>,
) {
  await using upstream = startUpstream(() => endless(["one ", "two ST", "OP three"]));
  await using gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  const post = (headers: Record<string, string> = {}) =>
    fetch(`${gateway.base}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${testKey}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(chat),
    });
  await run(post, upstream, gateway);
}

Deno.test("a stop sequence that the upstream's format lacks ends the answer here, and the upstream's work with it", () =>
  withResponsesUpstream(async (post, upstream, gateway) => {
    const text = await (await post()).text();
    assertStringIncludes(text, "[DONE]");
    const content = text.split("\n").filter((line) => line.startsWith("data: {")).map((line) =>
      JSON.parse(line.slice(6)).choices[0]?.delta.content ?? ""
    ).join("");
    assertEquals(content, "one two ");
    await upstream.seen[0].aborted;
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals([row.outcome, row.usageSource], ["completed", "counted"]);
    assert((row.usage?.outputTokens ?? 0) > 0);
  }));

Deno.test("tessera-notes and the log report the changes of a conversion", () =>
  withResponsesUpstream(async (post, _upstream, gateway) => {
    const response = await post();
    await response.text();
    const notes = response.headers.get("tessera-notes") ?? "";
    assertStringIncludes(notes, "sampling.stopSequences emulated");
    assertStringIncludes(notes, "sampling.seed dropped");
    assert(notes.length <= 1024);
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assert(row.notes?.some(({ path }) => path === "sampling.seed"));
  }));

Deno.test("tessera-strict refuses a conversion that would lose something, before the upstream is asked", () =>
  withResponsesUpstream(async (post, upstream) => {
    const response = await post({ "tessera-strict": "true" });
    assertEquals(response.status, 400);
    assertEquals((await response.json()).error.code, "conversion_lossy");
    assertEquals(upstream.seen.length, 0);
  }));

const counters: Readonly<Record<string, { path: string; body: unknown; field: string }>> = {
  responses: {
    path: "/v1/responses/input_tokens",
    body: { model: "m", input: "hello there" },
    field: "input_tokens",
  },
  messages: {
    path: "/v1/messages/count_tokens",
    body: { model: "m", messages: [{ role: "user", content: "hello there" }] },
    field: "input_tokens",
  },
  "generate-content": {
    path: "/v1beta/models/m:countTokens",
    body: { contents: [{ parts: [{ text: "hello there" }] }] },
    field: "totalTokens",
  },
};
const upstreamCounts: Readonly<Record<FormatName, { path: string; answer: unknown } | undefined>> =
  {
    "chat-completions": undefined, // the format has no counter: a tokenizer here counts
    responses: {
      path: "/responses/input_tokens",
      answer: { object: "response.input_tokens", input_tokens: 42 },
    },
    messages: { path: "/v1/messages/count_tokens", answer: { input_tokens: 42 } },
    "generate-content": { path: "/models/m:countTokens", answer: { totalTokens: 42 } },
  };

for (const [caller, { path, body, field }] of Object.entries(counters)) {
  for (const upstreamFormat of formatNames) {
    Deno.test(`a ${caller} caller counts the tokens of a model behind ${upstreamFormat}`, async () => {
      const counter = upstreamCounts[upstreamFormat];
      await using upstream = startUpstream(() => Response.json(counter?.answer ?? {}));
      await using gateway = await startGateway(oneUpstream({ [upstreamFormat]: upstream.base }));
      const response = await fetch(gateway.base + path, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const count = (await response.json())[field];
      assertEquals(response.status, 200);
      assertEquals(upstream.seen.map((seen) => seen.path), counter ? [counter.path] : []);
      if (counter) assertEquals(count, 42);
      else assert(count >= 2 && count < 20, `counted ${count}`);
      assertEquals(
        (await listRequestLogs(gateway.parts.store, { limit: 1 })).rows,
        [],
        "a count is no call",
      );
    });
  }
}

Deno.test("a counter that fails gives an estimate, not a failure", async () => {
  await using upstream = startUpstream(() => new Response("busy", { status: 503 }));
  await using gateway = await startGateway(oneUpstream({ messages: upstream.base }));
  const response = await fetch(`${gateway.base}/v1/messages/count_tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(counters.messages.body),
  });
  assertEquals(response.status, 200);
  assert((await response.json()).input_tokens > 0);
});
