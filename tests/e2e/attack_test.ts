import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import type { FormatName } from "../../lib/canonical/mod.ts";
import { codecs } from "../../lib/formats/mod.ts";
import { signsOfLife } from "../../lib/http/stream/framing.ts";
import { SseReader } from "../../lib/http/stream/sse.ts";
import { streamBody } from "../../lib/http/stream/stream_body.ts";
import { listRequestLogs, type RequestLogRow } from "../../lib/store/log/mod.ts";
import { openStore } from "../../lib/store/mod.ts";
import { chatChunk } from "../formats/chat_chunk.ts";
import { RawClient } from "../raw_client.ts";
import { removeFolder } from "../store/temp_store.ts";
import { later, until } from "../waiting.ts";
import { pieces, type Seen, startUpstream } from "./fake_upstream.ts";
import { startGateway, type TestGateway, testKey } from "./gateway.ts";
import { ofSize, sizeInTurn } from "./load/sized_body.ts";

/** Attacks by callers and upstreams, mistakes of operators, and their required outcome. */

const prompt = "PROMPT-THAT-NO-LOG-MAY-HOLD";
const credential = "up-credential-that-nobody-may-see";

interface Format {
  readonly path: string;
  readonly streamPath?: string;
  readonly body: (model: string, stream?: boolean) => Record<string, unknown>;
}

const formats: Readonly<Record<FormatName, Format>> = {
  "chat-completions": {
    path: "/v1/chat/completions",
    body: (model, stream) => ({ model, stream, messages: [{ role: "user", content: prompt }] }),
  },
  responses: {
    path: "/v1/responses",
    body: (model, stream) => ({ model, stream, input: prompt }),
  },
  messages: {
    path: "/v1/messages",
    body: (model, stream) => ({
      model,
      stream,
      max_tokens: 9,
      messages: [{ role: "user", content: prompt }],
    }),
  },
  "generate-content": {
    path: "/v1beta/models/MODEL:generateContent",
    streamPath: "/v1beta/models/MODEL:streamGenerateContent?alt=sse",
    body: () => ({ contents: [{ role: "user", parts: [{ text: prompt }] }] }),
  },
};
const formatNames = Object.keys(formats) as FormatName[]; // the table's own keys

interface Sent {
  readonly model?: string;
  readonly stream?: boolean;
  readonly init?: RequestInit;
}

function call(
  { base }: { readonly base: string },
  name: FormatName,
  { model = "m", stream = false, init = {} }: Sent = {},
): Promise<Response> {
  const { path, streamPath, body } = formats[name];
  return fetch(base + (stream && streamPath || path).replace("MODEL", model), {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify(body(model, stream)),
    ...init,
  });
}

interface Against {
  readonly format?: FormatName;
  readonly timeouts?: Record<string, number>;
  readonly models?: readonly string[];
}

/** A gateway before one upstream, with everything that was logged. */
async function against(
  answer: (seen: Seen) => Response | Promise<Response>,
  { format = "chat-completions", timeouts = {}, models = ["m"] }: Against,
  run: (
    parts: { gateway: TestGateway; seen: readonly Seen[]; logged: string[] },
  ) => Promise<void>,
): Promise<void> {
  await using upstream = startUpstream(answer);
  await using gateway = await startGateway({
    upstreams: [{
      id: "up",
      endpoints: { [format]: upstream.base },
      apiKeys: [credential],
      models,
      ...(Object.keys(timeouts).length > 0 && { timeouts }),
    }],
  });
  const logged: string[] = [];
  const print = console.error;
  console.error = (...words: unknown[]) => void logged.push(words.join(" "));
  try {
    await run({ gateway, seen: upstream.seen, logged });
  } finally {
    console.error = print;
  }
}

async function rowsOf({ parts }: TestGateway): Promise<readonly RequestLogRow[]> {
  return (await listRequestLogs(parts.store, { limit: 100 })).rows;
}

const sse = { headers: { "content-type": "text/event-stream" } };
const chunk = (content: string, finish: string | null = null) =>
  chatChunk({ delta: { content }, finish });
const done = "data: [DONE]\n\n";

