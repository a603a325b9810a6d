import type { JsonObject } from "../../../../lib/canonical/mod.ts";
import { bytes, pageOf, program, prose, type Sample, sealed } from "./sample.ts";

const usage = {
  input_tokens: 61_007,
  input_tokens_details: {
    cached_tokens: 5129,
    cache_write_tokens: 5117,
    cache_write_tokens_details: { ttl_30m_tokens: 1021, ttl_12h_tokens: 4096 },
  },
  output_tokens: 7331,
  output_tokens_details: { reasoning_tokens: 2903 },
  total_tokens: 68_338,
};

function response(output: readonly JsonObject[], members: JsonObject = {}): JsonObject {
  return {
    id: "resp_lawofanswers",
    object: "response",
    created_at: 1_795_341_001,
    completed_at: 1_795_341_077,
    status: "completed",
    background: false,
    billing: { payer: "developer" },
    error: null,
    incomplete_details: null,
    instructions: "Answer with all that you have.",
    max_output_tokens: 100_001,
    metadata: { ticket: "LAW-9" },
    model: "gpt-6-astra-2026-09-03",
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: "law-of-answers-key",
    reasoning: { effort: "high", summary: "detailed" },
    service_tier: "default",
    store: true,
    temperature: 0.7,
    text: { format: { type: "text" }, verbosity: "high" },
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 0.95,
    truncation: "disabled",
    usage,
    ...members,
  };
}

function message(id: string, content: readonly JsonObject[], members: JsonObject = {}): JsonObject {
  return {
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    status: "completed",
    content,
    ...members,
  };
}

function text(words: string, annotations: readonly JsonObject[] = []): JsonObject {
  return { type: "output_text", text: words, annotations, logprobs: [] };
}

function reasoning(id: string, members: JsonObject): JsonObject {
  return { id: `rs_${id}`, type: "reasoning", summary: [], ...members };
}

const searching = response([
  reasoning("1", {
    summary: [
      { type: "summary_text", text: prose("**First** thought", 2) },
      { type: "summary_text", text: prose("**Second** thought") },
    ],
    encrypted_content: sealed("reasoning-1", 4),
  }),
  ...[1, 2, 3, 4, 5].map((at) => ({
    id: `ws_${at}`,
    type: "web_search_call",
    status: at === 5 ? "failed" : "completed",
    action: {
      type: "search",
      query: `query number ${at}`,
      queries: [`query number ${at}`, `its variant ${at * 13}`],
      sources: [{ type: "url", url: pageOf("source", at).url }],
    },
  })),
  {
    id: "ws_open",
    type: "web_search_call",
    status: "completed",
    action: { type: "open_page", url: "https://opened.example/page" },
  },
  {
    id: "ws_find",
    type: "web_search_call",
    status: "completed",
    action: {
      type: "find_in_page",
      url: "https://searched.example/in",
      pattern: "needle in the page",
    },
  },
  message("cited", [text(prose("Found on the web", 12), [
    { type: "url_citation", start_index: 171, end_index: 219, ...pageOf("cited", 1) },
    { type: "url_citation", start_index: 307, end_index: 411, ...pageOf("cited", 2) },
    { type: "file_citation", file_id: "file-lawbook", filename: "the law book.pdf", index: 503 },
    {
      type: "container_file_citation",
      container_id: "cntr_cited",
      file_id: "cfile_chart",
      filename: "chart of losses.png",
      start_index: 601,
      end_index: 640,
    },
    { type: "file_path", file_id: "file-produced", index: 702 },
  ])], { phase: "final_answer" }),
], { tool_usage: { web_search: { num_requests: 19 } } });

