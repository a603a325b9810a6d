import type { JsonObject } from "../../../../lib/canonical/mod.ts";
import { bytes, pageOf, program, prose, type Sample, sealed } from "./sample.ts";

const usage = {
  input_tokens: 51_207,
  cache_creation_input_tokens: 7100,
  cache_read_input_tokens: 40_961,
  cache_creation: { ephemeral_5m_input_tokens: 6007, ephemeral_1h_input_tokens: 1093 },
  output_tokens: 9811,
  output_tokens_details: { thinking_tokens: 4409 },
  service_tier: "standard",
  inference_geo: "us",
  speed: "standard",
};

function message(content: readonly JsonObject[], members: JsonObject = {}): JsonObject {
  return {
    id: "msg_01LawOfAnswers",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-20261001",
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage,
    ...members,
  };
}

const found = Array.from({ length: 30 }, (_, at) => ({
  type: "web_search_result",
  ...pageOf("finder", at),
  encrypted_content: sealed(`found${at}`),
  page_age: `${at + 3} days ago`,
}));

const searching = message([
  { type: "thinking", thinking: prose("I should search", 3), signature: sealed("thought-1") },
  { type: "text", text: prose("Before the search") },
  {
    type: "server_tool_use",
    id: "srvtoolu_search1",
    name: "web_search",
    input: { query: "gateway conversions november 2026" },
  },
  { type: "web_search_tool_result", tool_use_id: "srvtoolu_search1", content: found },
  {
    type: "text",
    text: prose("After the search", 2),
    citations: [{
      type: "web_search_result_location",
      ...pageOf("finder", 3),
      cited_text: "the very words of page three",
      encrypted_index: sealed("index-3"),
    }],
  },
  {
    type: "server_tool_use",
    id: "srvtoolu_search2",
    name: "web_search",
    input: { query: "a search that fails" },
  },
  {
    type: "web_search_tool_result",
    tool_use_id: "srvtoolu_search2",
    content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
  },
  {
    type: "server_tool_use",
    id: "srvtoolu_fetch",
    name: "web_fetch",
    input: { url: "https://fetched.example/paper.html" },
  },
  {
    type: "web_fetch_tool_result",
    tool_use_id: "srvtoolu_fetch",
    content: {
      type: "web_fetch_result",
      url: "https://fetched.example/paper.html",
      retrieved_at: "2026-11-20T08:09:10Z",
      content: {
        type: "document",
        title: "The fetched paper",
        source: { type: "text", media_type: "text/plain", data: prose("Fetched", 8) },
      },
    },
  },
  { type: "text", text: prose("The end of the search") },
], { usage: { ...usage, server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } } });

const citing = message([{
  type: "text",
  text: prose("Cited in every way", 2),
  citations: [
    {
      type: "char_location",
      cited_text: "words by characters",
      document_index: 4,
      document_title: "Document of characters",
      file_id: "file_011chars",
      start_char_index: 1201,
      end_char_index: 1277,
    },
    {
      type: "page_location",
      cited_text: "words by pages",
      document_index: 5,
      document_title: "Document of pages",
      file_id: null,
      start_page_number: 171,
      end_page_number: 173,
    },
    {
      type: "content_block_location",
      cited_text: "words by blocks",
      document_index: 6,
      document_title: "Document of blocks",
      file_id: null,
      start_block_index: 62,
      end_block_index: 67,
    },
    {
      type: "search_result_location",
      cited_text: "words of a search result",
      search_result_index: 8,
      source: "https://knowledge.example/base/8",
      title: "Result of our own search",
      start_block_index: 91,
      end_block_index: 94,
    },
  ],
}]);