const text = new TextEncoder();

/** The first that a connection answers to the bytes that are written to it. */
async function raw(
  { base }: { readonly base: string },
  request: string,
  ...body: readonly Uint8Array[]
): Promise<string> {
  using client = await RawClient.to(new URL(base));
  for (const bytes of [request, ...body]) await client.write(bytes);
  return await client.readSome();
}

Deno.test("attack: malformed hosts and addresses are a 400 in an API's shape", async () => {
  await using gateway = await startGateway();
  const requests = [
    `GET /v1/models?key=${testKey} HTTP/1.1\r\nhost: [\r\n\r\n`,
    `GET /v1/models?key=${testKey} HTTP/1.1\r\nhost: a b\r\n\r\n`,
    `GET http://x:99999/v1/models?key=${testKey} HTTP/1.1\r\nhost: x\r\n\r\n`,
  ];
  for (const request of requests) {
    const answer = await raw(gateway, request);
    assertStringIncludes(answer, "HTTP/1.1 400 ");
    assertStringIncludes(answer, '"code":"invalid_request"');
    assert(!answer.includes(testKey));
  }
  // Deno itself refuses a request line that it cannot parse (2.8.2: with an empty body).
  const refused = await raw(gateway, `GET http://[/v1/models?key=${testKey} HTTP/1.1\r\n\r\n`);
  assertStringIncludes(refused, "HTTP/1.1 400 ");
  assert(!refused.includes(testKey));
});

Deno.test("attack: two lengths of one body are refused, whichever they are", async () => {
  await using gateway = await startGateway();
  const head =
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\n`;
  for (
    const lengths of [
      "content-length: 4\r\ntransfer-encoding: chunked\r\n",
      "content-length: 4\r\ncontent-length: 5\r\n",
      "content-length: -4\r\n",
      "transfer-encoding: identity\r\n",
    ]
  ) {
    assertStringIncludes(await raw(gateway, `${head}${lengths}\r\n0\r\n\r\n`), "HTTP/1.1 400 ");
  }
});

Deno.test("attack: a head that a proxy may read differently is a 400, and the bytes behind it are no request", async () => {
  await using gateway = await startGateway();
  const chunk = "3\r\nabc\r\n0\r\n\r\n";
  const next = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
  const heads = [
    "host: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n",
    "host: x\r\ntransfer-encoding: gzip, chunked\r\n",
    "host: x\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n",
    "host: x\r\ntransfer-encoding: chunked, chunked\r\n",
    "host: x\r\nhost: y\r\ntransfer-encoding: chunked\r\n",
  ];
  for (const head of heads) {
    for (const path of ["/v1/chat/completions", "/login", "/healthz"]) {
      using client = await RawClient.to(new URL(gateway.base));
      await client.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${chunk}${next}`);
      const answer = await client.readAll(2_000);
      assertStringIncludes(answer, "HTTP/1.1 400 ", head);
      assertStringIncludes(answer, '"code":"invalid_request"');
      assertEquals(answer.split("HTTP/1.1 ").length, 2, answer);
    }
  }
});

Deno.test("attack: a base URL with a trailing slash or capitals gets the nearest address, not a page", async () => {
  await using gateway = await startGateway();
  for (
    const path of ["//v1/messages", "/V1/chat/completions", "///v1beta/models/x:generateContent"]
  ) {
    const response = await fetch(gateway.base + path, { method: "POST", body: "{}" });
    assertEquals(response.status, 404, path);
    const { error } = await response.json();
    assertEquals(error.reason ?? error.code, "unknown_endpoint", path);
  }
});

Deno.test("attack: a path of many doubled segments costs little", async () => {
  await using gateway = await startGateway();
  const path = `/v1${"/chat/completions/".repeat(3_500)}x`;
  const started = performance.now();
  for (let n = 0; n < 20; n++) await (await fetch(gateway.base + path)).body?.cancel();
  const tookMs = performance.now() - started;
  assert(tookMs < 2_000, `took ${tookMs} ms`);
});