const working = response([
  {
    id: "fs_1",
    type: "file_search_call",
    status: "completed",
    queries: ["what the contract says", "penalty clauses"],
    results: Array.from({ length: 12 }, (_, at) => ({
      file_id: `file-result${at}`,
      filename: `contract part ${at}.docx`,
      score: 0.5171 + at / 1000,
      text: prose(`Clause ${at}`),
      attributes: { region: `region ${at} of the law` },
    })),
  },
  {
    id: "ci_1",
    type: "code_interpreter_call",
    status: "completed",
    container_id: "cntr_program",
    code: program("integrate", 10),
    outputs: [
      { type: "logs", logs: prose("Logged", 20) },
      { type: "image", url: "https://files.example/plot.png" },
    ],
  },
  {
    id: "ig_1",
    type: "image_generation_call",
    status: "completed",
    result: bytes("generated picture", 60),
    output_format: "webp",
    size: "1024x1536",
    quality: "high",
    background: "opaque",
    revised_prompt: "A gateway of brass, with four doors, in the morning",
  },
  {
    id: "mcpl_1",
    type: "mcp_list_tools",
    server_label: "tickets-of-law",
    tools: Array.from({ length: 20 }, (_, at) => ({
      name: `ticket_tool_${at}`,
      description: prose(`Tool ${at}`, 1),
      input_schema: { type: "object", properties: { [`field_${at}`]: { type: "string" } } },
      annotations: null,
    })),
  },
  {
    id: "mcpr_1",
    type: "mcp_approval_request",
    server_label: "payments-of-law",
    name: "pay_invoice",
    arguments: '{"invoice":"INV-2026-11","amount":1733}',
  },
  {
    id: "mcp_1",
    type: "mcp_call",
    status: "completed",
    server_label: "tickets-of-law",
    name: "ticket_tool_3",
    arguments: '{"field_3":"the ticket asked for"}',
    output: prose("The ticket says", 6),
    error: null,
    approval_request_id: null,
  },
  {
    id: "mcp_2",
    type: "mcp_call",
    status: "failed",
    server_label: "tickets-of-law",
    name: "ticket_tool_4",
    arguments: '{"field_4":"the ticket that fails"}',
    output: null,
    error: { type: "http_error", code: 502, message: "the ticket server is away" },
  },
  {
    id: "lsh_1",
    type: "local_shell_call",
    call_id: "call_lsh",
    status: "completed",
    action: {
      type: "exec",
      command: ["grep", "-rn", "lost in conversion"],
      env: { LAW: "nine" },
      working_directory: "/srv/law",
    },
  },
  {
    id: "sh_1",
    type: "shell_call",
    call_id: "call_sh",
    status: "completed",
    action: {
      commands: ["ls -la /srv/answers", "wc -l notes.txt"],
      timeout_ms: 120_007,
      max_output_length: 4099,
    },
  },
  {
    id: "sho_1",
    type: "shell_call_output",
    call_id: "call_sh",
    output: [{
      stdout: prose("Listed", 3),
      stderr: "ls: some were hidden",
      outcome: { type: "exit", exit_code: 7 },
    }],
    max_output_length: 4099,
  },
  {
    id: "ap_1",
    type: "apply_patch_call",
    call_id: "call_patch",
    status: "completed",
    operation: { type: "update_file", path: "lib/law/answers.ts", diff: prose("@@ patched", 3) },
  },
  {
    id: "cu_1",
    type: "computer_call",
    call_id: "call_computer",
    status: "completed",
    actions: [{ type: "click", button: "left", x: 471, y: 913 }],
    pending_safety_checks: [{
      id: "cu_sc_1",
      code: "malicious_instructions",
      message: "The page asks for a password",
    }],
  },
  {
    id: "ts_1",
    type: "tool_search_call",
    call_id: null,
    execution: "server",
    arguments: { query: "tools that deploy" },
    status: "completed",
  },
  {
    id: "tso_1",
    type: "tool_search_output",
    execution: "server",
    status: "completed",
    tools: [{
      type: "function",
      name: "deploy_to_venus",
      description: "Deploys far away",
      parameters: { type: "object", properties: {} },
    }],
  },
  { id: "cmp_1", type: "compaction", encrypted_content: sealed("compaction", 8) },
  {
    id: "prg_1",
    type: "program",
    call_id: "call_program",
    code: program("orchestrate", 2),
    fingerprint: sealed("fingerprint"),
  },
  {
    id: "prgo_1",
    type: "program_output",
    call_id: "call_program",
    result: "the program came to 8191",
    status: "completed",
  },
  {
    id: "tel_1",
    type: "telepathy_call",
    status: "completed",
    thought: "an item of the day after tomorrow",
    strength: 8837,
  },
  message("work", [text(prose("All work is done", 3))]),
], {
  tool_usage: {
    image_gen: {
      input_tokens: 1201,
      input_tokens_details: { image_tokens: 1103, text_tokens: 98 },
      output_tokens: 6211,
      total_tokens: 7412,
    },
    web_search: { num_requests: 0 },
  },
  service_tier: "priority",
  prompt_cache_diagnostics: {
    type: "cache_miss",
    reason: "verbosity_changed",
    cache_missed_tokens: 5123,
    comparison_reusable_tokens: 519,
  },
  input_transformations: [{
    id: "rs_4",
    type: "reasoning",
    action: "removed",
    reason: "organization_mismatch",
  }],
});

