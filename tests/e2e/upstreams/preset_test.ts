import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { presetNamed } from "../../../lib/upstreams/presets/mod.ts";
import { chatAnswer } from "../../formats/whole_answer.ts";
import { pieces, type Seen, startUpstream } from "../fake_upstream.ts";
import { startGateway, type TestGateway, testKey } from "../gateway.ts";

/** A server that refuses what the preset says that it does not know, as the vendor does. */
function strict(name: "mistral" | "groq", message: JsonObject) {
  const knows = new Set(presetNamed(name).dialects?.["chat-completions"]?.knows);
  return ({ body }: Seen) => {
    const request: JsonObject = JSON.parse(body);
    const extra = Object.keys(request).filter((member) => !knows.has(member));
    if (extra.length > 0) {
      return Response.json({ detail: extra.map((loc) => ({ type: "extra_forbidden", loc })) }, {
        status: 422,
      });
    }
    return request.stream === true ? streamed(message) : whole(message);
  };
}

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

function whole(message: JsonObject): Response {
  return Response.json(chatAnswer(message, { usage }));
}

/** Usage comes with the last chunk, unasked. */
function streamed(message: JsonObject): Response {
  const chunk = (fields: JsonObject) =>
    `data: ${
      JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", ...fields })
    }\n\n`;
  const text = String(message.content ?? "");
  return new Response(
    pieces([
      ...[...text].map((letter) => chunk({ choices: [{ index: 0, delta: { content: letter } }] })),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage }),
      "data: [DONE]\n\n",
    ]),
    { headers: { "content-type": "text/event-stream" } },
  );
}

function gatewayTo(base: string, preset: string): Promise<TestGateway> {
  return startGateway({
    upstreams: [{ id: "up", preset, baseUrl: base, apiKeys: ["k"], models: ["m"] }],
  });
}

async function call({ base }: TestGateway, path: string, body: JsonObject): Promise<Response> {
  return await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "m", ...body }),
  });
}

const agentCall = {
  max_tokens: 50,
  stop_sequences: ["END"],
  metadata: { user_id: "user-1" },
  system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral" } }],
  messages: [
    { role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_01AbCdEfGhIj", name: "look", input: {} }],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_01AbCdEfGhIj", content: "sun" }],
    },
  ],
  tools: [{ name: "look", input_schema: { type: "object" } }],
};

for (const name of ["mistral", "groq"] as const) {
  for (const stream of [false, true]) {
    Deno.test(`preset ${name}: an agent of the messages format is not refused, ${stream ? "streamed" : "whole"}`, async () => {
      await using upstream = startUpstream(strict(name, { content: "Sunny" }));
      await using gateway = await gatewayTo(upstream.base, name);
      const response = await call(gateway, "/v1/messages", { ...agentCall, stream });
      const text = await response.text();
      assertEquals(response.status, 200, text);
      if (!stream) assertEquals(JSON.parse(text).usage.input_tokens, 5);
      assertEquals(upstream.seen[0].path, "/v1/chat/completions");
      assert(!/prompt_cache_breakpoint|cache_control/.test(upstream.seen[0].body));
    });
  }
}

Deno.test("preset mistral: a native stream goes out as it came, and its usage is read all the same", async () => {
  await using upstream = startUpstream(strict("mistral", { content: "Hi" }));
  await using gateway = await gatewayTo(upstream.base, "mistral");
  const body = { messages: [{ role: "user", content: "hi" }], stream: true, max_tokens: 9 };
  const response = await call(gateway, "/v1/chat/completions", body);
  const text = await response.text();
  assertEquals(response.status, 200, text);
  assert(text.includes('"usage"') && text.trimEnd().endsWith("data: [DONE]"));
  assertEquals(JSON.parse(upstream.seen[0].body), { model: "m", ...body });
});

Deno.test("preset mistral: a free-text tool of an agent comes back as one", async () => {
  const patch = "*** Begin Patch\n*** End Patch";
  const call_ = {
    id: "abcdefghi",
    type: "function",
    function: { name: "apply_patch", arguments: JSON.stringify({ input: patch }) },
  };
  await using upstream = startUpstream(
    strict("mistral", { content: null, tool_calls: [call_] }),
  );
  await using gateway = await gatewayTo(upstream.base, "mistral");
  const response = await call(gateway, "/v1/responses", {
    input: "fix it",
    tools: [{ type: "custom", name: "apply_patch", description: "Edits files" }],
  });
  const { output } = await response.json();
  const found = output.find(({ type }: { type: string }) => type === "custom_tool_call");
  assertEquals([found?.name, found?.input], ["apply_patch", patch]);
  assertEquals(JSON.parse(upstream.seen[0].body).tools[0].type, "function");
});

for (const stream of [false, true]) {
  Deno.test(`preset xai: stop sequences are watched for here, ${stream ? "streamed" : "whole"}`, async () => {
    await using upstream = startUpstream(({ body }) => {
      assert(!("stop" in JSON.parse(body)));
      return stream ? streamed({ content: "one END two" }) : whole({ content: "one END two" });
    });
    await using gateway = await gatewayTo(upstream.base, "xai");
    const response = await call(gateway, "/v1/messages", { ...agentCall, stream });
    const text = await response.text();
    assert(text.includes("stop_sequence") && !text.includes("two"), text);
    assert(response.headers.get("tessera-notes")?.includes("stop sequence"));
  });
}