Deno.test("attack: compressed bodies of 200 MB of zeros are refused and end nothing", async () => {
  await using gateway = await startGateway({ limits: { bodyBytesMax: 1_000_000 } });
  const zeros = new Uint8Array(200 * 1024 * 1024);
  const gzip = new Blob([zeros]).stream().pipeThrough(new CompressionStream("gzip"));
  const bombs = { zstd: zstdCompressSync(zeros), gzip: await new Response(gzip).bytes() };
  for (const [encoding, bomb] of Object.entries(bombs)) {
    const response = await call(gateway, "chat-completions", {
      init: {
        headers: { authorization: `Bearer ${testKey}`, "content-encoding": encoding },
        body: new Uint8Array(bomb),
      },
    });
    assertEquals(response.status, 413, encoding);
    assertEquals((await response.json()).error.code, "body_too_large", encoding);
  }
  await later(100); // data that arrives behind the refusal once ended the process
  const response = await call(gateway, "chat-completions", { model: "tessera-echo" });
  assertEquals(response.status, 200);
  await response.body?.cancel();
});

Deno.test("attack: a body that stops arriving is a 408, compressed or not", async () => {
  await using gateway = await startGateway({ limits: { bodyTimeoutMs: 150 } });
  const begun = zstdCompressSync(text.encode("x".repeat(100_000))).subarray(0, 12);
  for (const [encoding, bytes] of [["identity", text.encode("{")], ["zstd", begun]] as const) {
    const head =
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\n` +
      `content-encoding: ${encoding}\r\ntransfer-encoding: chunked\r\n\r\n${
        bytes.length.toString(16)
      }\r\n`;
    const answer = await raw(gateway, head, bytes, text.encode("\r\n"));
    assertStringIncludes(answer, "HTTP/1.1 408 ", encoding);
  }
});

Deno.test("attack: a model's name with half a character is a 400", () =>
  against(
    () => new Response("{}"),
    { format: "generate-content", models: ["*"] },
    async ({ gateway }) => {
      const body = `{"model":"m\\ud800","messages":[{"role":"user","content":"hi"}]}`;
      const response = await call(gateway, "chat-completions", { init: { body } });
      assertEquals(response.status, 400);
      assertEquals((await response.json()).error.code, "invalid_request");
    },
  ));

for (
  const [name, members] of Object.entries({
    "twice": `"model":"secret","model":"m"`,
    "in another case": `"model":"m","MODEL":"secret"`,
    "in escapes": `"model":"m","\\u004dode\\u006c":"secret"`,
  })
) {
  Deno.test(`attack: a body that names its model ${name} reaches no upstream`, () =>
    against(() => new Response("{}"), {}, async ({ gateway, seen }) => {
      const body = `{${members},"messages":[{"role":"user","content":"hi"}]}`;
      const response = await call(gateway, "chat-completions", { init: { body } });
      assertEquals(response.status, 400);
      assertEquals((await response.json()).error.code, "invalid_request");
      assertEquals(seen.length, 0);
    }));
}

Deno.test("attack: a model's name that a group admits is not another's at the upstream", async () => {
  await using upstream = startUpstream(() => new Response("{}"));
  await using gateway = await startGateway({
    groups: [{ id: "default", models: ["m*"], formats: ["*"] }],
    upstreams: [{ id: "up", endpoints: { "generate-content": upstream.base }, models: ["*"] }],
  });
  const names = ["secret", "models%2Fsecret", "m%2F..%2Fsecret", "m/../secret", "m%5c..%5csecret"];
  for (
    const model of [...names, "m%252F..%252Fsecret", "m;secret", "m%3Fx", "m%23x", "M", "m%00"]
  ) {
    await (await call(gateway, "generate-content", { model })).body?.cancel();
  }
  for (const { path } of upstream.seen) {
    const sent = decodeURIComponent(path.slice("/models/".length));
    assert(sent.startsWith("m"), path);
  }
  assert(!upstream.seen.some(({ path }) => path.includes("?") || path.includes("../")));
});

Deno.test("attack: keys that reach for the prototype change nothing", async () => {
  await using gateway = await startGateway();
  const evil = `"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}`;
  for (const name of formatNames) {
    const inner = JSON.stringify(formats[name].body("tessera-echo", false))
      .replaceAll("{", `{${evil},`);
    const response = await call(gateway, name, { model: "tessera-echo", init: { body: inner } });
    assert(response.status < 500, `${name}: ${response.status}`);
    await response.body?.cancel();
  }
  assertEquals(Reflect.get({}, "polluted"), undefined);
});

Deno.test("attack: line breaks in names reach no header", () =>
  against(() => new Response("{}"), { format: "generate-content" }, async ({ gateway, seen }) => {
    const evil = "x\r\nset-cookie: a=b";
    const body = JSON.stringify({
      ...formats["chat-completions"].body("m"),
      [evil]: 1,
      tools: [{ type: "function", function: { name: evil, parameters: { [evil]: evil } } }],
    });
    const response = await call(gateway, "chat-completions", { init: { body } });
    assertEquals(response.headers.get("set-cookie"), null);
    assert(seen.every(({ headers }) => headers.get("set-cookie") === null));
    await response.body?.cancel();
  }));

for (const format of formatNames) {
  for (
    const [name, body] of [["nothing", "{}"], ["an error", '{"error":{"message":"x","code":500}}']]
  ) {
    Deno.test(`attack ${format}: ${name} with status 200 is no answer`, () =>
      against(() => Response.json(JSON.parse(body)), { format }, async ({ gateway }) => {
        const response = await call(gateway, format);
        assertEquals(response.status, 502);
        await response.body?.cancel();
        assertEquals((await rowsOf(gateway))[0].outcome, "upstream_error");
      }));
  }

  Deno.test(`attack ${format}: a refusal that repeats credential and prompt shows and logs neither`, () =>
    against(
      () => Response.json({ error: { message: `${credential} ${prompt}` } }, { status: 500 }),
      { format },
      async ({ gateway, logged }) => {
        const response = await call(gateway, format);
        assert(!(await response.text()).includes(credential));
        assertEquals(logged.length, 1);
        for (const secret of [credential, prompt]) assert(!logged[0].includes(secret));
      },
    ));
}

Deno.test("attack: an event that is torn off does not swallow the error behind it", () =>
  against(
    () => new Response(pieces([chunk("Hi"), 'data: {"id":"c","choi']), sse),
    {},
    async ({ gateway }) => {
      const answer = await (await call(gateway, "chat-completions", { stream: true })).text();
      const events = answer.trim().split("\n\n").map((event) => JSON.parse(event.slice(6)));
      assertEquals(events.at(-1).error.code, "upstream_truncated");
    },
  ));

Deno.test("attack: an error that hides beside usage is no clean end", () => {
  const error = '{"choices":[],"usage":{"prompt_tokens":1},"error":{"message":"x","code":500}}';
  return against(
    () => new Response(pieces([chunk("Hi"), `data: ${error}\n\n`, done]), sse),
    {},
    async ({ gateway }) => {
      const answer = await (await call(gateway, "chat-completions", { stream: true })).text();
      assertStringIncludes(answer, '"error"');
      assert(!answer.includes("[DONE]"));
    },
  );
});

for (const format of ["chat-completions", "messages"] as const) {
  Deno.test(`attack: a stream in place of a whole ${format} answer ends with its last event, though it stays open`, () =>
    against(
      () => new Response(pieces([chunk("Hi", "stop"), done], { closes: false }), sse),
      { timeouts: { idleMs: 2_000 } },
      async ({ gateway, seen }) => {
        const response = await call(gateway, format);
        assertEquals(response.status, 200);
        assertStringIncludes(await response.text(), "Hi");
        await seen[0].aborted;
      },
    ));

  Deno.test(`attack: a stream in place of a whole ${format} answer is cancelled when it fails`, () =>
    against(
      () => {
        const error = 'data: {"error":{"message":"x","code":500}}\n\n';
        return new Response(pieces([chunk("Hi"), error], { closes: false }), sse);
      },
      {},
      async ({ gateway, seen }) => {
        assertEquals((await call(gateway, format)).status, 502);
        await seen[0].aborted;
      },
    ));
}

Deno.test("attack: a stream without a content type is known byte by byte", () =>
  against(
    () => new Response(pieces([..."\n", ...chunk("Hi", "stop"), done])),
    {},
    async ({ gateway }) => {
      const response = await call(gateway, "chat-completions", { stream: true });
      assertStringIncludes(await response.text(), "[DONE]");
    },
  ));

Deno.test("attack: an answer whose few compressed bytes are many is a 502", async () => {
  const letters = new Blob(['"', new Uint8Array(150 * 1024 * 1024).fill(97)]).stream();
  const bomb = await new Response(letters.pipeThrough(new CompressionStream("gzip"))).bytes();
  await against(
    () =>
      new Response(bomb, {
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
      }),
    {},
    async ({ gateway }) => {
      const response = await call(gateway, "chat-completions");
      assertEquals(response.status, 502);
      assertStringIncludes((await response.json()).error.message, "longer than");
    },
  );
});

Deno.test("attack: a redirect is not followed, with the credential or without", async () => {
  await using thief = startUpstream(() => new Response("{}"));
  await against(
    () => new Response(null, { status: 307, headers: { location: `${thief.base}/steal` } }),
    {},
    async ({ gateway }) => {
      assertEquals((await call(gateway, "chat-completions")).status, 502);
      assertEquals(thief.seen.length, 0);
    },
  );
});

Deno.test("attack: implausible token counts neither break the answer nor enter the log", () => {
  const usage = '{"prompt_tokens":1e300,"completion_tokens":1.5e308,"total_tokens":1e308}';
  const choice = '{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}';
  const body = `{"id":"c","object":"chat.completion","choices":[${choice}],"usage":${usage}}`;
  return against(
    () => new Response(body, { headers: { "content-type": "application/json" } }),
    {},
    async ({ gateway }) => {
      for (let n = 0; n < 2; n++) {
        assertEquals(await (await call(gateway, "chat-completions")).text(), body);
      }
      for (const { outcome, usage: kept } of await rowsOf(gateway)) {
        assertEquals(outcome, "completed");
        assert((kept?.outputTokens ?? Infinity) <= Number.MAX_SAFE_INTEGER);
      }
      const metrics = await (await fetch(`${gateway.base}/metrics`)).text();
      assertStringIncludes(metrics, "tessera_tokens_total");
    },
  );
});

Deno.test("attack: an event of 4 MB in pieces of 1 KB is read in time that grows with its length", () => {
  const event = text.encode(`data: "${"a".repeat(4 * 1024 * 1024)}"\n\n`);
  const reader = new SseReader();
  const started = performance.now();
  let frames = 0;
  for (let at = 0; at < event.length; at += 1024) {
    frames += reader.push(event.subarray(at, at + 1024)).length;
  }
  assertEquals(frames, 1);
  const tookMs = performance.now() - started;
  assert(tookMs < 1_500, `took ${tookMs} ms`);
});

Deno.test("attack: an event without an end is cancelled and refused as the upstream's fault", () => {
  const { promise: hungUp, resolve: onHangUp } = Promise.withResolvers<void>();
  const endless = () =>
    new ReadableStream({
      pull: async (controller) => {
        await later(0);
        controller.enqueue(text.encode("a".repeat(1024 * 1024)));
      },
      cancel: () => onHangUp(),
    }, { highWaterMark: 0 });
  return against(() => new Response(endless(), sse), {}, async ({ gateway }) => {
    const response = await call(gateway, "chat-completions", { stream: true });
    assertEquals(response.status, 502);
    assertEquals((await response.json()).error.code, "upstream_invalid_response");
    await hungUp;
  });
});

Deno.test("attack: what goes on for ever behind the last words is not waited for", () => {
  const event = (text: string, finishReason?: string) =>
    `data: ${
      JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, finishReason }] })
    }\n\n`;
  const { promise: hungUp, resolve: onHangUp } = Promise.withResolvers<void>();
  let sent = 0;
  const endless = () =>
    new ReadableStream({
      pull: async (controller) => {
        await later(0);
        const late = event("x".repeat(500_000));
        controller.enqueue(text.encode(sent++ === 0 ? event("Hi", "STOP") : late));
      },
      cancel: () => onHangUp(),
    }, { highWaterMark: 0 });
  return against(
    () => new Response(endless(), sse),
    { format: "generate-content" },
    async ({ gateway }) => {
      const response = await call(gateway, "generate-content", { stream: true });
      assertStringIncludes(await response.text(), "STOP");
      await hungUp;
      assertEquals((await rowsOf(gateway))[0].outcome, "completed");
    },
  );
});

Deno.test("attack: a bug in the error form itself is settled once and is no clean end", async () => {
  const bug = () => {
    throw new TypeError("A bug");
  };
  const settled: string[] = [];
  const cancelled: string[] = [];
  const body = streamBody(
    {
      read: () => Promise.resolve("x"),
      cancel: ({ code }) => void cancelled.push(code),
      release: () => {},
    },
    { isFinished: false, push: bug, end: bug, fail: bug, result: bug },
    {
      caller: new AbortController().signal,
      errorForm: () => undefined,
      settle: ({ error }) => {
        settled.push(String(error?.code));
        return Promise.resolve({});
      },
      close: (terminal) => terminal,
      signs: signsOfLife(codecs["chat-completions"], "sse"),
      tailMs: 1_000,
      readTimeoutMs: 60_000,
      keepAliveMs: 5,
      first: [],
    },
  );
  await assertRejects(() => body.getReader().read());
  await later(20); // a keep-alive into a broken stream would end the process
  assertEquals([settled, cancelled], [["internal_error"], ["internal_error"]]);
});

Deno.test("attack: a caller that pauses for longer than an upstream may holds it back and gets all of it", () => {
  let sent = 0;
  let last = false;
  const fast = () =>
    new ReadableStream({
      pull: async (controller) => {
        await later(0);
        sent++;
        controller.enqueue(
          text.encode(last ? chunk("END", "stop") + done : chunk("x".repeat(50_000))),
        );
        if (last) controller.close();
      },
    }, { highWaterMark: 0 });
  return against(
    () => new Response(fast(), sse),
    { timeouts: { idleMs: 300 } },
    async ({ gateway }) => {
      const response = await call(gateway, "chat-completions", { stream: true });
      const reader = response.body?.getReader();
      await reader?.read();
      // The buffers of the connections fill up first.
      let before = -Infinity;
      for (let n = 0; n < 30 && sent - before >= 5; n++) {
        before = sent;
        await later(700);
      }
      assert(sent - before < 5, "the upstream was not held back");
      last = true;
      let tail = "";
      for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
        tail = (tail + new TextDecoder().decode(next.value)).slice(-100);
      }
      assertStringIncludes(tail, "[DONE]");
      assertEquals((await rowsOf(gateway))[0].outcome, "completed");
    },
  );
});

