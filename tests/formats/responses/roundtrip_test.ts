import { assertEquals } from "@std/assert";
import { type JsonObject, type JsonValue } from "../../../lib/canonical/mod.ts";
import { encodeAtOnce } from "../../../lib/formats/codec.ts";
import { responses } from "../../../lib/formats/responses/mod.ts";
import { decode } from "./wire.ts";

/** Decodes and encodes a request of this format. */
function again(body: JsonObject): JsonObject {
  const { wire, notes } = encodeAtOnce(responses, decode(body));
  assertEquals(notes, []);
  return JSON.parse(JSON.stringify(wire.body));
}

const bodies: Record<string, JsonObject> = {
  "server-held state": {
    previous_response_id: "resp_1",
    conversation: { id: "conv_1" },
    background: true,
    input: [{ type: "item_reference", id: "msg_9" }],
  },
  "a stored prompt without input": {
    prompt: { id: "pmpt_1", version: "2", variables: { a: "b" } },
  },
  "developer messages with several parts": {
    input: [
      {
        type: "message",
        role: "developer",
        id: "msg_a",
        content: [{ type: "input_text", text: "one" }, { type: "input_text", text: "two" }],
      },
      { type: "message", role: "system", content: [{ type: "input_text", text: "three" }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "x" }] },
    ],
  },
  "assistant messages apart without ids": {
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "x" }] },
      {
        type: "message",
        role: "assistant",
        phase: "commentary",
        content: [{ type: "output_text", text: "a", annotations: [] }],
      },
      {
        type: "message",
        role: "assistant",
        phase: "final_answer",
        content: [
          { type: "output_text", text: "b", annotations: [] },
          { type: "refusal", refusal: "c" },
        ],
      },
    ],
  },
  "assistant messages apart by their ids, and every kind of annotation": {
    input: [
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        status: "completed",
        content: [{
          type: "output_text",
          text: "a",
          annotations: [
            {
              type: "url_citation",
              url: "https://x.test",
              title: "X",
              start_index: 0,
              end_index: 1,
            },
            { type: "file_citation", file_id: "file_1", filename: "a.txt", index: 0 },
            { type: "container_file_citation", container_id: "c", file_id: "f", start_index: 0 },
            { type: "file_path", file_id: "f", index: 1 },
          ],
        }],
      },
      {
        type: "message",
        role: "assistant",
        id: "msg_2",
        content: [{ type: "output_text", text: "b", annotations: [] }],
      },
    ],
  },
  "reasoning of several pieces": {
    input: [{
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "a" }, { type: "summary_text", text: "b" }],
      content: [{ type: "reasoning_text", text: "raw" }],
      encrypted_content: "sealed",
      status: "completed",
    }],
  },
  "items and parts of unknown type": {
    input: [
      { type: "hologram_call", id: "h_1", beam: { width: 3 } },
      { type: "hologram_call_output", call_id: "h_1" },
      { type: "message", role: "user", content: [{ type: "input_smell", data: "rose" }] },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [{ type: "output_smell", data: "tea" }],
      },
      { type: "configuration_update", reasoning: { effort: "low" } },
    ],
  },
  "every hosted call and its result": {
    input: [
      ...[
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "computer_call",
        "computer_call_output",
        "local_shell_call",
        "local_shell_call_output",
        "shell_call",
        "shell_call_output",
        "apply_patch_call",
        "apply_patch_call_output",
        "mcp_list_tools",
        "mcp_approval_request",
        "mcp_approval_response",
        "mcp_call",
        "program",
        "program_output",
        "tool_search_call",
        "tool_search_output",
        "compaction",
      ].map((type, index) => ({ type, id: `x_${index}`, detail: { index } })),
      { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "f" }] },
      { type: "compaction_trigger" },
    ],
  },
  "images, files and audio": {
    input: [{
      type: "message",
      role: "user",
      content: [
        { type: "input_image", detail: "original", image_url: "data:image/png;base64,AAA=" },
        { type: "input_image", detail: "low", image_url: "https://x.test/a.png" },
        { type: "input_image", file_id: "file_1", prompt_cache_breakpoint: { mode: "explicit" } },
        { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAA=" },
        { type: "input_file", filename: "a.pdf", file_data: "JVBERi0=", detail: "high" },
        { type: "input_file", file_url: "https://x.test/a.pdf" },
        { type: "input_file", file_id: "file_2" },
        { type: "input_audio", input_audio: { data: "AAA=", format: "mp3" } },
      ],
    }],
  },
  "images in a tool's output": {
    input: [
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      {
        type: "function_call_output",
        id: "fco_1",
        status: "completed",
        call_id: "a",
        output: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "https://x.test/a.png" },
        ],
      },
    ],
  },
  "tools of every kind": {
    input: [],
    tools: [
      {
        type: "function",
        name: "f",
        parameters: { type: "object" },
        strict: true,
        defer_loading: true,
        output_schema: { type: "object" },
        allowed_callers: ["direct"],
      },
      {
        type: "custom",
        name: "c",
        description: "d",
        format: { type: "grammar", syntax: "lark", definition: "start: /x/" },
      },
      { type: "custom", name: "t", format: { type: "text" } },
      {
        type: "namespace",
        name: "crm",
        description: "Customers",
        tools: [
          { type: "function", name: "find", parameters: { type: "object" }, strict: false },
          { type: "custom", name: "note" },
        ],
      },
      {
        type: "namespace",
        name: "crm",
        description: "Again",
        tools: [{ type: "custom", name: "z" }],
      },
      { type: "namespace", name: "empty", description: "", tools: [] },
      {
        type: "web_search",
        filters: { allowed_domains: ["x.test"] },
        search_context_size: "low",
        user_location: { type: "approximate", city: "Oslo" },
      },
      { type: "code_interpreter", container: { type: "auto", memory_limit: "4g" } },
      { type: "file_search", vector_store_ids: ["vs_1"] },
      { type: "mcp", server_label: "s", server_url: "https://x.test", require_approval: "never" },
      { type: "image_generation" },
      { type: "computer_use_preview", display_width: 1, display_height: 1, environment: "mac" },
      { type: "shell" },
      { type: "local_shell" },
      { type: "apply_patch" },
      { type: "tool_search", execution: "client" },
      { type: "programmatic_tool_calling" },
    ],
  },
  "every setting": {
    input: [],
    stream: true,
    stream_options: { include_obfuscation: false },
    max_output_tokens: 5,
    max_tool_calls: 3,
    temperature: 0.2,
    top_p: 0.3,
    top_logprobs: 4,
    reasoning: { effort: "max", summary: "detailed", mode: "pro", context: "all_turns" },
    text: { verbosity: "low", format: { type: "json_object" } },
    parallel_tool_calls: false,
    store: true,
    include: ["reasoning.encrypted_content", "message.output_text.logprobs"],
    context_management: [{ type: "compaction", compact_threshold: 9 }],
    truncation: "auto",
    metadata: { a: "b" },
    service_tier: "ultrafast",
    prompt_cache_key: "k",
    prompt_cache_options: { mode: "explicit", ttl: "30m" },
    prompt_cache_retention: "24h",
    safety_identifier: "u".repeat(100),
    moderation: { model: "x" },
    client_metadata: { session: "s" },
  },
  "the older name of the end user": { input: [], user: "someone" },
  "an effort and a format from the future": {
    input: [],
    reasoning: { effort: "cosmic" },
    text: { format: { type: "regex", pattern: "x" }, tone: "dry" },
  },
  "a schema": {
    input: [],
    text: {
      format: {
        type: "json_schema",
        name: "n",
        description: "d",
        schema: { type: "object" },
        strict: true,
        extra: 1,
      },
    },
  },
};

for (const [name, body] of Object.entries(bodies)) {
  Deno.test(`encodeRequest gives back ${name}`, () => {
    assertEquals(again(body), { model: "m", ...body });
  });
}

const choices: readonly JsonValue[] = [
  "auto",
  "none",
  "required",
  { type: "function", name: "f" },
  { type: "custom", name: "c" },
  { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] },
  { type: "allowed_tools", mode: "auto", tools: [{ type: "mcp", server_label: "s" }] },
  { type: "mcp", server_label: "s", name: "n" },
  { type: "web_search_preview" },
  { type: "apply_patch" },
];

for (const tool_choice of choices) {
  Deno.test(`encodeRequest gives back tool_choice ${JSON.stringify(tool_choice)}`, () => {
    assertEquals(again({ input: [], tool_choice }).tool_choice, tool_choice);
  });
}