const calling = response([
  reasoning("2", { content: [{ type: "reasoning_text", text: prose("Raw thought", 3) }] }),
  message("before", [text(prose("I call three tools"))], { phase: "commentary" }),
  ...[1, 2].map((at) => ({
    id: `fc_${at}`,
    type: "function_call",
    call_id: `call_parallel${at}`,
    name: "get_weather",
    arguments: JSON.stringify({ city: `Village ${at}`, days: at + 30, why: prose(`Why ${at}`, 2) }),
    status: "completed",
  })),
  {
    id: "fc_ns",
    type: "function_call",
    call_id: "call_namespaced",
    name: "find_customer",
    namespace: "crm",
    arguments: '{"customer":"Ada of the law"}',
    status: "completed",
    caller: { type: "program", caller_id: "call_program" },
  },
  {
    id: "ctc_1",
    type: "custom_tool_call",
    call_id: "call_custom",
    name: "apply_patch",
    input: `*** Begin Patch\n${prose("+patched", 5)}\n*** End Patch`,
    status: "completed",
  },
]);

const logprobs = Array.from({ length: 40 }, (_, at) => ({
  token: ` token${at}`,
  bytes: [32, 116, at],
  logprob: -0.0101 - at / 100,
  top_logprobs: [{ token: ` token${at}`, bytes: [32, 116, at], logprob: -0.0101 - at / 100 }, {
    token: ` other${at}`,
    bytes: [32, 111, at],
    logprob: -3.0203 - at / 100,
  }],
}));

export const responsesSamples: readonly Sample[] = [
  { name: "searches and citations of every kind", wire: searching },
  { name: "hosted items of every kind, an unknown one, a picture", wire: working },
  { name: "parallel, namespaced and free-text calls", wire: calling },
  {
    name: "a refusal",
    wire: response([
      message("refused", [{
        type: "refusal",
        refusal: "I cannot help with breaking the law of answers.",
      }]),
    ]),
  },
  {
    name: "a citation whose address is in the text",
    wire: response([
      message("linked", [text(`See ${pageOf("linked", 5).url} for ${prose("more")}`, [
        { type: "url_citation", start_index: 4, end_index: 40, ...pageOf("linked", 5) },
      ])]),
    ]),
  },
  {
    name: "log probabilities",
    wire: response([
      message("probable", [{ ...text(prose("Probably")), logprobs }]),
    ], { top_logprobs: 2 }),
  },
  {
    name: "cut by its limit",
    wire: response([
      message("cut", [text(prose("Cut in the middle", 30))], { status: "incomplete" }),
    ], { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
  },
  {
    name: "filtered",
    wire: response([
      message("filtered", [text("It begins well and")], { status: "incomplete" }),
    ], { status: "incomplete", incomplete_details: { reason: "content_filter" } }),
  },
  {
    name: "several messages around a moderated end",
    wire: response([
      message("one", [text(prose("Message one")), text(prose("Its second part"))], {
        phase: "commentary",
      }),
      message("two", [text(prose("Message two"))], { phase: "final_answer" }),
    ], {
      moderation: {
        output: { model: "omni-moderation-2026", flagged: true, categories: { self_rule: true } },
      },
      conversation: { id: "conv_lawbook" },
    }),
  },
];
