import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type FormatName, sealContinuation } from "../../lib/canonical/mod.ts";
import { listRequestLogs, type RequestLogRow } from "../../lib/store/log/mod.ts";
import { until } from "../waiting.ts";
import { textSoFar } from "./conversion/broken_body.ts";
import { pieces, type Seen, startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "./gateway.ts";
import { codeIn } from "../formats/error_code.ts";

/** A native pass-through on both sides, with odd spacing and unknown fields. */
interface Sample {
  readonly path: string;
  readonly upstreamPath: string;
  readonly streamPath?: string;
  readonly upstreamStreamPath?: string;
  readonly basePath: string;
  readonly request: (model: string, stream: boolean) => string;
  readonly whole: string;
  readonly stream: readonly string[];
  readonly auth: readonly [string, string];
  readonly usage: { readonly input: number; readonly output: number };
}

const samples: Readonly<Record<FormatName, Sample>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    upstreamPath: "/up/chat/completions",
    basePath: "/up",
    request: (model, stream) =>
      `{ "model":"${model}" ,"messages":[{"role":"user","content":"hi \\u00e9"}],"seed":12345678901234567890,"x_unknown":{"a":1.0}${
        stream ? ',"stream":true,"stream_options":{"include_usage":true}' : ""
      }}`,
    whole:
      '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10},"x_vendor":1.50}',
    stream: [
      'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
      ': a comment\n\ndata: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n',
      'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
      'data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}\n\n',
      "data: [DONE]\n\n",
    ],
    auth: ["authorization", "Bearer up-secret"],
    usage: { input: 7, output: 3 },
  },
  responses: {
    path: "/v1/responses",
    upstreamPath: "/up/responses",
    basePath: "/up",
    request: (model, stream) =>
      `{"model":"${model}","input":"hi","store":false,"x_unknown":[1.0]${
        stream ? ',"stream":true' : ""
      }}`,
    whole:
      '{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}],"usage":{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":10},"x_vendor":1.50}',
    stream: [
      'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"m","output":[],"usage":null}}\n\n',
      'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}}\n\n',
      'event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[],"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":10}}}\n\n',
    ],
    auth: ["authorization", "Bearer up-secret"],
    usage: { input: 7, output: 3 },
  },
  messages: {
    path: "/v1/messages",
    upstreamPath: "/up/v1/messages",
    basePath: "/up",
    request: (model, stream) =>
      `{"model":"${model}","max_tokens":10,"messages":[{"role":"user","content":"hi"}],"x_unknown":1.0${
        stream ? ',"stream":true' : ""
      }}`,
    whole:
      '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":3},"x_vendor":1.50}',
    stream: [
      'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":1}}}\n\n',
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
      'event: ping\ndata: {"type":"ping"}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\n',
      'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":3}}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ],
    auth: ["x-api-key", "up-secret"],
    usage: { input: 7, output: 3 },
  },
  "generate-content": {
    path: "/v1beta/models/MODEL:generateContent",
    upstreamPath: "/up/models/MODEL:generateContent",
    streamPath: "/v1beta/models/MODEL:streamGenerateContent?alt=sse",
    upstreamStreamPath: "/up/models/MODEL:streamGenerateContent?alt=sse",
    basePath: "/up",
    request: () => '{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"x_unknown":1.0}',
    whole:
      '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10},"modelVersion":"m","x_vendor":1.50}',
    stream: [
      'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"H"}]},"index":0}],"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}\r\n\r\n',
      'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"i"}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3,"totalTokenCount":10}}\r\n\r\n',
    ],
    auth: ["x-goog-api-key", "up-secret"],
    usage: { input: 7, output: 3 },
  },
};

const formats = Object.keys(samples) as FormatName[]; // the table's own keys

async function withPair(
  format: FormatName,
  answer: (seen: Seen) => Response | Promise<Response>,
  run: (gateway: TestGateway, upstream: ReturnType<typeof startUpstream>) => Promise<void>,
  timeouts: Record<string, number> = {},
): Promise<void> {
  await using upstream = startUpstream(answer);
  await using gateway = await startGateway(
    oneUpstream({ [format]: upstream.base + samples[format].basePath }, {
      apiKeys: ["up-secret"],
      models: ["plain", { id: "mapped", upstreamModel: "real-name" }],
      ...(Object.keys(timeouts).length > 0 && { timeouts }),
    }),
  );
  await run(gateway, upstream);
}

function post(
  gateway: TestGateway,
  format: FormatName,
  model: string,
  stream: boolean,
  init: RequestInit = {},
): Promise<Response> {
  const { path, streamPath, request } = samples[format];
  const address = (stream && streamPath || path).replace("MODEL", model);
  return fetch(gateway.base + address, {
    method: "POST",
    headers: {
      authorization: `Bearer ${testKey}`,
      "content-type": "application/json",
      cookie: "secret=1",
      "x-internal": "1",
    },
    body: request(model, stream),
    ...init,
  });
}