Deno.test("attack: callers that leave just as the answer begins leave one row each and nothing running", () => {
  let onSeen = () => {};
  return against(
    () => {
      onSeen();
      return new Response(pieces([chunk("Hi")], { closes: false }), sse);
    },
    {},
    async ({ gateway, seen }) => {
      for (let n = 0; n < 20; n++) {
        const caller = new AbortController();
        onSeen = () => setTimeout(() => caller.abort(), n / 4);
        const format = n % 2 ? "chat-completions" : "messages";
        const request = formats[format].body("m", true);
        const body = JSON.stringify(ofSize(format, request, sizeInTurn(n).bytes));
        await call(gateway, format, { stream: true, init: { signal: caller.signal, body } })
          .then((response) => response.text()).catch(() => {});
      }
      await until(async () => (await rowsOf(gateway)).length === 20);
      for (const { outcome } of await rowsOf(gateway)) assertEquals(outcome, "client_gone");
      await Promise.all(seen.map(({ aborted }) => aborted));
    },
  );
});

Deno.test("attack: a store that fails while settling is no clean end, and the operator hears of it", async () => {
  const answer = () => new Response(pieces([chunk("Hi"), chunk("", "stop"), done]), sse);
  await using upstream = startUpstream(answer);
  await using gateway = await startGateway({
    upstreams: [{ id: "up", endpoints: { "chat-completions": upstream.base }, models: ["m"] }],
  });
  const reported: string[] = [];
  const { ledger } = gateway.parts.gateway;
  const parts = {
    ...gateway.parts.gateway,
    ledger: {
      recentTokens: ledger.recentTokens.bind(ledger),
      reserveIfPlenty: ledger.reserveIfPlenty.bind(ledger),
      reserve: ledger.reserve.bind(ledger),
      release: ledger.release.bind(ledger),
      vacate: ledger.vacate.bind(ledger),
      watch: ledger.watch.bind(ledger),
      settle: () => Promise.reject(new TypeError("The store is gone")),
    },
    report: (_: unknown, id: string) => void reported.push(id),
  };
  const { createDispatcher } = await import("../../lib/dispatcher.ts");
  const { crossOrigin } = await import("../../lib/http/cross_origin.ts");
  const { Metrics } = await import("../../lib/telemetry/mod.ts");
  const dispatch = createDispatcher({
    crossOrigin: crossOrigin([]),
    gateway: parts,
    idempotentCalls: { answer: () => Promise.reject(new TypeError("No key is sent")) },
    models: () => [],
    store: gateway.parts.store,
    timeZone: "UTC",
    metrics: new Metrics(),
    metricsAccess: { isOpenToThisMachine: true },
    storeHealth: { fault: undefined, sinceMs: 0 },
    isStoreReady: () => Promise.resolve(true),
    devices: {
      ...{ store: gateway.parts.store, directory: gateway.parts.directory, now: Date.now },
      ...{ limits: gateway.parts.config.limits, timeZone: "UTC" },
    },
    now: Date.now,
    manage: () => Promise.reject(new TypeError("No management API here")),
    describeManagement: () => Promise.reject(new TypeError("No management API here")),
  });
  const request = new Request("http://x/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify(formats["chat-completions"].body("m", true)),
  });
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 };
  const response = await dispatch(request, { remoteAddr, completed: Promise.resolve() });
  assertEquals(response?.status, 200);
  const failure = await response?.text().catch((error) => error);
  assert(failure instanceof Error);
  assertEquals(reported, [response?.headers.get("x-request-id")]);
});

