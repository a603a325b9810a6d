import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatNames } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import {
  answerEvents,
  chunkFrame,
  exceptionFrame,
  joined,
} from "../../upstreams/surfaces/frames.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { ask, eventsIn, plainRequest, readStream, readWhole } from "../conversion/format_pair.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway } from "../gateway.ts";
import { binary, cloudAnswer, cloudWays, eventStream } from "./fake_clouds.ts";

Deno.test("every surface of every cloud answers callers of every format, whole and streamed", async () => {
  await using clouds = startUpstream((seen) => {
    const way = cloudWays.find(({ id }) => seen.path.startsWith(`/${id}/`));
    return way ? cloudAnswer(way, seen) : new Response(null, { status: 404 });
  });
  await using gateway = await startGateway({
    upstreams: cloudWays.map(({ id, cloud, model }) => ({
      id,
      cloud,
      baseUrl: `${clouds.base}/${id}`,
      apiKeys: ["key"],
      models: [{ id, upstreamModel: model }],
    })),
  });
  const table: Record<string, Record<string, string>> = {};
  for (const { id } of cloudWays) {
    const row = table[id] = {} as Record<string, string>;
    for (const format of formatNames) {
      for (const stream of [false, true]) {
        const answer = await ask(gateway, format, { ...plainRequest, model: id, stream });
        const read = stream ? readStream : readWhole;
        const { said, response } = await read(format, answer);
        assertEquals(said, "Cats nap", `${id} ${format}`);
        assert((response.usage?.outputTokens ?? 0) > 0, `${id} ${format}: its usage`);
        row[format] = `${row[format] ?? ""}${stream ? " streamed" : "whole"}`;
      }
    }
  }
  console.table(table);
});

const invoke = { surface: "bedrock-invoke", region: "us-east-1" };
const refused = exceptionFrame("throttlingException", "Slow down");

function startPair(first: string, second: string) {
  return startGateway({
    upstreams: [first, second].map((baseUrl, at) => ({
      id: `invoke-${at}`,
      cloud: invoke,
      baseUrl,
      apiKeys: ["key"],
      models: [{ id: "m", upstreamModel: "us.anthropic.claude-opus-5" }],
      priority: -at,
    })),
  });
}

for (const sent of [0, 1]) {
  Deno.test(`an exception after ${sent} events, before any content, moves on to the next upstream`, async () => {
    await using first = startUpstream(() =>
      binary([...answerEvents.slice(0, sent).map(chunkFrame), refused])
    );
    await using second = startUpstream(() => binary(answerEvents.map(chunkFrame)));
    await using gateway = await startPair(first.base, second.base);
    for (const format of formatNames) {
      const answer = await ask(gateway, format, { ...plainRequest, model: "m", stream: true });
      assertEquals((await readStream(format, answer)).said, "Hello – “you”");
    }
    assertEquals([first.seen.length > 0, second.seen.length], [true, formatNames.length]);
  });
}

for (const format of formatNames) {
  Deno.test(`an exception in mid-stream is an error for a caller of ${format}, never an end`, async () => {
    const begun = Promise.withResolvers<void>();
    await using first = startUpstream(() => failingStream(begun.promise));
    await using second = startUpstream(() => binary(answerEvents.map(chunkFrame)));
    await using gateway = await startPair(first.base, second.base);
    const answer = await ask(gateway, format, { ...plainRequest, model: "m", stream: true });
    const text = await readAll(answer, () => begun.resolve());
    assertStringIncludes(text, "Slow down");
    const ends = /"message_stop"|\[DONE\]|response\.completed|"finishReason":"STOP"/;
    assert(!eventsIn(text).some(({ data }) => ends.test(data)), text);
    assertEquals(second.seen.length, 0);
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    assertEquals(row?.errorCode, "rate_limit_exceeded");
  });
}

/** Text, and an exception once the caller has it. */
function failingStream(begun: Promise<void>): Response {
  const parts = [joined(answerEvents.slice(0, 3).map(chunkFrame)), refused];
  const body = new ReadableStream({
    async pull(controller) {
      const part = parts.shift();
      if (!part) return controller.close();
      if (part === refused) await begun;
      controller.enqueue(part);
    },
  }, { highWaterMark: 0 });
  return new Response(body, { headers: { "content-type": eventStream } });
}

/** The text of a stream up to its end, or to where the connection broke. */
async function readAll(answer: Response, onText: () => void): Promise<string> {
  let text = "";
  try {
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      if (text.includes("Hello")) onText();
    }
  } catch {
    // clients of some formats learn of an error by a broken connection
  }
  return text;
}