const wholeAnswer = (format: FormatName) => () =>
  new Response(samples[format].whole, { headers: { "content-type": "application/json" } });
const streamAnswer = (format: FormatName) => () =>
  new Response(pieces(samples[format].stream), {
    headers: { "content-type": "text/event-stream" },
  });

async function onlyRow({ parts }: TestGateway): Promise<RequestLogRow> {
  const { rows } = await listRequestLogs(parts.store, { limit: 10 });
  assertEquals(rows.length, 1);
  return rows[0];
}

for (const format of formats) {
  const sample = samples[format];

  Deno.test(`pass-through ${format}: the body goes out and the answer comes back untouched`, () =>
    withPair(format, wholeAnswer(format), async (gateway, upstream) => {
      const response = await post(gateway, format, "plain", false);
      assertEquals(await response.text(), sample.whole);
      const [seen] = upstream.seen;
      assertEquals(seen.body, sample.request("plain", false));
      assertEquals(seen.path, sample.upstreamPath.replace("MODEL", "plain"));
      assertEquals(seen.headers.get(sample.auth[0]), sample.auth[1]);
      for (const header of ["cookie", "x-internal"]) assertEquals(seen.headers.get(header), null);
      assert(
        ![...seen.headers.values()].some((value) => value.includes(testKey)),
        "the caller's key stays here",
      );
      const row = await onlyRow(gateway);
      assertEquals([row.outcome, row.usage?.inputTokens, row.usage?.outputTokens], [
        "completed",
        sample.usage.input,
        sample.usage.output,
      ]);
    }));

  Deno.test(`pass-through ${format}: a mapped model is the only change`, () =>
    withPair(format, wholeAnswer(format), async (gateway, upstream) => {
      await (await post(gateway, format, "mapped", false)).body?.cancel();
      assertEquals(upstream.seen[0].body, sample.request("real-name", false));
      assertEquals(upstream.seen[0].path, sample.upstreamPath.replace("MODEL", "real-name"));
    }));

  Deno.test(`pass-through ${format}: a stream's bytes are untouched and its usage is read`, () =>
    withPair(format, streamAnswer(format), async (gateway, upstream) => {
      const response = await post(gateway, format, "plain", true);
      assert(response.headers.get("content-type")?.startsWith("text/event-stream"));
      assertEquals(await response.text(), sample.stream.join(""));
      assertEquals(
        upstream.seen[0].path,
        (sample.upstreamStreamPath ?? sample.upstreamPath).replace("MODEL", "plain"),
      );
      const row = await onlyRow(gateway);
      assertEquals([row.outcome, row.stream, row.usage?.inputTokens, row.usage?.outputTokens], [
        "completed",
        true,
        sample.usage.input,
        sample.usage.output,
      ]);
    }));

  Deno.test(`pass-through ${format}: a stream cut short ends in the format's error form, never in a clean end`, () =>
    withPair(
      format,
      () =>
        new Response(pieces(sample.stream.slice(0, 1)), {
          headers: { "content-type": "text/event-stream" },
        }),
      async (gateway) => {
        const text = await textSoFar(await post(gateway, format, "plain", true));
        assertStringIncludes(text, "error");
        assert(
          !text.includes("[DONE]") && !text.includes("message_stop") &&
            !text.includes("response.completed") && !text.includes("STOP"),
        );
        assertEquals((await onlyRow(gateway)).outcome, "truncated");
      },
    ));

  Deno.test(`pass-through ${format}: the caller's departure reaches the upstream within 100 ms`, () =>
    withPair(
      format,
      () =>
        new Response(pieces(sample.stream.slice(0, 1), { closes: false }), {
          headers: { "content-type": "text/event-stream" },
        }),
      async (gateway, upstream) => {
        const caller = new AbortController();
        const response = await post(gateway, format, "plain", true, { signal: caller.signal });
        const reader = response.body?.getReader();
        await reader?.read();
        const left = performance.now();
        caller.abort();
        const aborted = await upstream.seen[0].aborted;
        assert(aborted - left < 100, `took ${aborted - left} ms`);
        await until(async () => (await listed(gateway)).length === 1);
        assertEquals((await onlyRow(gateway)).outcome, "client_gone");
      },
    ));

  Deno.test(`pass-through ${format}: a caller that leaves before the answer begins ends the upstream's work`, () =>
    withPair(format, () => new Promise<Response>(() => {}), async (gateway, upstream) => {
      const caller = new AbortController();
      const response = post(gateway, format, "plain", false, { signal: caller.signal }).catch(() =>
        undefined
      );
      await until(() => Promise.resolve(upstream.seen.length === 1));
      const left = performance.now();
      caller.abort();
      assert(await upstream.seen[0].aborted - left < 100);
      await response;
    }));

  Deno.test(`pass-through ${format}: a silent upstream is a 504 in the format's shape`, () =>
    withPair(format, () => new Promise<Response>(() => {}), async (gateway) => {
      const response = await post(gateway, format, "plain", false);
      assertEquals(response.status, 504);
      assertEquals(codeIn(format, (await response.json()).error, 504), "upstream_timeout");
    }, { firstByteMs: 100 }));

  Deno.test(`pass-through ${format}: a stream that falls silent ends in an error`, () =>
    withPair(
      format,
      () =>
        new Response(pieces(sample.stream.slice(0, 1), { closes: false }), {
          headers: { "content-type": "text/event-stream" },
        }),
      async (gateway) => {
        assertStringIncludes(await textSoFar(await post(gateway, format, "plain", true)), "error");
        assertEquals((await onlyRow(gateway)).outcome, "timeout");
      },
      { idleMs: 100 },
    ));

  Deno.test(`pass-through ${format}: a refused credential is the gateway's fault, not the caller's`, () =>
    withPair(
      format,
      () => Response.json({ error: { message: "bad key up-secret" } }, { status: 401 }),
      async (gateway) => {
        const response = await post(gateway, format, "plain", false);
        assertEquals(response.status, 502);
        const text = await response.text();
        assertStringIncludes(text, "upstream_unauthorized");
        assert(!text.includes("up-secret"));
      },
    ));

  Deno.test(`pass-through ${format}: an answer that is not JSON is a 502`, () =>
    withPair(
      format,
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      async (gateway) => {
        const response = await post(gateway, format, "plain", false);
        assertEquals(response.status, 502);
        assertEquals(
          codeIn(format, (await response.json()).error, 502),
          "upstream_invalid_response",
        );
      },
    ));

  Deno.test(`pass-through ${format}: an upstream that refuses connections is a 502`, async () => {
    await using gateway = await startGateway(
      oneUpstream({ [format]: `http://127.0.0.1:1${sample.basePath}` }, { models: ["plain"] }),
    );
    const response = await post(gateway, format, "plain", false);
    assertEquals(response.status, 502);
    assertEquals(codeIn(format, (await response.json()).error, 502), "upstream_unreachable");
  });

  Deno.test(`pass-through ${format}: the next upstream answers where the first fails`, async () => {
    await using broken = startUpstream(() => new Response("busy", { status: 503 }));
    await using good = startUpstream(wholeAnswer(format));
    const upstream = (id: string, base: string, priority: number) => ({
      id,
      endpoints: { [format]: base + sample.basePath },
      apiKeys: ["x"],
      models: ["plain"],
      priority,
    });
    await using gateway = await startGateway({
      upstreams: [upstream("good", good.base, 0), upstream("broken", broken.base, 1)],
    });
    assertEquals(await (await post(gateway, format, "plain", false)).text(), sample.whole);
    assertEquals([broken.seen.length, good.seen.length], [1, 1]);
    assertEquals((await onlyRow(gateway)).upstreamId, "good");
  });
}