const working = message([
  { type: "redacted_thinking", data: sealed("redacted", 2) },
  {
    type: "server_tool_use",
    id: "srvtoolu_code",
    name: "code_execution",
    input: { code: program("measure", 6) },
  },
  {
    type: "code_execution_tool_result",
    tool_use_id: "srvtoolu_code",
    content: {
      type: "code_execution_result",
      stdout: prose("Printed by the program", 9),
      stderr: "Warning: the column count is deprecated",
      return_code: 3,
      content: [{ type: "code_execution_output", file_id: "file_011plot" }],
    },
  },
  {
    type: "server_tool_use",
    id: "srvtoolu_bash",
    name: "bash_code_execution",
    input: { command: "sort -u names.csv | head -n 40" },
  },
  {
    type: "bash_code_execution_tool_result",
    tool_use_id: "srvtoolu_bash",
    content: {
      type: "bash_code_execution_result",
      stdout: prose("Sorted", 2),
      stderr: "",
      return_code: 0,
      content: [],
    },
  },
  {
    type: "server_tool_use",
    id: "srvtoolu_edit",
    name: "text_editor_code_execution",
    input: { command: "view", path: "/tmp/notes-of-the-run.md" },
  },
  {
    type: "text_editor_code_execution_tool_result",
    tool_use_id: "srvtoolu_edit",
    content: {
      type: "text_editor_code_execution_view_result",
      file_type: "text",
      content: prose("Viewed", 2),
      num_lines: 41,
      start_line: 7,
      total_lines: 4711,
    },
  },
  { type: "container_upload", file_id: "file_011upload" },
  {
    type: "mcp_tool_use",
    id: "mcptoolu_1",
    name: "list_tickets",
    server_name: "ticket-server",
    input: { project: "law-of-answers", limit: 17 },
  },
  {
    type: "mcp_tool_result",
    tool_use_id: "mcptoolu_1",
    is_error: true,
    content: [{ type: "text", text: prose("Tickets") }],
  },
  {
    type: "tool_search_tool_result",
    tool_use_id: "srvtoolu_tools",
    content: {
      type: "tool_search_tool_search_result",
      tool_references: [{ type: "tool_reference", tool_name: "deploy_to_mars" }],
    },
  },
  {
    type: "advisor_tool_result",
    tool_use_id: "srvtoolu_advice",
    content: { type: "advisor_result", text: prose("Advised") },
  },
  {
    type: "hologram",
    frames: 240,
    caption: "A block of tomorrow",
    hologram_url: "https://holo.example/1",
  },
  { type: "text", text: prose("The work is done", 4), citations: null },
], {
  container: {
    id: "container_011law",
    expires_at: "2026-11-22T17:18:19Z",
    skills: [{ type: "custom", skill_id: "skill_011tables", version: "1759178010641129" }],
  },
  context_management: {
    applied_edits: [{
      type: "clear_tool_uses_20250919",
      cleared_tool_uses: 83,
      cleared_input_tokens: 50_027,
    }],
  },
  diagnostics: {
    cache_miss_reason: { type: "tools_changed", cache_missed_input_tokens: 41_233 },
  },
  input_transformations: [{
    type: "thinking_dropped",
    path: "messages[4].content[0]",
    reason: "model_binding_mismatch",
  }],
  usage: {
    ...usage,
    service_tier: "priority",
    speed: "fast",
    fallback_credit: { status: { type: "not_applied", reason: "body_mismatch" } },
    iterations: [
      {
        type: "compaction",
        input_tokens: 52_003,
        output_tokens: 907,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_creation: null,
      },
      {
        type: "fallback_message",
        model: "claude-sonnet-5",
        input_tokens: 51_207,
        output_tokens: 9811,
        cache_read_input_tokens: 40_961,
        cache_creation_input_tokens: 7100,
        cache_creation: { ephemeral_5m_input_tokens: 6007, ephemeral_1h_input_tokens: 1093 },
      },
    ],
  },
});

const calling = message([
  { type: "thinking", thinking: prose("Three calls at once", 2), signature: sealed("thought-2") },
  { type: "text", text: prose("Calling now") },
  ...[1, 2, 3].map((at) => ({
    type: "tool_use",
    id: `toolu_parallel${at}`,
    name: "get_weather",
    input: { city: `Town ${at}`, days: at + 20, exact: at === 2, note: prose(`Call ${at}`, 3) },
    ...(at === 3 && { caller: { type: "code_execution_20260120", tool_id: "srvtoolu_caller" } }),
  })),
], { stop_reason: "tool_use" });

export const messagesSamples: readonly Sample[] = [
  { name: "searches, found pages, a fetched paper", wire: searching },
  { name: "citations of every kind", wire: citing },
  { name: "programs, containers, MCP, unknown blocks", wire: working },
  { name: "parallel calls behind a thought", wire: calling },
  {
    name: "a refusal with its details",
    wire: message([{ type: "text", text: "I began to" }], {
      stop_reason: "refusal",
      stop_details: {
        type: "refusal",
        category: "frontier_llm",
        explanation: "The policy on frontier models forbids this very answer.",
      },
    }),
  },
  {
    name: "a fallback to another model",
    wire: message([
      { type: "text", text: prose("The first model began") },
      {
        type: "fallback",
        from: { model: "claude-opus-5" },
        to: { model: "claude-sonnet-5-fallback" },
        trigger: { type: "refusal", category: "cyber" },
      },
      { type: "text", text: prose("The second model went on") },
    ]),
  },
  {
    name: "a stop sequence",
    wire: message([{ type: "text", text: prose("Until the sequence") }], {
      stop_reason: "stop_sequence",
      stop_sequence: "<END-OF-LIST>",
    }),
  },
  {
    name: "cut by the context window",
    wire: message([{ type: "text", text: prose("Too long", 20) }], {
      stop_reason: "model_context_window_exceeded",
    }),
  },
  {
    name: "paused within a turn",
    wire: message([
      { type: "text", text: prose("To be continued") },
      {
        type: "server_tool_use",
        id: "srvtoolu_open",
        name: "web_search",
        input: { query: "an open question" },
      },
    ], { stop_reason: "pause_turn" }),
  },
  {
    name: "a picture in a result",
    wire: message([
      {
        type: "mcp_tool_result",
        tool_use_id: "mcptoolu_2",
        is_error: false,
        content: [{
          type: "image",
          source: { type: "base64", media_type: "image/png", data: bytes("drawn", 20) },
        }],
      },
      { type: "text", text: prose("See the picture") },
    ]),
  },
];
