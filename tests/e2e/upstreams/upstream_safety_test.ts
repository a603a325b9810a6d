import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { createUpstream, type UpstreamRecord } from "../../../lib/store/catalog/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { compose } from "../../../main.ts";
import { chatAnswer, messagesAnswer } from "../../formats/whole_answer.ts";
import { pieces, type Seen, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";

/** The smallest request of each format, and an answer that a server of it gives. */
const formats: Readonly<
  Record<FormatName, {
    readonly path: string;
    readonly streamPath?: string;
    readonly request: (stream: boolean) => Record<string, unknown>;
    readonly answer: Record<string, unknown>;
  }>
> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    request: (stream) => ({ model: "m", messages: [{ role: "user", content: "hi" }], stream }),
    answer: chatAnswer(),
  },
  responses: {
    path: "/v1/responses",
    request: (stream) => ({ model: "m", input: "hi", stream }),
    answer: {
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "m",
      output: [{
        id: "msg_1",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      }],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    },
  },
  messages: {
    path: "/v1/messages",
    request: (stream) => ({
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "hi" }],
      stream,
    }),
    answer: messagesAnswer(),
  },
  "generate-content": {
    path: "/v1beta/models/m:generateContent",
    streamPath: "/v1beta/models/m:streamGenerateContent?alt=sse",
    request: () => ({ contents: [{ role: "user", parts: [{ text: "hi" }] }] }),
    answer: {
      candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  },
};
const names = Object.keys(formats) as FormatName[]; // the table's own keys

function call(
  base: string,
  format: FormatName,
  { stream = false, headers = {} }: {
    readonly stream?: boolean;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<Response> {
  const { path, streamPath, request } = formats[format];
  return fetch(base + (stream && streamPath || path), {
    method: "POST",
    headers: {
      authorization: `Bearer ${testKey}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(request(stream)),
  });
}

function declared(base: string, format: FormatName, id = "up", priority = 0) {
  return { id, endpoints: { [format]: base }, apiKeys: ["up-secret"], models: ["m"], priority };
}

function gatewayTo(base: string, format: FormatName): Promise<TestGateway> {
  return startGateway({ upstreams: [declared(base, format)] });
}

for (const format of names) {
  for (const stream of [false, true]) {
    const how = stream ? "streamed" : "whole";
    Deno.test(`redirects are not followed and said in the format's own error: ${format}, ${how}`, async () => {
      await using inside = startUpstream(() => Response.json(formats[format].answer));
      for (const status of [301, 302, 303, 307, 308]) {
        const location = `${inside.base}/latest/meta-data?token=1`;
        await using upstream = startUpstream(() =>
          new Response("moved", { status, headers: { location } })
        );
        await using gateway = await gatewayTo(upstream.base, format);
        const response = await call(gateway.base, format, { stream });
        const text = await response.text();
        assertEquals(response.status, 502);
        assertStringIncludes(text, `redirects (${status}), and redirects are not followed`);
        const { code, reason = code } = JSON.parse(text).error; // a status is no reason
        assertEquals(reason, "upstream_invalid_response");
        assert(!text.includes("meta-data") && !response.headers.has("location"));
      }
      assertEquals(inside.seen, []);
    });
  }
}

Deno.test("redirects of one upstream leave the call to the next", async () => {
  await using moved = startUpstream(() => Response.redirect("https://elsewhere.test/", 308));
  await using good = startUpstream(() => Response.json(formats.messages.answer));
  await using gateway = await startGateway({
    upstreams: [
      declared(moved.base, "messages", "moved", 1),
      declared(good.base, "messages", "good"),
    ],
  });
  const response = await call(gateway.base, "messages");
  assertEquals((await response.json()).content[0].text, "Hi");
  assertEquals([moved.seen.length, good.seen.length], [1, 1]);
});

/** An upstream's headers for browsers, caches and proxies. */
const upstreamHeaders = {
  "set-cookie": "session=up",
  "server": "up/1.0",
  "x-powered-by": "up",
  "x-upstream-secret": "up-secret",
  "x-request-id": "up-request",
  "via": "1.1 up",
  "connection": "x-hop",
  "x-hop": "1",
  "keep-alive": "timeout=5",
  "proxy-authenticate": "Basic",
  "upgrade": "h2c",
  "access-control-allow-origin": "*",
  "strict-transport-security": "max-age=1",
  "content-security-policy": "default-src *",
  "location": "https://up.test/",
  "www-authenticate": "Basic",
  "openai-organization": "org-up",
  "alt-svc": 'h3=":443"',
};

/** All that the gateway says of its own. */
const ownHeaders =
  /^(content-type|content-length|transfer-encoding|date|vary|x-request-id|request-id|cache-control|x-content-type-options|x-accel-buffering|tessera-[a-z-]+|(x|anthropic)-ratelimit-[a-z-]+)$/;

for (const stream of [false, true]) {
  Deno.test(`no header of an upstream reaches a caller: ${stream ? "streamed" : "whole"}, native and converted`, async () => {
    const answer = ({ path }: Seen) => {
      const streamed = stream && path.includes("chat");
      const { answer } = formats["chat-completions"];
      const chunk = {
        ...answer,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }],
      };
      return streamed
        ? new Response(pieces([`data: ${JSON.stringify(chunk)}\n\n`, "data: [DONE]\n\n"]), {
          headers: { ...upstreamHeaders, "content-type": "text/event-stream" },
        })
        : Response.json(answer, { headers: upstreamHeaders });
    };
    await using upstream = startUpstream(answer);
    await using gateway = await gatewayTo(upstream.base, "chat-completions");
    for (const format of names) {
      const response = await call(gateway.base, format, { stream });
      assertEquals(response.status, 200, format);
      assertStringIncludes(await response.text(), "Hi");
      for (const [name, value] of response.headers) {
        assert(ownHeaders.test(name), `${format}: ${name}`);
        assert(!/\bup\b/.test(value), `${format}: ${name}: ${value}`);
      }
    }
  });
}