Deno.test("attack: SIGTERM ends a stream that outlasts the grace time in its error form, with its row, and exits with 0", async () => {
  await using upstream = startUpstream(() =>
    new Response(pieces([chunk("Hi")], { closes: false }), sse)
  );
  const folder = await Deno.makeTempDir();
  const location = `${folder}/tessera.db`;
  await Deno.writeTextFile(
    `${folder}/config.jsonc`,
    JSON.stringify({
      keys: [{ name: "test", group: "default", value: testKey }],
      limits: { stopGraceMs: 300 },
      upstreams: [{ id: "up", endpoints: { "chat-completions": upstream.base }, models: ["m"] }],
    }),
  );
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("../../main.ts", import.meta.url).pathname],
    env: { PORT: "0", TESSERA_KV: location, TESSERA_CONFIG: `${folder}/config.jsonc` },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const base = await addressOf(process);
  const response = await call({ base }, "chat-completions", { stream: true });
  process.kill("SIGTERM");
  assertStringIncludes(await response.text(), '"code":"shutting_down"');
  assertEquals((await process.status).code, 0);
  await process.stdout.cancel();

  const store = await openStore({ location: { type: "file", path: location } });
  const { rows } = await listRequestLogs(store, { limit: 10 });
  store.close();
  assertEquals(rows.map(({ id, errorCode }) => [id, errorCode]), [
    [response.headers.get("x-request-id") ?? "", "shutting_down"],
  ]);
  await removeFolder(folder);
});

async function addressOf(process: Deno.ChildProcess): Promise<string> {
  let printed = "";
  const decoder = new TextDecoder();
  for await (const bytes of process.stdout.values({ preventCancel: true })) {
    printed += decoder.decode(bytes, { stream: true });
    const base = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0];
    if (base) return base;
  }
  throw new Error(`The gateway did not start: ${printed}`);
}
