import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import type { UpstreamRecord } from "../../lib/store/catalog/mod.ts";
import { type ConnectionReport, testConnection } from "../../lib/upstreams/connection.ts";
import { type Seen, startUpstream } from "../e2e/fake_upstream.ts";
import { sampleUpstream, send } from "./probe_sample.ts";
import { startRawServer } from "./raw_server.ts";

const list = { object: "list", data: [{ id: "a" }, { id: "b" }] };

/** A server that has its API below a base, as the vendor of the chat-completions format does. */
function api(base: string, { path, body, headers }: Seen): Response {
  if (headers.get("authorization") !== "Bearer up-secret") {
    const message = `Incorrect API key provided: ${headers.get("authorization")}`;
    return Response.json({ error: { message } }, { status: 401 });
  }
  if (path === `${base}/models`) return Response.json(list);
  if (path === `${base}/chat/completions` && body === "{}") {
    return Response.json({ error: { message: "model is required" } }, { status: 400 });
  }
  return new Response("<html>Not Found</html>", { status: 404 });
}

async function reportOf(
  answer: (seen: Seen) => Response,
  fields: (base: string) => Partial<UpstreamRecord>,
): Promise<ConnectionReport> {
  await using upstream = startUpstream(answer);
  const report = await testConnection(sampleUpstream(fields(upstream.base)), send);
  const text = JSON.stringify(report).replaceAll(upstream.base, "BASE");
  assert(!text.includes("up-secret"), text);
  assertEquals(report.isReady, ["ok", "unlisted", "busy"].includes(report.state));
  assert(report.tookMs >= 0);
  return JSON.parse(text);
}

const chat = (path: string) => (base: string) => ({
  endpoints: { "chat-completions": base + path },
});

Deno.test("testConnection: all is well", async () => {
  const report = await reportOf((seen) => api("/v1", seen), chat("/v1"));
  assertEquals([report.state, report.status, report.models], ["ok", 200, 2]);
  assertEquals(report.url, "BASE/v1/models");
});

const wrongPaths = [
  { entered: "", base: "/v1" },
  { entered: "/v1/v1", base: "/v1" },
  { entered: "/v1beta", base: "/v1" },
  { entered: "/openai", base: "/openai/v1" },
  { entered: "/api/v1", base: "" },
] as const;
for (const { entered, base } of wrongPaths) {
  Deno.test(`testConnection: the base URL ${entered || "/"} where ${base || "/"} is right`, async () => {
    const report = await reportOf((seen) => api(base, seen), chat(entered));
    assertEquals([report.state, report.status], ["path", 404]);
    assertEquals(report.suggestedBaseUrl, `BASE${base}`);
  });
}

Deno.test("testConnection: a messages upstream with a doubled /v1", async () => {
  const report = await reportOf(
    ({ path }) =>
      path.startsWith("/v1/models?") ? Response.json(list) : new Response("no", { status: 404 }),
    (base) => ({ endpoints: { messages: `${base}/v1` } }),
  );
  assertEquals([report.state, report.suggestedBaseUrl], ["path", "BASE"]);
});

Deno.test("testConnection: nothing is there, and nothing near it", async () => {
  const report = await reportOf(() => new Response("no", { status: 404 }), chat("/v1"));
  assertEquals([report.state, report.suggestedBaseUrl], ["path", undefined]);
});

Deno.test("testConnection: an upstream that lists no models is found by a call that asks for nothing", async () => {
  const report = await reportOf(
    (seen) =>
      seen.path.endsWith("/models") ? new Response("no", { status: 404 }) : api("/v1", seen),
    chat("/v1"),
  );
  assertEquals([report.state, report.isReady], ["unlisted", true]);
});

Deno.test("testConnection: a wrong key, whose echo is masked", async () => {
  const report = await reportOf((seen) => api("/v1", seen), (base) => ({
    ...chat("/v1")(base),
    credentials: ["sk-wrong-key"],
  }));
  assertEquals([report.state, report.status], ["key-refused", 401]);
  assertEquals(report.said, "Incorrect API key provided: Bearer …");
});

