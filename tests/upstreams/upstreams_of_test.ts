import { assertEquals, assertStrictEquals } from "@std/assert";
import { upstreamsOf } from "../../lib/upstreams/mod.ts";
import { startGateway } from "../e2e/gateway.ts";
import { sampleUpstream } from "../store/samples.ts";

Deno.test("upstreamsOf: the built-in model is there until an upstream is enabled", () => {
  const ids = (enabled: readonly boolean[]) =>
    upstreamsOf(enabled.map((one, at) => sampleUpstream({ id: `u${at}`, enabled: one })))
      .map(({ id }) => id);
  assertEquals(ids([]), ["embedded"]);
  assertEquals(ids([false]), ["u0", "embedded"]);
  assertEquals(ids([false, true]), ["u0", "u1"]);
});

Deno.test("upstreamsOf: the list with the built-in model is the same one for each call", () => {
  const configured = [sampleUpstream({ enabled: false })];
  assertStrictEquals(upstreamsOf(configured), upstreamsOf(configured));
});

Deno.test("upstreams: with a disabled upstream alone, the built-in model answers and is listed", async () => {
  const endpoints = { "chat-completions": "http://127.0.0.1:9/v1" };
  const upstream = { id: "up", endpoints, apiKeys: ["x"], models: ["m"], enabled: false };
  await using gateway = await startGateway({ upstreams: [upstream] });
  const headers = { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" };
  const listed = await (await fetch(`${gateway.base}/v1/models`, { headers })).json();
  assertEquals(listed.data.map(({ id }: { id: string }) => id), ["tessera-echo"]);
  const body = JSON.stringify({
    model: "tessera-echo",
    messages: [{ role: "user", content: "hello" }],
  });
  const answer = await fetch(`${gateway.base}/v1/chat/completions`, {
    method: "POST",
    headers,
    body,
  });
  assertEquals([answer.status, (await answer.json()).model], [200, "tessera-echo"]);
});
