import { assert, assertEquals, assertRejects } from "@std/assert";
import { GatewayError } from "../../lib/canonical/mod.ts";
import { listUpstreamModels } from "../../lib/upstreams/probe.ts";
import { startUpstream } from "../e2e/fake_upstream.ts";
import { sampleUpstream, send } from "./probe_sample.ts";

Deno.test("listUpstreamModels follows the pages of the messages format", async () => {
  await using upstream = startUpstream(({ path, headers }) => {
    assertEquals(headers.get("x-api-key"), "up-secret");
    assertEquals(headers.get("anthropic-version"), "2023-06-01");
    const after = new URL(path, "http://up").searchParams.get("after_id");
    return Response.json(
      after === null
        ? { data: [{ id: "a" }, { id: "b" }], has_more: true, last_id: "b" }
        : { data: [{ id: "b" }, { id: "c", display_name: "C" }], has_more: false, last_id: "c" },
    );
  });
  const listed = await listUpstreamModels(
    sampleUpstream({ endpoints: { messages: upstream.base } }),
    send,
  );
  assertEquals(listed, {
    models: [{ id: "a" }, { id: "b" }, { id: "c", displayName: "C" }],
    isComplete: true,
  });
  assertEquals(upstream.seen.map(({ path }) => path), [
    "/v1/models?limit=1000",
    "/v1/models?limit=1000&after_id=b",
  ]);
});

Deno.test("listUpstreamModels follows the tokens of the generate-content format", async () => {
  await using upstream = startUpstream(({ path, headers }) => {
    assertEquals(headers.get("x-goog-api-key"), "up-secret");
    const token = new URL(path, "http://up").searchParams.get("pageToken");
    return Response.json({
      models: [{ name: `models/m${token ?? 1}` }],
      ...(token === null && { nextPageToken: "2" }),
    });
  });
  const endpoints = { "generate-content": `${upstream.base}/v1beta` };
  const { models } = await listUpstreamModels(sampleUpstream({ endpoints }), send);
  assertEquals(models, [{ id: "m1" }, { id: "m2" }]);
  assertEquals(upstream.seen[0].path, "/v1beta/models?pageSize=1000");
});

Deno.test("listUpstreamModels asks the first format that all know, with the preset's header", async () => {
  await using upstream = startUpstream(({ headers }) =>
    Response.json({ data: [{ id: headers.get("api-key") }] })
  );
  const endpoints = { messages: `${upstream.base}/a`, "chat-completions": `${upstream.base}/v1` };
  const { models } = await listUpstreamModels(
    sampleUpstream({ endpoints, auth: { header: "api-key" } }),
    send,
  );
  assertEquals(models, [{ id: "up-secret" }]);
  assertEquals(upstream.seen.map(({ path }) => path), ["/v1/models"]);
});

Deno.test("listUpstreamModels ends with an upstream that has always one more page", async () => {
  let page = 0;
  await using upstream = startUpstream(() => {
    page++;
    return Response.json({ data: [{ id: `m${page}` }], has_more: true, last_id: `m${page}` });
  });
  const endpoints = { "chat-completions": upstream.base };
  const { models, isComplete } = await listUpstreamModels(sampleUpstream({ endpoints }), send);
  assertEquals([models.length, isComplete], [upstream.seen.length, false]);
  assert(upstream.seen.length <= 20);
});

Deno.test("listUpstreamModels ends with an upstream that names the same page again", async () => {
  await using upstream = startUpstream(() =>
    Response.json({ data: [{ id: "m" }], has_more: true, last_id: "m" })
  );
  const endpoints = { "chat-completions": upstream.base };
  const listed = await listUpstreamModels(sampleUpstream({ endpoints }), send);
  assertEquals(listed, { models: [{ id: "m" }], isComplete: true });
  assertEquals(upstream.seen.length, 2);
});

Deno.test("listUpstreamModels keeps no more models than anybody wants to see", async () => {
  const data = Array.from({ length: 12_000 }, (_, index) => ({ id: `m${index}` }));
  await using upstream = startUpstream(() => Response.json({ data }));
  const endpoints = { "chat-completions": upstream.base };
  const { models, isComplete } = await listUpstreamModels(sampleUpstream({ endpoints }), send);
  assertEquals([models.length, isComplete], [10_000, false]);
});

const failures = [
  { status: 401, body: "{}", code: "upstream_unauthorized" },
  { status: 500, body: "no up-secret here", code: "upstream_error" },
  { status: 200, body: "<html>", code: "upstream_invalid_response" },
  { status: 200, body: "{}", code: "upstream_invalid_response" },
  { status: 302, body: "", code: "upstream_invalid_response" },
] as const;
for (const { status, body, code } of failures) {
  Deno.test(`listUpstreamModels reports why there is no list: ${status} ${body}`, async () => {
    await using upstream = startUpstream(() => new Response(body, { status }));
    const endpoints = { "chat-completions": upstream.base };
    const error = await assertRejects(
      () => listUpstreamModels(sampleUpstream({ endpoints }), send),
      GatewayError,
    );
    assertEquals(error.code, code);
    assert(!error.message.includes("up-secret"));
  });
}