Deno.test("a caller that disconnects in mid-stream ends the call to InvokeModel, and is charged for what came", async () => {
  const never = Promise.withResolvers<void>();
  await using first = startUpstream(() => failingStream(never.promise));
  await using second = startUpstream(() => binary(answerEvents.map(chunkFrame)));
  await using gateway = await startPair(first.base, second.base);
  const answer = await ask(gateway, "messages", { ...plainRequest, model: "m", stream: true });
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  assert(await first.seen[0]?.aborted);
  assertEquals(second.seen.length, 0);
  for (let n = 0; n < 100; n++) {
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    if (row?.usage) return assertEquals(row.usage.inputTokens, 12);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("The call is not in the log");
});

Deno.test("a regional profile costs ten per cent more than the profile of the world", async () => {
  await using cloud = startUpstream(() => binary(answerEvents.map(chunkFrame)));
  const way = { cloud: invoke, baseUrl: cloud.base, apiKeys: ["key"] };
  const name = "anthropic.claude-opus-5";
  await using gateway = await startGateway({
    upstreams: [
      { ...way, id: "us", models: [{ id: "claude-opus-5", upstreamModel: `us.${name}` }] },
      { ...way, id: "world", models: [{ id: "claude-opus-4-8", upstreamModel: `global.${name}` }] },
    ],
  });
  const costs: (bigint | undefined)[] = [];
  for (const model of ["claude-opus-5", "claude-opus-4-8"]) {
    const answer = await ask(gateway, "messages", { ...plainRequest, model, stream: true });
    await readStream("messages", answer);
    const { rows: [row] } = await listRequestLogs(gateway.parts.store, { limit: 1 });
    costs.push(row?.costNanoUsd);
    assertEquals(row?.notes?.filter(({ path }) => path !== "cacheControl"), undefined);
  }
  assertEquals(costs, [12n * 5_500n + 5n * 27_500n, 12n * 5_000n + 5n * 25_000n]);
});

Deno.test("a call in Claude's own format reaches InvokeModel with its text, known beta features and a plain cache", async () => {
  await using cloud = startUpstream(() => Response.json(messagesAnswer()));
  await using gateway = await startGateway({
    upstreams: [{ id: "aws", cloud: invoke, baseUrl: cloud.base, apiKeys: ["key"] }],
  });
  const cached = { type: "ephemeral", scope: "global" };
  const answer = await fetch(`${gateway.base}/v1/messages?beta=true`, {
    method: "POST",
    headers: {
      "x-api-key": gateway.key,
      "content-type": "application/json",
      "anthropic-beta":
        "claude-code-20250219,prompt-caching-scope-2026-01-05,context-1m-2025-08-07",
    },
    body: JSON.stringify({
      model: "claude-opus-5",
      max_tokens: 9,
      system: [{ type: "text", text: "Be brief", cache_control: cached }],
      messages: [{ role: "user", content: "Hi", own: 1.0 }],
    }),
  });
  assertEquals(answer.status, 200, await answer.text());
  const [{ path, headers, body } = { path: "", headers: new Headers(), body: "{}" }] = cloud.seen;
  assertEquals(path, "/model/us.anthropic.claude-opus-5/invoke");
  assertEquals(headers.get("anthropic-beta"), null);
  assertEquals(JSON.parse(body), {
    anthropic_version: "bedrock-2023-05-31",
    anthropic_beta: ["context-1m-2025-08-07"],
    max_tokens: 9,
    system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral" } }],
    messages: [{ role: "user", content: "Hi", own: 1 }],
  });
});

Deno.test("a service tier reaches InvokeModel as its header, from callers of either kind of format", async () => {
  await using cloud = startUpstream(() => Response.json(messagesAnswer()));
  await using gateway = await startGateway({
    upstreams: [{ id: "aws", cloud: invoke, baseUrl: cloud.base, apiKeys: ["key"] }],
  });
  const model = "claude-opus-5";
  const post = async (path: string, more: Record<string, unknown>, headers = {}) => {
    const messages = [{ role: "user", content: "Hi" }];
    const answer = await fetch(gateway.base + path, {
      method: "POST",
      headers: { "x-api-key": gateway.key, "content-type": "application/json", ...headers },
      body: JSON.stringify({ model, max_tokens: 9, messages, ...more }),
    });
    await answer.body?.cancel();
    const { headers: sent, body } = cloud.seen.at(-1) ?? { headers: new Headers(), body: "{}" };
    return [sent.get("x-amzn-bedrock-service-tier"), JSON.parse(body).service_tier];
  };
  const [chat, own] = ["/v1/chat/completions", "/v1/messages"];
  assertEquals(await post(chat, { service_tier: "flex" }), ["flex", undefined]);
  assertEquals(await post(chat, { service_tier: "priority" }), ["priority", undefined]);
  assertEquals(await post(chat, { service_tier: "default" }), ["default", undefined]);
  assertEquals(await post(chat, { service_tier: "auto" }), [null, undefined]);
  assertEquals(await post(own, { service_tier: "standard_only" }), ["default", undefined]);
  assertEquals(await post(own, { service_tier: "x\r\ny: 1" }), [null, undefined]);
  const header = { "x-amzn-bedrock-service-tier": "priority" };
  assertEquals(await post(own, {}, header), [null, undefined]);
});

Deno.test("tokens are counted by Bedrock, and embeddings reach a deployment of Azure", async () => {
  await using cloud = startUpstream(({ path }) =>
    Response.json(
      path.endsWith("/count-tokens")
        ? { inputTokens: 18 }
        : { object: "list", data: [], usage: { prompt_tokens: 1, total_tokens: 1 } },
    )
  );
  const at = { baseUrl: cloud.base, apiKeys: ["key"] };
  const dated = { surface: "azure-openai", apiVersion: "2024-10-21" };
  await using gateway = await startGateway({
    upstreams: [
      { ...at, id: "aws", cloud: { ...invoke, surface: "bedrock" } },
      { ...at, id: "azure", cloud: dated, models: [{ id: "e", upstreamModel: "deployed" }] },
    ],
  });
  const post = async (path: string, body: unknown) => {
    const headers = { "x-api-key": gateway.key, "content-type": "application/json" };
    const answer = await fetch(gateway.base + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return await answer.json();
  };
  const messages = [{ role: "user", content: "Hi" }];
  const counted = await post("/v1/messages/count_tokens", { model: "claude-opus-5", messages });
  assertEquals(counted, { input_tokens: 18 });
  await post("/v1/embeddings", { model: "e", input: "x" });
  assertEquals(cloud.seen.map(({ path }) => path), [
    "/model/anthropic.claude-opus-5/count-tokens",
    "/openai/deployments/deployed/embeddings?api-version=2024-10-21",
  ]);
});
