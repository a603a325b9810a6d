import { assert, assertEquals } from "@std/assert";
import { GatewayError, type JsonObject, sealContinuation } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { messages } from "../../../lib/formats/messages/mod.ts";
import { wireOf } from "./wire.ts";

const base = { model: "claude-opus-4-8", max_tokens: 100 };
const hello = { role: "user", content: "Hello" };

function roundTrip(body: JsonObject) {
  const { wire, notes } = encodeAtOnce(messages, messages.decodeRequest(wireOf(body)));
  return { body: wire.body, notes };
}

/** Bodies that round-trip unchanged, member by member. */
const kept: { name: string; body: JsonObject }[] = [
  {
    name: "every request field, and fields that nobody knows",
    body: {
      ...base,
      messages: [hello],
      system: [
        { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "1h", scope: "g" } },
        { type: "text", text: "b" },
      ],
      stream: true,
      stop_sequences: ["x"],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 7,
      thinking: { type: "enabled", budget_tokens: 2000, display: "omitted", future: 1 },
      output_config: {
        effort: "high",
        format: { type: "json_schema", schema: { type: "object" } },
        task_budget: { type: "tokens", total: 9 },
      },
      metadata: { user_id: '{"device":"d@x"}', more: "m" },
      service_tier: "standard_only",
      cache_control: { type: "ephemeral" },
      speed: "fast",
      container: { id: "c", skills: [] },
      inference_geo: "eu",
      diagnostics: { previous_message_id: "m" },
      context_management: { edits: [{ type: "clear_thinking_20251015" }] },
      mcp_servers: [{ type: "url", url: "https://x", name: "x" }],
      future_field: { deep: [1] },
    },
  },
  {
    name: "every block of a user",
    body: {
      ...base,
      messages: [{
        role: "user",
        content: [
          { type: "text", text: "t", future: true },
          {
            type: "image",
            source: { type: "base64", media_type: "image/png", data: "AAAA" },
            transformations: { oversized_image: "error" },
          },
          { type: "image", source: { type: "url", url: "https://x/y.png" } },
          { type: "image", source: { type: "file", file_id: "f1" } },
          { type: "image", source: { type: "future", id: 4 } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
            title: "T",
            context: "C",
            citations: { enabled: true },
            cache_control: { type: "ephemeral" },
          },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "d" } },
          { type: "document", source: { type: "content", content: "c" } },
          {
            type: "document",
            source: { type: "content", content: [{ type: "text", text: "c" }] },
          },
          {
            type: "document",
            source: {
              type: "content",
              content: [{ type: "image", source: { type: "url", url: "https://x" } }],
            },
          },
          { type: "document", source: { type: "url", url: "https://x/y.pdf" } },
          { type: "document", source: { type: "file", file_id: "f2" } },
          {
            type: "search_result",
            source: "https://s",
            title: "S",
            content: [{ type: "text", text: "found" }],
            citations: { enabled: true },
            cache_control: { type: "ephemeral" },
          },
          { type: "container_upload", file_id: "f3" },
          { type: "future_block", x: [1, { y: null }] },
        ],
      }],
    },
  },
  {
    name: "every block of an assistant, and results",
    body: {
      ...base,
      messages: [
        hello,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "EqQB" },
            { type: "thinking", thinking: "", signature: "omitted" },
            { type: "redacted_thinking", data: "xyz" },
            {
              type: "text",
              text: "t",
              citations: [{
                type: "char_location",
                cited_text: "q",
                document_index: 0,
                document_title: "D",
                start_char_index: 0,
                end_char_index: 3,
              }],
            },
            {
              type: "server_tool_use",
              id: "srvtoolu_1",
              name: "web_search",
              input: { query: "q" },
            },
            {
              type: "web_search_tool_result",
              tool_use_id: "srvtoolu_1",
              content: [{ type: "web_search_result", url: "https://x", title: "X" }],
              cache_control: { type: "ephemeral" },
            },
            {
              type: "tool_use",
              id: "toolu_1",
              name: "f",
              input: { a: [1, "ü"], n: null },
              caller: { type: "direct" },
              cache_control: { type: "ephemeral", ttl: "5m" },
            },
            { type: "tool_use", id: "toolu_2", name: "click", input: {}, toolset_name: "browser" },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [
                { type: "text", text: "one" },
                { type: "image", source: { type: "url", url: "https://x" } },
                { type: "tool_reference", tool_name: "g" },
                { type: "browser_state", tabs: [] },
              ],
              is_error: true,
              cache_control: { type: "ephemeral" },
            },
            { type: "tool_result", tool_use_id: "toolu_2", toolset_name: "browser" },
          ],
        },
        { role: "system", content: "mind", clear_at: "next" },
      ],
    },
  },
  {
    name: "every kind of tool",
    body: {
      ...base,
      messages: [hello],
      tools: [
        {
          type: "custom",
          name: "f",
          description: "d",
          input_schema: { type: "object", properties: { a: { type: ["string", "null"] } } },
          strict: true,
          input_examples: [{ a: "x" }],
          defer_loading: true,
          allowed_callers: ["direct"],
          eager_input_streaming: true,
          cache_control: { type: "ephemeral" },
        },
        { name: "no.args", input_schema: { type: "object" } },
        { type: "bash_20250124", name: "bash", cache_control: { type: "ephemeral" } },
        {
          type: "text_editor_20250728",
          name: "str_replace_based_edit_tool",
          max_characters: 9,
        },
        { type: "memory_20250818", name: "memory" },
        { type: "computer_toolset_20260801", configs: { key: { enabled: true } } },
        {
          type: "web_search_20260318",
          name: "web_search",
          max_uses: 2,
          blocked_domains: ["x.org"],
          user_location: { type: "approximate", city: "Oslo" },
          response_inclusion: "full",
        },
        { type: "web_fetch_20260309", name: "web_fetch", use_cache: false },
        { type: "code_execution_20260521", name: "code_execution" },
        { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
        { type: "mcp_toolset", mcp_server_name: "x" },
      ],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    },
  },
  ...[
    { type: "auto" },
    { type: "auto", disable_parallel_tool_use: false },
    { type: "any" },
    { type: "none" },
    { type: "tool", name: "f", disable_parallel_tool_use: true },
    { type: "future", name: "f", x: 1 },
  ].map((tool_choice) => ({
    name: `tool_choice ${JSON.stringify(tool_choice)}`,
    body: {
      ...base,
      messages: [hello],
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice,
    },
  })),
  ...[
    { type: "enabled", budget_tokens: 1024 },
    { type: "adaptive", display: "summarized" },
    { type: "between_tools" },
    { type: "disabled" },
  ].map((thinking) => ({
    name: `thinking ${thinking.type}`,
    body: { ...base, messages: [hello], thinking },
  })),
  {
    name: "turns of one role in a row, and text of white space",
    body: {
      ...base,
      messages: [hello, hello, { role: "user", content: " " }],
    },
  },
  {
    name: "an output format that nobody knows",
    body: {
      ...base,
      messages: [hello],
      output_config: { format: { type: "regex", pattern: "a+" }, effort: "colossal" },
    },
  },
];