Deno.test("no header of an upstream's error reaches a caller, but when to try again", async () => {
  await using upstream = startUpstream(() =>
    Response.json({ error: { message: "slow down" } }, {
      status: 429,
      headers: { ...upstreamHeaders, "retry-after": "7" },
    })
  );
  await using gateway = await gatewayTo(upstream.base, "messages");
  const response = await call(gateway.base, "messages");
  await response.body?.cancel();
  assertEquals(response.status, 429);
  assert(Number(response.headers.get("retry-after")) <= 7);
  for (const name of Object.keys(upstreamHeaders)) {
    if (name !== "x-request-id") assertEquals(response.headers.get(name), null, name);
  }
  assert(response.headers.get("x-request-id")?.startsWith("req_"));
});

/** Headers of a caller, its proxies and its browser. */
const callerHeaders = {
  "cookie": "session=1",
  "x-forwarded-for": "203.0.113.9",
  "x-forwarded-host": "inside.test",
  "x-real-ip": "203.0.113.9",
  "forwarded": "for=203.0.113.9",
  "proxy-authorization": "Basic eDp5",
  "te": "trailers",
  "x-internal": "1",
  "x-stainless-os": "Linux",
  "origin": "https://app.test",
  "referer": "https://app.test/private",
  "user-agent": "agent/1.0",
  "openai-organization": "org-caller",
  "x-goog-api-key": testKey,
  "x-api-key": testKey,
  "anthropic-beta": "beta-1",
  "anthropic-version": "2023-06-01",
  "openai-beta": "beta-2",
  "accept-language": "de",
  "range": "bytes=0-10",
  "if-none-match": "x",
  "traceparent": "00-1-2-01",
};

/** Headers that the runtime's own client and the gateway always send. */
const always = [
  "accept",
  "accept-encoding",
  "accept-language",
  "content-length",
  "content-type",
  "host",
  "user-agent",
];
const besides: Readonly<Record<FormatName, readonly string[]>> = {
  "chat-completions": ["authorization", "openai-beta"],
  responses: ["authorization", "openai-beta"],
  messages: ["anthropic-beta", "anthropic-version", "x-api-key"],
  "generate-content": ["x-goog-api-key"],
};

for (const format of names) {
  Deno.test(`only a list of a caller's headers reaches an upstream: ${format}`, async () => {
    await using upstream = startUpstream(() => Response.json(formats[format].answer));
    await using gateway = await gatewayTo(upstream.base, format);
    for (const from of names) {
      await (await call(gateway.base, from, { headers: callerHeaders })).body?.cancel();
      const { headers, path } = upstream.seen.at(-1) ?? { headers: new Headers(), path: "" };
      const sent = [...headers.keys()];
      const own = from === format
        ? besides[format]
        : besides[format].filter((name) => !/beta/.test(name));
      assertEquals(sent.filter((name) => !always.includes(name)).sort(), [...own].sort(), from);
      assert(![...headers.values(), path].some((value) => value.includes(testKey)), from);
      assertEquals(headers.get("accept-language"), "*");
      assert(headers.get("user-agent")?.startsWith("Deno/"));
    }
  });
}

