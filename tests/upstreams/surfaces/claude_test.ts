import { assertEquals } from "@std/assert";
import type { JsonObject, JsonValue } from "../../../lib/canonical/mod.ts";
import type { Cloud, Surface } from "../../../lib/store/catalog/mod.ts";
import { acceptedBetas } from "../../../lib/upstreams/surfaces/betas.ts";
import { changedBody, surfaceCall } from "../../../lib/upstreams/surfaces/call.ts";
import { surfaceCount } from "../../../lib/upstreams/surfaces/count.ts";

const messages = [{ role: "user", content: "Hi" }];
const plain = { model: "claude-opus-5", max_tokens: 9, messages } as const;
const ephemeral = { type: "ephemeral" } as const;
const marked = [{
  role: "user",
  content: [{ type: "text", text: "Hi", cache_control: ephemeral }],
}];

function sentTo(surface: Surface, body: JsonObject, headers = {}, cloud: Partial<Cloud> = {}) {
  const call = surfaceCall({ surface, ...cloud }, {
    format: "messages",
    model: "claude-opus-5",
    wire: { path: "/v1/messages", headers, body },
  });
  const notes = call.notes.map(({ path }) => path);
  return { body: changedBody(body, call.members), headers: call.headers, notes, path: call.path };
}

const invoked = { anthropic_version: "bedrock-2023-05-31", max_tokens: 9, messages };

const cases: readonly {
  readonly name: string;
  readonly surface: Surface;
  readonly body: JsonObject;
  readonly headers?: Record<string, string>;
  readonly expected: JsonObject;
  readonly notes?: readonly string[];
  readonly sentBetas?: string;
}[] = [
  { name: "the vendor's API", surface: "claude-on-aws", body: plain, expected: plain },
  {
    name: "InvokeModel, with beta features in the body",
    surface: "bedrock-invoke",
    body: { ...plain, stream: true },
    headers: { "anthropic-beta": "context-1m-2025-08-07,claude-code-20250219" },
    expected: { ...invoked, anthropic_beta: ["context-1m-2025-08-07"] },
    notes: ["betas"],
  },
  {
    name: "Bedrock Messages, with known beta features",
    surface: "bedrock",
    body: plain,
    headers: { "anthropic-beta": "advanced-tool-use-2025-11-20, skills-2025-10-02" },
    expected: plain,
    notes: ["betas"],
    sentBetas: "tool-search-tool-2025-10-19",
  },
  {
    name: "automatic caching",
    surface: "bedrock",
    body: { ...plain, cache_control: ephemeral },
    expected: { ...plain, messages: marked },
    notes: ["cacheControl"],
  },
  {
    name: "the scope of a cache",
    surface: "vertex",
    body: {
      ...plain,
      system: [{ type: "text", text: "Be", cache_control: { ...ephemeral, scope: "global" } }],
    },
    headers: { "anthropic-beta": "prompt-caching-scope-2026-01-05" },
    expected: {
      max_tokens: 9,
      messages,
      anthropic_version: "vertex-2023-10-16",
      system: [{ type: "text", text: "Be", cache_control: ephemeral }],
    },
    notes: ["betas"],
  },
  {
    name: "a member that no cloud has",
    surface: "foundry",
    body: { ...plain, fallbacks: [{ model: "x" }] },
    expected: plain,
    notes: ["fallbacks"],
  },
  {
    name: "schemas, where Mantle refuses them",
    surface: "bedrock-mantle",
    body: {
      ...plain,
      output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
      tools: [{ name: "t", input_schema: {}, strict: true }],
    },
    expected: {
      ...plain,
      output_config: { effort: "low" },
      tools: [{ name: "t", input_schema: {} }],
    },
    notes: ["outputFormat", "tools[i].strict"],
  },
  {
    name: "tools that stream eagerly",
    surface: "bedrock-invoke",
    body: { ...plain, tools: [{ name: "t", input_schema: {}, eager_input_streaming: true }] },
    expected: { ...invoked, tools: [{ name: "t", input_schema: {} }] },
  },
];

for (const { name, surface, body, headers, expected, notes = [], sentBetas } of cases) {
  Deno.test(`a body for ${surface}: ${name}`, () => {
    const sent = sentTo(surface, body, headers);
    assertEquals(sent.body, expected);
    assertEquals(sent.notes, [...notes]);
    assertEquals(sent.headers["anthropic-beta"], sentBetas);
  });
}

Deno.test("beta features and the version of the body are the operator's to set", () => {
  const cloud = { betas: ["new-*"], messagesVersion: "2026-10-21" };
  const sent = sentTo("vertex", plain, { "anthropic-beta": "new-1,context-1m-1" }, cloud);
  assertEquals(sent.headers, { "anthropic-beta": "new-1" });
  assertEquals(sent.body.anthropic_version, "2026-10-21");
  assertEquals(acceptedBetas({ surface: "claude-on-aws" }, "a-1, b-2"), ["a-1", "b-2"]);
});

Deno.test("a turn of Gemini without a role is the user's", () => {
  const { members } = surfaceCall({ surface: "vertex" }, {
    format: "generate-content",
    model: "gemini-3-pro",
    wire: { path: "/x", headers: {}, body: { contents: [{ parts: [] }, { role: "model" }] } },
  });
  assertEquals(members, { contents: [{ role: "user", parts: [] }, { role: "model" }] });
});

Deno.test("a message to Azure says its type, and a reference to an item stays as it is", () => {
  const membersFor = (surface: Surface, input: JsonValue) =>
    surfaceCall({ surface }, {
      format: "responses",
      model: "deployed",
      wire: { path: "/responses", headers: {}, body: { input } },
    }).members;
  const said = { role: "user", content: "Hi" };
  const others = [{ id: "msg_1" }, { type: "function_call_output", call_id: "c" }];
  assertEquals(membersFor("azure-openai", [said, ...others]), {
    input: [{ type: "message", ...said }, ...others],
  });
  assertEquals(membersFor("azure-openai", others), {});
  assertEquals(membersFor("azure-openai", "Hi"), {});
  assertEquals(membersFor("bedrock", [said]), {});
});

Deno.test("tokens are counted where each surface counts", () => {
  const wire = { path: "/v1/messages/count_tokens", search: {}, headers: {}, body: plain };
  const at = (surface: Surface, messages = "https://x.test/anthropic") =>
    surfaceCount(
      { cloud: { surface }, endpoints: { messages } },
      wire,
      "us.anthropic.claude-opus-5",
    );
  const bedrock = at("bedrock");
  assertEquals(bedrock?.path, "/model/anthropic.claude-opus-5/count-tokens");
  assertEquals(bedrock?.endpoints, { messages: "https://x.test" });
  assertEquals(bedrock?.answer?.({ inputTokens: 18 }), { input_tokens: 18 });
  const { input } = bedrock?.body as { input: { invokeModel: { body: string } } }; // as AWS documents it
  const inner = new TextDecoder().decode(Uint8Array.fromBase64(input.invokeModel.body));
  assertEquals(JSON.parse(inner), { ...invoked, max_tokens: 1 });
  const vertex = at("vertex");
  assertEquals(vertex?.path, "/models/count-tokens:rawPredict");
  assertEquals(vertex?.body.model, "us.anthropic.claude-opus-5");
  assertEquals(at("foundry")?.path, wire.path);
});