for (const { name, body } of kept) {
  Deno.test(`messages request keeps ${name}`, () => {
    assertEquals(roundTrip(body), { body, notes: [] });
  });
}

Deno.test("messages request writes output_format as output_config.format", () => {
  const format = { type: "json_schema", schema: { type: "object" } };
  const { body } = roundTrip({ ...base, messages: [hello], output_format: format });
  assertEquals(body.output_config, { format });
  assertEquals(body.output_format, undefined);
});

Deno.test("messages request takes leading system messages as instructions, in order", () => {
  const request = messages.decodeRequest(wireOf({
    ...base,
    system: "a",
    messages: [{ role: "system", content: [{ type: "text", text: "b" }] }, hello],
  }));
  assertEquals(request.instructions.map(({ text }) => text), ["a", "b"]);
  assertEquals(request.turns.map(({ role }) => role), ["user"]);
});

Deno.test("messages request keeps the attribution line away from other formats and gives it back", () => {
  const attribution = { type: "text", text: "x-anthropic-billing-header: cc_version=1; cch=ab;" };
  const body = { ...base, system: [attribution, { type: "text", text: "b" }], messages: [hello] };
  const request = messages.decodeRequest(wireOf(body));
  assertEquals(request.instructions.map(({ text }) => text), ["b"]);
  assertEquals(encodeAtOnce(messages, request).wire.body, body);
});

Deno.test("messages request carries version and beta flags to an upstream of its own format", () => {
  const headers = { "anthropic-version": "2026-10-21", "anthropic-beta": "a,b" };
  const wire = { ...wireOf({ ...base, messages: [hello] }), headers };
  assertEquals(encodeAtOnce(messages, messages.decodeRequest(wire)).wire.headers, headers);
  const plain = messages.decodeRequest(wireOf({ ...base, messages: [hello] }));
  assertEquals(encodeAtOnce(messages, plain).wire.headers, {}); // the upstream's own version is sent
});

Deno.test("messages request describes the vendor's client tools to other formats", () => {
  const { tools } = messages.decodeRequest(wireOf({
    ...base,
    messages: [hello],
    tools: [{ type: "bash_20250124", name: "bash" }],
  }));
  const [tool] = tools;
  assert(tool?.type === "function");
  assertEquals(tool.name, "bash");
  assertEquals(Object.keys(Object(tool.parameters?.properties)), ["command", "restart"]);
});

