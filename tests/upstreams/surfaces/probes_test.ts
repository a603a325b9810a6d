import { assertEquals } from "@std/assert";
import { testConnection } from "../../../lib/upstreams/connection.ts";
import { listUpstreamModels, testModel } from "../../../lib/upstreams/probe.ts";
import { surfaceEndpoints } from "../../../lib/upstreams/surfaces/mod.ts";
import type { Cloud } from "../../../lib/store/catalog/mod.ts";
import { type Seen, startUpstream } from "../../e2e/fake_upstream.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { sampleUpstream, send } from "../probe_sample.ts";

const caller = new AbortController().signal;

function bedrock({ path, headers }: Seen): Response {
  if (headers.get("authorization") !== "Bearer up-secret") {
    return new Response(null, { status: 403 });
  }
  if (path.startsWith("/inference-profiles")) {
    const [id, nextToken] = path.includes("nextToken=2") ? ["us.b"] : ["us.a", "2"];
    const inferenceProfileId = id?.replace(".", ".anthropic.claude-");
    return Response.json({ inferenceProfileSummaries: [{ inferenceProfileId }], nextToken });
  }
  if (path.startsWith("/foundation-models")) {
    return Response.json({ modelSummaries: [{ modelId: "anthropic.claude-c" }] });
  }
  return path === "/model/us.anthropic.claude-a/invoke"
    ? Response.json(messagesAnswer())
    : new Response(null, { status: 404 });
}

function onCloud(cloud: Cloud, base: string) {
  return sampleUpstream({ cloud, endpoints: surfaceEndpoints(cloud, base) });
}

Deno.test("a cloud is tested by its own list of models, and a model in the format that serves it", async () => {
  await using cloud = startUpstream(bedrock);
  const upstream = onCloud({ surface: "bedrock-invoke", region: "us-east-1" }, cloud.base);
  const { state, models } = await testConnection(upstream, send);
  assertEquals([state, models], ["ok", 1]);
  const listed = await listUpstreamModels(upstream, send);
  const ids = ["us.anthropic.claude-a", "us.anthropic.claude-b", "anthropic.claude-c"];
  assertEquals(listed, { models: ids.map((id) => ({ id })), isComplete: true });
  const asked = { id: "claude", upstreamModel: "us.anthropic.claude-a" };
  const { fault, tokens } = await testModel(upstream, asked, { send, caller });
  assertEquals([fault, tokens], [undefined, { input: 3, output: 1 }]);
});

Deno.test("Claude on Vertex AI is tested in its own format, although others come first", async () => {
  await using cloud = startUpstream(({ path }) =>
    path.endsWith("/publishers/anthropic/models/claude-opus-5:rawPredict")
      ? Response.json(messagesAnswer())
      : new Response(null, { status: 404 })
  );
  const upstream = onCloud({ surface: "vertex", project: "p1" }, cloud.base);
  const { fault } = await testModel(upstream, { id: "claude-opus-5" }, { send, caller });
  assertEquals(fault, undefined);
});
