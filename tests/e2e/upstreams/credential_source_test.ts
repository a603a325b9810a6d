import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { testConnection } from "../../../lib/upstreams/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { email, FakeGoogle, privateKey } from "../../upstreams/credentials/fake_google.ts";
import { Clock } from "../../upstreams/credentials/network.ts";
import { FakeAws, root } from "../../upstreams/credentials/fake_aws.ts";
import { type Seen, serveLoopback, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

function call({ base, key }: TestGateway): Promise<Response> {
  return fetch(`${base}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
  });
}

Deno.test("credential source: a service account calls, expires, is revoked and rests, and the log says why", async () => {
  const clock = new Clock();
  clock.nowMs = Date.now();
  let isRevoked = false;
  const answering = async ({ path, body, headers }: Seen) => {
    if (path === "/token") {
      const error = { error: "invalid_grant", error_description: "The account is disabled." };
      if (isRevoked) return Response.json(error, { status: 400 });
      return await google.oauth(new Request(token_uri, { method: "POST", body }));
    }
    const checked = google.vertex(new Request("https://vertex.test", { headers }));
    if (checked.status !== 200) return checked;
    return Response.json(chatAnswer({ content: "Hi" }, { usage: { total_tokens: 4 } }));
  };
  await using upstream = startUpstream(answering);
  const token_uri = `${upstream.base}/token`;
  const google = new FakeGoogle(clock, token_uri);
  const source = {
    type: "service_account",
    client_email: email,
    private_key: privateKey,
    token_uri,
  };
  await using gateway = await startGateway({
    upstreams: [{
      ...{ id: "vertex", endpoints: { "chat-completions": upstream.base }, models: ["m"] },
      apiKeys: [source],
    }],
  });
  const first = await Promise.all([call(gateway), call(gateway), call(gateway)]);
  assertEquals(first.map(({ status }) => status), [200, 200, 200]);
  for (const answer of first) await answer.body?.cancel();
  assertEquals(google.issued("jwt"), 1);

  google.expire();
  assertEquals((await (await call(gateway)).json()).choices[0].message.content, "Hi");
  assertEquals(google.issued("jwt"), 2);

  google.expire();
  isRevoked = true;
  const refused = await call(gateway);
  assertEquals(refused.status, 502);
  assertStringIncludes(await refused.text(), "credential");
  const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
  assertEquals(row?.errorCode, "upstream_unauthorized");
  assertStringIncludes(row?.attempts?.[0]?.errorMessage ?? "", "The account is disabled.");
  const resting = gateway.parts.gateway.health.snapshot().filter(({ state }) => state === "open");
  assertEquals(resting.map(({ model }) => model), [undefined]); // the credential, for all models

  const [record] = gateway.parts.directory.upstreams();
  assert(record);
  const report = await testConnection(record, gateway.parts.gateway.send);
  assertEquals([report.state, report.said], [
    "key-refused",
    "invalid_grant: The account is disabled.",
  ]);
});

const region = "eu-central-1";
const message = {
  ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" },
  ...{ stop_sequence: null, content: [{ type: "text", text: "Hi" }] },
  usage: { input_tokens: 3, output_tokens: 1 },
};

for (const surface of ["claude-on-aws", "bedrock-invoke"] as const) {
  Deno.test(`credential source: signatures of ${surface} fit the bytes that arrive`, async () => {
    const clock = new Clock();
    clock.nowMs = Date.now();
    const aws = new FakeAws(clock);
    const service = surface === "claude-on-aws" ? "aws-external-anthropic" : "bedrock";
    const paths: string[] = [];
    await using upstream = serveLoopback(async (request) => {
      paths.push(new URL(request.url).pathname);
      const fault = await aws.fault(request, service);
      return fault === undefined
        ? Response.json(message)
        : Response.json({ message: fault }, { status: 403 });
    });
    const name = "anthropic.claude-haiku-4-5-20251001-v1:0";
    await using gateway = await startGateway({
      upstreams: [{
        ...{ id: "aws", endpoints: { messages: upstream.base }, cloud: { surface, region } },
        models: [{ id: "m", upstreamModel: name }],
        apiKeys: [{
          ...{ type: "aws", accessKeyId: root.accessKeyId, secretAccessKey: root.secretAccessKey },
          mint: false,
        }],
      }],
    });
    for (const content of ["hi", "grüß dich 你好", "long ".repeat(300_000)]) {
      const answer = await fetch(`${gateway.base}/v1/messages`, {
        method: "POST",
        headers: {
          ...{ "content-type": "application/json", "x-api-key": gateway.key },
          "anthropic-version": "2023-06-01",
        },
        body: JSON.stringify({ model: "m", max_tokens: 5, messages: [{ role: "user", content }] }),
      });
      assertEquals([answer.status, (await answer.json()).content], [200, message.content]);
    }
    const path = surface === "claude-on-aws"
      ? "/v1/messages"
      : `/model/${encodeURIComponent(name)}/invoke`;
    assertEquals(new Set(paths), new Set([path]));
  });
}
