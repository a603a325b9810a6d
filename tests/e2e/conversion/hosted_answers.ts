import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";

/**
 * Whole answers of each format as its upstreams give them when their own tools ran: items of those
 * tools, cited sources, pictures, and as much text as a long report has.
 */

/** Base64 of a picture of 45 KB. */
export const picture = new Uint8Array(45_000).map((_, at) => (at * 31) % 251).toBase64();
const report = Array.from(
  { length: 300 },
  (_, at) =>
    `Line ${at} of the report: cats sleep sixteen hours a day, as the study of 2025 found.`,
).join("\n");
const web = "https://cats.example/sleep?study=2025";
const blob = "c2VhbGVk".repeat(300);

/** Words of each answer that a caller of any format must be able to read, beside its own text. */
export const mustSay: Readonly<Record<FormatName, readonly string[]>> = {
  "chat-completions": [web, picture],
  responses: [
    web,
    picture,
    "print(6 * 7)",
    "the answer is 42",
    "Annual report.pdf",
  ],
  messages: [web, "cats asleep", "echo $((6 * 7))", "the answer is 42", "Annual report"],
  "generate-content": [web, picture, "print(6 * 7)", "the answer is 42"],
};

const chat: JsonObject = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_760_000_000,
  model: "up",
  system_fingerprint: "fp_1",
  search_results: [{ title: "Cats", url: web }],
  choices: [{
    index: 0,
    finish_reason: "stop",
    logprobs: { content: [{ token: "Line", logprob: -0.1, bytes: null, top_logprobs: [] }] },
    message: {
      role: "assistant",
      content: report,
      refusal: null,
      annotations: [{
        type: "url_citation",
        url_citation: { url: web, title: "How cats sleep", start_index: 0, end_index: 80 },
      }],
      images: [{ type: "image_url", image_url: { url: `data:image/png;base64,${picture}` } }],
    },
  }],
  usage: { prompt_tokens: 900, completion_tokens: 9000, total_tokens: 9900 },
};

const responses: JsonObject = {
  id: "resp_1",
  object: "response",
  created_at: 1_760_000_000,
  status: "completed",
  model: "up",
  tools: [],
  parallel_tool_calls: true,
  output: [
    {
      id: "mcpl_1",
      type: "mcp_list_tools",
      server_label: "toys",
      tools: Array.from({ length: 40 }, (_, at) => ({
        name: at === 0 ? "find_cat_toys" : `tool_${at}`,
        description: "Finds toys. ".repeat(20),
        input_schema: { type: "object", properties: { query: { type: "string" } } },
        annotations: null,
      })),
    },
    {
      id: "ws_1",
      type: "web_search_call",
      status: "completed",
      action: { type: "search", query: "cats asleep" },
    },
    {
      id: "ci_1",
      type: "code_interpreter_call",
      status: "completed",
      container_id: "cntr_1",
      code: "print(6 * 7)",
      outputs: [{ type: "logs", logs: "the answer is 42" }],
    },
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{
        type: "output_text",
        text: report,
        logprobs: [],
        annotations: [
          {
            type: "url_citation",
            url: web,
            title: "How cats sleep",
            start_index: 0,
            end_index: 80,
          },
          { type: "file_citation", file_id: "file_1", filename: "Annual report.pdf", index: 90 },
        ],
      }],
    },
    {
      id: "ig_1",
      type: "image_generation_call",
      status: "completed",
      output_format: "png",
      result: picture,
    },
  ],
  usage: {
    input_tokens: 900,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 9000,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 9900,
  },
};

const messages: JsonObject = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "up",
  stop_reason: "end_turn",
  stop_sequence: null,
  content: [
    {
      type: "server_tool_use",
      id: "srvtoolu_1",
      name: "web_search",
      input: { query: "cats asleep" },
    },
    {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: Array.from({ length: 10 }, (_, at) => ({
        type: "web_search_result",
        url: at === 0 ? web : `https://cats.example/${at}`,
        title: `Cats, page ${at}`,
        encrypted_content: blob,
        page_age: null,
      })),
    },
    {
      type: "text",
      text: "Cats sleep a lot.",
      citations: [{
        type: "web_search_result_location",
        url: web,
        title: "How cats sleep",
        encrypted_index: blob,
        cited_text: "Sixteen hours a day is usual.",
      }],
    },
    {
      type: "text",
      text: " They always did.",
      citations: [{
        type: "char_location",
        cited_text: "Cats have slept since 1990.",
        document_index: 0,
        document_title: "Annual report",
        start_char_index: 0,
        end_char_index: 27,
        file_id: null,
      }],
    },
    {
      type: "server_tool_use",
      id: "srvtoolu_2",
      name: "bash_code_execution",
      input: { command: "echo $((6 * 7))" },
    },
    {
      type: "bash_code_execution_tool_result",
      tool_use_id: "srvtoolu_2",
      content: {
        type: "bash_code_execution_result",
        stdout: "the answer is 42",
        stderr: "",
        return_code: 0,
        content: [],
      },
    },
    { type: "text", text: report },
  ],
  usage: { input_tokens: 900, output_tokens: 9000 },
};

const generateContent: JsonObject = {
  responseId: "r_1",
  modelVersion: "up",
  candidates: [{
    index: 0,
    finishReason: "STOP",
    content: {
      role: "model",
      parts: [
        { executableCode: { language: "PYTHON", code: "print(6 * 7)" } },
        { codeExecutionResult: { outcome: "OUTCOME_OK", output: "the answer is 42" } },
        { text: report },
        { inlineData: { mimeType: "image/png", data: picture } },
      ],
    },
    groundingMetadata: {
      webSearchQueries: ["cats asleep"],
      searchEntryPoint: { renderedContent: `<div>${blob}</div>` },
      groundingChunks: [{ web: { uri: web, title: "How cats sleep" } }],
      groundingSupports: [{
        segment: { startIndex: 0, endIndex: 80, text: report.slice(0, 80) },
        groundingChunkIndices: [0],
      }],
    },
  }],
  usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 9000, totalTokenCount: 9900 },
};

export const hostedAnswers: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": chat,
  responses,
  messages,
  "generate-content": generateContent,
};
