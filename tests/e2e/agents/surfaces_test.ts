import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { zstdCompressSync } from "node:zlib";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { SseReader } from "../../../lib/http/stream/sse.ts";
import { startStrict, strictCredential, type StrictUpstream } from "../../strict/mod.ts";
import type { Prompt, Reply, reply, ToolCall } from "../../strict/small_model.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";

/** Requests that agents send, without the agents, to an upstream of every format. */

const upstreamModels = {
  "chat-completions": "gpt-5.1",
  responses: "gpt-5.1",
  messages: "claude-opus-5",
  "generate-content": "gemini-3-pro-preview",
} as const satisfies Record<FormatName, string>;

interface Stage extends AsyncDisposable {
  readonly upstream: StrictUpstream;
  readonly gateway: TestGateway;
  post(path: string, body: JsonObject, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The data of an event stream, or the body as its only one. */
  readonly events: readonly JsonObject[];
}

async function startStage(format: FormatName, model?: typeof reply): Promise<Stage> {
  const upstream = startStrict(format, model ? { model } : {});
  const models = [{ id: "m", upstreamModel: upstreamModels[format] }];
  const gateway = await startGateway(
    oneUpstream({ [format]: upstream.base }, { apiKeys: [strictCredential], models }),
  );
  return {
    upstream,
    gateway,
    post: async (path, body, headers = {}) => {
      const response = await fetch(gateway.base + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${testKey}`,
          "content-type": "application/json",
          ...headers,
        },
        body: JSON.stringify(body),
      });
      const { status, headers: answered } = response;
      return { status, headers: answered, events: eventsIn(await response.bytes(), answered) };
    },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

function eventsIn(bytes: Uint8Array<ArrayBuffer>, headers: Headers): JsonObject[] {
  if (!headers.get("content-type")?.startsWith("text/event-stream")) {
    return [JSON.parse(new TextDecoder().decode(bytes))];
  }
  return new SseReader().push(bytes).flatMap(({ event }) =>
    event && event.data !== "[DONE]" ? [JSON.parse(event.data)] : []
  );
}

/** Calls the first tool that it is offered, with `input`, and thinks where it may. */
function caller(input: string): typeof reply {
  return ({ tools, answered, thinks }: Prompt, voice): Reply => {
    const thought = thinks && { thought: `${voice} thinks of ${answered}` };
    if (answered > 0) return { hangs: false, ...thought, calls: [], text: "Done." };
    const [{ takesText, ...named }] = tools;
    const call: ToolCall = takesText
      ? { ...named, args: {}, input }
      : { ...named, args: { input } };
    return { hangs: false, ...thought, calls: [call], text: "Calling." };
  };
}

const codexBody = {
  model: "m",
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  reasoning: { effort: "medium" },
  input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] }],
} as const;
const grammarTool = {
  type: "custom",
  name: "apply_patch",
  description: "Edits files",
  format: { type: "grammar", syntax: "lark", definition: 'start: "*** Begin Patch" /.+/' },
};
const spawn = {
  type: "function",
  name: "spawn_agent",
  strict: false,
  parameters: { type: "object", properties: { input: { type: "string" } } },
};
const namespaceTool = { type: "namespace", name: "agents", description: "", tools: [spawn] };
const hardInput = '*** Begin Patch\n+say "hi" \\ 世界\n*** End Patch\n';

for (const format of formatNames) {
  Deno.test(`surfaces: a tool that takes a text of a grammar, behind ${format}`, async () => {
    await using stage = await startStage(format, caller(hardInput));
    const { events } = await stage.post("/v1/responses", { ...codexBody, tools: [grammarTool] });
    const item = doneItems(events).find(({ type }) => type === "custom_tool_call");
    assertEquals([item?.name, item?.input], ["apply_patch", hardInput]);
    assertEquals(events.at(-1)?.type, "response.completed");
    assertEquals(refusalsOf(stage), []);
  });

  Deno.test(`surfaces: a tool of a namespace, behind ${format}`, async () => {
    await using stage = await startStage(format, caller("x"));
    const { events } = await stage.post("/v1/responses", { ...codexBody, tools: [namespaceTool] });
    const item = doneItems(events).find(({ type }) => type === "function_call");
    assertEquals([item?.namespace, item?.name, item?.arguments], [
      "agents",
      "spawn_agent",
      '{"input":"x"}',
    ]);
    assertEquals(refusalsOf(stage), []);
  });

  Deno.test(`surfaces: reasoning that nobody stores comes home, behind ${format}`, async () => {
    await using stage = await startStage(format, caller(hardInput));
    const tools = [grammarTool];
    const { events } = await stage.post("/v1/responses", { ...codexBody, tools });
    const items = doneItems(events);
    const call = items.find(({ type }) => type === "custom_tool_call");
    const output = { type: "custom_tool_call_output", call_id: call?.call_id, output: "ok" };
    const input = [...codexBody.input, ...items, output] as JsonObject[];
    const second = await stage.post("/v1/responses", { ...codexBody, tools, input });
    assertEquals(second.events.at(-1)?.type, "response.completed");
    assertEquals(refusalsOf(stage), []);
    const [first, last] = stage.upstream.seen;
    assertEquals(last.proofs, first.issued);
    if (format !== "chat-completions") assert(first.issued.length > 0); // that vendor proves nothing
  });

  Deno.test(`surfaces: ?beta=true, beta headers and a beta's fields, behind ${format}`, async () => {
    await using stage = await startStage(format);
    const betas = "claude-code-20250219,context-management-2025-06-27";
    const { status, events } = await stage.post("/v1/messages?beta=true", {
      model: "m",
      max_tokens: 2000,
      stream: true,
      thinking: { type: "adaptive" },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      system: [
        { type: "text", text: "x-anthropic-billing-header: cc_version=2" },
        { type: "text", text: "Be brief", cache_control: { type: "ephemeral" } },
      ],
      messages: [{ role: "user", content: "hello" }],
    }, { "anthropic-version": "2023-06-01", "anthropic-beta": betas });
    assertEquals([status, events.at(-1)?.type], [200, "message_stop"]);
    assertEquals(refusalsOf(stage), []);
    const [{ headers, body }] = stage.upstream.seen;
    assertEquals(headers.get("anthropic-beta"), format === "messages" ? betas : null);
    const billed = JSON.stringify(body).includes("x-anthropic-billing-header");
    assertEquals(billed, format === "messages", "it changes with each call: no cache would hit");
  });

  Deno.test(`surfaces: :streamGenerateContent?alt=sse, behind ${format}`, async () => {
    await using stage = await startStage(format);
    const path = "/v1beta/models/m:streamGenerateContent?alt=sse";
    const { headers, events } = await stage.post(path, {
      contents: [{ role: "user", parts: [{ text: "hello" }] }],
      generationConfig: { topP: 0.95, thinkingConfig: { includeThoughts: true } },
    });
    assertStringIncludes(headers.get("content-type") ?? "", "text/event-stream");
    const [candidate] = events.at(-1)?.candidates as JsonObject[];
    assertEquals(candidate.finishReason, "STOP");
    assertEquals(refusalsOf(stage), []);
  });
}

Deno.test("surfaces: what Codex says of the form of its body reaches an upstream of that form", async () => {
  await using stage = await startStage("responses");
  const lite = { "x-openai-internal-codex-responses-lite": "true" };
  await stage.post("/v1/responses", codexBody, lite);
  assertEquals(
    stage.upstream.seen[0].headers.get("x-openai-internal-codex-responses-lite"),
    "true",
  );
});

Deno.test("surfaces: tokens are counted as each client asks for it", async () => {
  await using stage = await startStage("chat-completions");
  const contents = [{ role: "user", parts: [{ text: "hello there" }] }];
  const asked: Readonly<Record<string, JsonObject>> = {
    "/v1/messages/count_tokens?beta=true": {
      model: "m",
      messages: [{ role: "user", content: "hello there" }],
    },
    "/v1beta/models/m:countTokens": { contents },
    "/v1/models/m:countTokens": {
      generateContentRequest: { model: "models/m", contents },
    },
    "/v1/responses/input_tokens": { model: "m", input: "hello there" },
  };
  for (const [path, body] of Object.entries(asked)) {
    const { status, events: [counted] } = await stage.post(path, body);
    assertEquals(status, 200, path);
    const count = Number(counted.input_tokens ?? counted.totalTokens);
    assert(count > 0 && count < 20, `${path}: ${count}`);
  }
});

Deno.test("surfaces: models are listed in the shape of each client", async () => {
  await using gateway = await startGateway();
  const list = async (path: string, headers: Readonly<Record<string, string>>) =>
    await (await fetch(gateway.base + path, { headers })).json();
  const bearer = { authorization: `Bearer ${testKey}` };
  const messages = { "x-api-key": testKey, "anthropic-version": "2026-10-21" };
  const google = { "x-goog-api-key": testKey };
  assertEquals((await list("/v1/models", bearer)).data[0].id, "tessera-echo");
  assertEquals((await list("/v1/models", messages)).data[0].display_name !== undefined, true);
  assertEquals((await list("/v1/models/tessera-echo", bearer)).id, "tessera-echo");
  assertEquals((await list("/v1/models/tessera-echo", messages)).type, "model");
  for (const path of ["/v1/models", "/v1beta/models"]) {
    const [model] = (await list(path, google)).models;
    assertEquals(model.name, "models/tessera-echo");
    assert(model.supportedGenerationMethods.includes("generateContent"));
  }
});

Deno.test("surfaces: a body that zstd compressed is read", async () => {
  await using gateway = await startGateway();
  const text = JSON.stringify({ model: "tessera-echo", input: "hello ".repeat(2000) });
  const response = await fetch(`${gateway.base}/v1/responses`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${testKey}`,
      "content-type": "application/json",
      "content-encoding": "zstd",
    },
    body: new Uint8Array(zstdCompressSync(text)),
  });
  assertEquals(response.status, 200, await response.clone().text());
  await response.body?.cancel();
});

function doneItems(events: readonly JsonObject[]): JsonObject[] {
  return events.flatMap(({ type, item }) =>
    type === "response.output_item.done" ? [item as JsonObject] : []
  );
}

function refusalsOf({ upstream }: Stage) {
  return upstream.seen.flatMap(({ refusals }) => refusals);
}