Deno.test("testConnection: a key in the wrong header, and none at all", async () => {
  const wrong = await reportOf((seen) => api("/v1", seen), (base) => ({
    ...chat("/v1")(base),
    auth: { header: "api-key" },
  }));
  assertEquals(wrong.state, "key-refused");
  const none = await reportOf((seen) => api("/v1", seen), (base) => ({
    ...chat("/v1")(base),
    credentials: [],
  }));
  assertEquals(none.state, "key-missing");
});

const answers = [
  { status: 200, body: "<html>Welcome</html>", state: "not-json", said: "<html>Welcome</html>" },
  { status: 200, body: '{"status":"ok"}', state: "no-list", said: '{"status":"ok"}' },
  {
    status: 403,
    body: '{"error":{"message":"no access"}}',
    state: "key-refused",
    said: "no access",
  },
  { status: 429, body: '{"error":{"message":"slow down"}}', state: "busy", said: "slow down" },
  { status: 500, body: "x".repeat(5_000), state: "failing", said: "x".repeat(300) },
  { status: 400, body: '{"error":"bad"}', state: "failing", said: "bad" },
] as const;
for (const { status, body, state, said } of answers) {
  Deno.test(`testConnection: ${status} ${body.slice(0, 40)} is ${state}`, async () => {
    const report = await reportOf(() => new Response(body, { status }), chat("/v1"));
    assertEquals([report.state, report.status, report.said], [state, status, said]);
  });
}

Deno.test("testConnection: a redirect is reported with its target and not followed", async () => {
  const report = await reportOf(
    () => Response.redirect("https://www.acme.test/v1/models", 301),
    chat("/v1"),
  );
  assertEquals([report.state, report.said], ["redirect", "https://www.acme.test/v1/models"]);
});

Deno.test("testConnection: a body without end is read to its bound", async () => {
  const report = await reportOf(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1 << 20).fill(32)),
        }),
      ),
    chat("/v1"),
  );
  assertEquals(report.state, "not-json");
});

Deno.test("testConnection: the network's own faults", async () => {
  const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = silent.addr;
  silent.close();
  const at = (url: string) =>
    testConnection(sampleUpstream({ endpoints: { messages: url } }), send);
  assertEquals((await at(`http://127.0.0.1:${port}`)).state, "refused");
  using garbage = startRawServer((write) => write("SSH-2.0\r\n"));
  assertEquals((await at(`http://127.0.0.1:${garbage.port}`)).state, "not-http");
  using plain = startRawServer((write) => write("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const tls = await at(`https://127.0.0.1:${plain.port}`);
  assertEquals(tls.state, "tls");
});

Deno.test("testConnection: an address that is not allowed is named to the administrator, and not called", async () => {
  const report = await reportOf(() => Response.json(list), (base) => ({
    ...chat("/v1")(base),
    origin: "console",
  }));
  assertEquals([report.state, report.status], ["address", undefined]);
  assert(report.said?.includes("127.0.0.1"), report.said);
});

Deno.test("testConnection: a key that cannot be opened", async () => {
  const report = await reportOf(() => Response.json(list), (base) => ({
    ...chat("/v1")(base),
    credentials: [],
    credentialsFault: "another TESSERA_SECRET",
  }));
  assertEquals(report.state, "sealed");
});

Deno.test("testConnection ends with the caller", async () => {
  await using upstream = startUpstream(() => new Promise<Response>(() => {}));
  const caller = new AbortController();
  const testing = testConnection(
    sampleUpstream({ endpoints: { messages: upstream.base } }),
    send,
    caller.signal,
  );
  caller.abort();
  assertEquals((await assertRejects(() => testing, GatewayError)).code, "client_closed");
});