Deno.test("only the beginning of an endless error is read, and the upstream's connection closed", async () => {
  const cut = Promise.withResolvers<void>();
  await using upstream = startUpstream(() =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(97)),
        cancel: () => cut.resolve(),
      }),
      { status: 400 },
    )
  );
  await using gateway = await gatewayTo(upstream.base, "chat-completions");
  const response = await call(gateway.base, "chat-completions");
  const text = await response.text();
  assertEquals(response.status, 400);
  assert(text.length < 2_000, `${text.length}`);
  await cut.promise;
});

Deno.test("a page for browsers is no error message", async () => {
  await using upstream = startUpstream(() =>
    new Response("<html><h1>nginx 1.2 at 10.0.0.7</h1></html>", { status: 502 })
  );
  await using gateway = await gatewayTo(upstream.base, "messages");
  const response = await call(gateway.base, "messages");
  const text = await response.text();
  assertEquals(response.status, 502);
  assert(!text.includes("nginx") && JSON.parse(text).error.message.length > 0, text);
});

const consoleUpstream: UpstreamRecord = {
  id: "added",
  endpoints: {},
  credentials: ["up-secret"],
  models: [{ id: "m" }],
  priority: 0,
  weight: 1,
  groups: ["*"],
  timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 10_000 },
  enabled: true,
  origin: "console",
};

const exposures = [
  { env: {}, config: {}, isCalled: true },
  { env: { HOST: "0.0.0.0" }, config: {}, isCalled: false },
  { env: { HOST: "0.0.0.0" }, config: { allowPrivateUpstreams: true }, isCalled: true },
  { env: {}, config: { trustedProxies: ["127.0.0.1"] }, isCalled: false },
  { env: { TESSERA_TRUSTED_PROXIES: "127.0.0.1" }, config: {}, isCalled: false },
  { env: {}, config: { publicUrl: "https://gateway.example.com" }, isCalled: false },
  { env: {}, config: { publicUrl: "http://localhost:8000" }, isCalled: true },
  {
    env: {},
    config: { trustedProxies: ["127.0.0.1"], allowPrivateUpstreams: true },
    isCalled: true,
  },
] as const;
for (const { env, config, isCalled } of exposures) {
  Deno.test(`an upstream of the console on this machine is ${isCalled ? "" : "not "}called by a server with ${JSON.stringify({ ...env, ...config })}`, async () => {
    await using upstream = startUpstream(() => Response.json(formats.messages.answer));
    await using gateway = await composed(env, config);
    const endpoints = { messages: upstream.base };
    await createUpstream(gateway.store, { ...consoleUpstream, endpoints });
    await gateway.known("added");
    const response = await call(gateway.base, "messages");
    const text = await response.text();
    assertEquals(upstream.seen.length, isCalled ? 1 : 0);
    assertEquals(response.status, isCalled ? 200 : 502, text);
    if (isCalled) return;
    assertStringIncludes(text, "Cannot reach the upstream: its address is not allowed");
    assert(!text.includes(new URL(upstream.base).host));
    const { rows: [row] } = await listRequestLogs(gateway.store, { limit: 1 });
    assertEquals(row.upstreamId, "added");
  });
}

/** A gateway under an environment of a test's own. */
async function composed(env: Record<string, string>, config: Record<string, unknown>) {
  const file = await Deno.makeTempFile({ suffix: ".jsonc" });
  const keys = [{ name: "test", group: "default", value: testKey }];
  await Deno.writeTextFile(file, JSON.stringify({ keys, ...config }));
  const parts = await compose({ TESSERA_KV: ":memory:", TESSERA_CONFIG: file, ...env });
  await Deno.remove(file);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, parts.fetch);
  const isKnown = (id: string) => parts.gateway.upstreams().some((one) => one.id === id);
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    store: parts.store,
    known: async (id: string) => {
      const deadline = performance.now() + 5_000;
      while (!isKnown(id)) {
        assert(performance.now() < deadline, "the upstream did not become known");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await parts.close();
    },
  };
}
