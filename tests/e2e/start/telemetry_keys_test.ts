import { assert, assertEquals } from "@std/assert";
import { RawClient } from "../../raw_client.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { removeFolder } from "../../store/temp_store.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { testKey } from "../gateway.ts";
import { freePort, type ServerOptions, startServer } from "../server_process.ts";
import { startCollector } from "./otlp_collector.ts";

const wrongKey = "sk-wrong-0123456789abcdefghi";
const credential = "up-credential-0123456789";
const linkToken = "tok_0123456789abcdefghijklm";

const carriers: readonly ((key: string) => { headers?: Record<string, string>; query?: string })[] =
  [
    (key) => ({ query: `key=${key}` }),
    (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    (key) => ({ headers: { "x-api-key": key } }),
    (key) => ({ headers: { "x-goog-api-key": key } }),
    (key) => ({ headers: { "x-alt-api-key": key } }),
  ];

const chat = (model: string) => ({ model, messages: [{ role: "user", content: "hi" }] });
const contents = { contents: [{ parts: [{ text: "hi" }] }] };

/** One of each kind, with the class of status that its answer has. */
const calls = [
  { method: "POST", path: "/v1/chat/completions", body: chat("of-chat"), status: 2 },
  { method: "POST", path: "/v1/chat/completions", body: chat("of-google"), status: 2 },
  { method: "POST", path: "/v1/chat/completions", body: chat("broken"), status: 5 },
  { method: "POST", path: "/v1/chat/completions", body: chat("gone"), status: 5 },
  { method: "POST", path: "/v1/chat/completions", body: chat("unknown"), status: 4 },
  {
    method: "POST",
    path: "/v1beta/models/of-google:streamGenerateContent?alt=sse",
    body: contents,
    status: 2,
  },
  { method: "GET", path: "/v1/models", status: 2 },
  { method: "GET", path: "/v1/nowhere", status: 4 },
  { method: "GET", path: "/v1/chat/completions", status: 4 },
  { method: "POST", path: "/openai/v1/chat/completions", body: {}, status: 4 },
  { method: "GET", path: "/console/nowhere", status: 4 },
] as const;

const answer = chatAnswer();
const googleAnswer = {
  candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
};

function startUpstreams() {
  return startUpstream(({ path, body }) => {
    if (JSON.stringify(body).includes("broken")) return Response.json({}, { status: 500 });
    if (path.includes("stream")) {
      return new Response(`data: ${JSON.stringify(googleAnswer)}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    }
    return Response.json(path.includes("chat") ? answer : googleAnswer);
  });
}

function configFor({ base }: FakeUpstream) {
  const upstream = (id: string, format: string, base: string) => ({
    id,
    endpoints: { [format]: base },
    apiKeys: [credential],
    models: [id],
  });
  return {
    upstreams: [
      upstream("of-chat", "chat-completions", base),
      upstream("broken", "chat-completions", base),
      upstream("of-google", "generate-content", base),
      upstream("gone", "messages", `http://127.0.0.1:${freePort()}`),
    ],
  };
}

async function callAll(base: string): Promise<void> {
  for (const carry of carriers) {
    for (const { method, path, status, ...rest } of calls) {
      for (const key of [testKey, wrongKey]) {
        const { headers, query = "" } = carry(key);
        const glue = query && (path.includes("?") ? "&" : "?");
        const response = await fetch(`${base}${path}${glue}${query}`, {
          method,
          headers: { ...headers, ...("body" in rest && { "content-type": "application/json" }) },
          ...("body" in rest && { body: JSON.stringify(rest.body) }),
          redirect: "manual",
        });
        await response.text();
        if (key === testKey) assertEquals(Math.floor(response.status / 100), status, path);
      }
    }
  }
  for (const kind of ["setup", "invitation", "password"]) {
    await (await fetch(`${base}/${kind}/${linkToken}`)).body?.cancel();
  }
}

/** A host header that is no address: the runtime's tracing fails on it before the handler runs. */
async function callWithBadHost(base: string): Promise<string> {
  using client = await RawClient.to(new URL(base));
  await client.write(
    `GET /v1/models?key=${testKey} HTTP/1.1\r\nhost: bad host\r\nconnection: close\r\n\r\n`,
  );
  return await client.readAll();
}

const servers: readonly (ServerOptions & { readonly kind: string })[] = [
  { kind: "deno run" },
  { kind: "deno serve --parallel", isolates: 2 },
];
for (const { kind, ...options } of servers) {
  Deno.test(`telemetry: no key and no credential is in a span, a log line or a metric: ${kind}`, async () => {
    await using collector = startCollector();
    await using upstream = startUpstreams();
    const folder = await Deno.makeTempDir();
    const env = { ...collector.env };
    const server = await startServer(folder, { ...options, config: configFor(upstream), env });
    await callAll(server.base);
    assert((await callWithBadHost(server.base)).startsWith("HTTP/1.1 400 "));
    assertEquals(await server.stop(), 0);
    await removeFolder(folder);
    const text = collector.text();
    assertEquals([...collector.paths()].sort(), ["/v1/logs", "/v1/metrics", "/v1/traces"]);
    for (const { path } of calls) assert(text.includes(path.split("?")[0]), path);
    assert(text.includes(new URL(upstream.base).host), "calls to upstreams are traced");
    for (const secret of [testKey, wrongKey, credential, linkToken]) {
      const at = text.indexOf(secret);
      assertEquals(at < 0 ? "" : text.slice(Math.max(0, at - 200), at + secret.length), "");
    }
  });
}

Deno.test("telemetry: the first key and the set-up link that a start prints are in no log line", async () => {
  await using collector = startCollector();
  const folder = await Deno.makeTempDir();
  const server = await startServer(folder, { config: { keys: [] }, env: collector.env });
  await (await fetch(`${server.base}/console/nowhere`)).body?.cancel();
  assertEquals(await server.stop(), 0);
  await removeFolder(folder);
  assert(collector.paths().has("/v1/traces"));
  assertEquals(/sk-\w{20,}|\/setup\/\w+/.exec(collector.text())?.[0], undefined);
});