Deno.test("pass-through chat-completions: usage is metered although the caller did not ask, and not shown to it", () =>
  withPair("chat-completions", streamAnswer("chat-completions"), async (gateway, upstream) => {
    const body = '{"model":"plain","stream":true,"messages":[{"role":"user","content":"hi"}]}';
    const text = await (await post(gateway, "chat-completions", "plain", true, { body })).text();
    assertEquals(JSON.parse(upstream.seen[0].body).stream_options, { include_usage: true });
    const { stream } = samples["chat-completions"];
    assertEquals(text, stream.filter((piece) => !piece.includes("prompt_tokens")).join(""));
    assertEquals((await onlyRow(gateway)).usage?.inputTokens, 7);
  }));

Deno.test("pass-through messages: a proof of another vendor stays here when the conversation comes home", () =>
  withPair("messages", wholeAnswer("messages"), async (gateway, upstream) => {
    const sealed = sealContinuation("messages", { issuer: "responses", data: "enc" });
    const body = JSON.stringify({
      model: "mapped",
      max_tokens: 10,
      x_unknown: 1,
      messages: [
        { role: "user", content: "hi" },
        {
          role: "assistant",
          content: [{ type: "thinking", thinking: "Hm", signature: sealed }, {
            type: "text",
            text: "Hello",
          }],
        },
        { role: "user", content: "again" },
      ],
    });
    const response = await post(gateway, "messages", "mapped", false, { body });
    assertEquals(await response.text(), samples.messages.whole);
    const sent = JSON.parse(upstream.seen[0].body);
    assert(!upstream.seen[0].body.includes("tsr1"));
    assertEquals([sent.model, sent.x_unknown, sent.messages[1].content], ["real-name", 1, "Hello"]);
  }));

async function listed({ parts }: TestGateway): Promise<readonly RequestLogRow[]> {
  return (await listRequestLogs(parts.store, { limit: 10 })).rows;
}