Deno.test("messages request renders a tool reference and a search result in words", () => {
  const { turns } = messages.decodeRequest(wireOf({
    ...base,
    messages: [{
      role: "user",
      content: [
        { type: "search_result", source: "s", title: "T", content: [{ type: "text", text: "x" }] },
        { type: "tool_reference", tool_name: "g" },
      ],
    }],
  }));
  const texts = turns[0]?.parts.map((part) => part.type === "text" && part.text);
  assertEquals(texts, ["T\ns\nx", "Tool g is available"]);
});

Deno.test("messages request opens a sealed proof and gives a carried one back to its call", () => {
  const responses = { issuer: "responses", data: "enc", itemId: "rs_1" } as const;
  const google = { issuer: "generate-content", data: "sig" } as const;
  const { turns } = messages.decodeRequest(wireOf({
    ...base,
    messages: [hello, {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "a", signature: sealContinuation("messages", responses) },
        { type: "redacted_thinking", data: `${sealContinuation("messages", google)}.next` },
        { type: "tool_use", id: "t1", name: "f", input: {} },
        { type: "tool_use", id: "t2", name: "f", input: {} },
        { type: "redacted_thinking", data: `${sealContinuation("messages", google)}.previous` },
        { type: "thinking", thinking: "b", signature: "tsr1.responses.broken!" },
      ],
    }],
  }));
  assertEquals(turns[1]?.parts.map(({ type, continuation }) => ({ type, continuation })), [
    { type: "reasoning", continuation: responses },
    { type: "tool-call", continuation: google },
    { type: "tool-call", continuation: google },
    { type: "reasoning", continuation: undefined },
  ]);
});

Deno.test("messages request leaves out thinking of other issuers and switches thinking off in its loop", () => {
  const { wire, notes } = encodeAtOnce(
    messages,
    messages.decodeRequest(wireOf({
      ...base,
      thinking: { type: "enabled", budget_tokens: 1024 },
      messages: [
        hello,
        {
          role: "assistant",
          content: [
            {
              type: "thinking",
              thinking: "a",
              signature: sealContinuation("messages", { issuer: "responses", data: "enc" }),
            },
            { type: "tool_use", id: "t1", name: "f", input: {} },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1" }] },
      ],
      tools: [{ name: "f", input_schema: { type: "object" } }],
    })),
  );
  assertEquals(wire.body.thinking, undefined);
  assertEquals(JSON.stringify(wire.body).includes("tsr1"), false);
  assertEquals(notes.map(({ path, action }) => `${path} ${action}`), [
    "turns[1].parts[0] dropped",
    "reasoning repaired",
  ]);
});

Deno.test("messages count: max_tokens is not needed, and only what weighs is sent", () => {
  const { tokenCount } = messages;
  assert(tokenCount);
  const body = { model: "m", messages: [hello], system: "s", temperature: 1, stream: true };
  const wire = tokenCount.encodeRequest(tokenCount.decodeRequest(wireOf(body)));
  assertEquals(wire.path, "/v1/messages/count_tokens");
  assertEquals(wire.body, { model: "m", messages: [hello], system: "s" });
  assertEquals(tokenCount.decodeResponse({ input_tokens: 7 }), 7);
  assertEquals(tokenCount.encodeResponse(7), { input_tokens: 7 });
  for (const answer of [null, 7, {}, { input_tokens: "7" }, { input_tokens: -1 }]) {
    try {
      tokenCount.decodeResponse(answer);
      throw new Error("accepted");
    } catch (error) {
      assert(error instanceof GatewayError && error.code === "upstream_invalid_response");
    }
  }
});

Deno.test("messages envelope reads the model and the stream, and wants messages", () => {
  const { conversation, ...envelope } = messages.envelope(
    wireOf({ ...base, messages: [], stream: true }),
  );
  assertEquals(conversation?.(), undefined);
  assertEquals(envelope, {
    model: base.model,
    maxOutputTokens: base.max_tokens,
    alternatives: 1,
    thinkingTokens: undefined,
    vendorState: undefined,
    stream: true,
    framing: "sse",
  });
  const cases: [JsonObject, string][] = [
    [{ messages: [] }, "model"],
    [{ model: "", messages: [] }, "model"],
    [{ model: 7, messages: [] }, "model"],
    [{ model: "m" }, "messages"],
    [{ model: "m", messages: "hi" }, "messages"],
  ];
  for (const [body, param] of cases) {
    try {
      messages.envelope(wireOf(body));
      throw new Error("accepted");
    } catch (error) {
      assert(error instanceof GatewayError);
      assertEquals([error.status, error.param], [400, param]);
    }
  }
});
