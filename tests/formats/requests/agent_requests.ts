import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import type { WireRequest } from "../../../lib/formats/wire.ts";

/**
 * Requests of command-line agents in the middle of their work: a question, a call with its result,
 * another call.
 */
export interface AgentRequest {
  readonly name: string;
  readonly format: FormatName;
  readonly wire: WireRequest;
}

const shellSchema: JsonObject = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    command: { type: "string", description: "The command to run" },
    timeout: { type: "integer", minimum: 0 },
  },
  required: ["command"],
  additionalProperties: false,
};

const codex: JsonObject = {
  model: "gpt-5.1",
  instructions: "You are a coding agent",
  input: [
    {
      type: "message",
      role: "developer",
      content: [{ type: "input_text", text: "<permissions>read-only</permissions>" }],
    },
    {
      type: "message",
      id: "msg_1",
      role: "user",
      content: [{ type: "input_text", text: "List the files" }],
    },
    {
      type: "message",
      id: "msg_2",
      role: "assistant",
      status: "completed",
      phase: "commentary",
      content: [{ type: "output_text", text: "I look", annotations: [], logprobs: [] }],
    },
    {
      type: "function_call",
      id: "fc_1",
      status: "completed",
      name: "shell",
      arguments: '{"command":"ls"}',
      call_id: "call_1",
    },
    { type: "function_call_output", id: "fco_1", call_id: "call_1", output: "a.ts" },
  ],
  tools: [
    {
      type: "function",
      name: "shell",
      description: "Runs a command",
      strict: false,
      parameters: shellSchema,
      output_schema: null,
      defer_loading: false,
    },
    { type: "web_search", external_web_access: false },
  ],
  tool_choice: "auto",
  parallel_tool_calls: true,
  reasoning: { effort: "medium", summary: "auto" },
  store: false,
  stream: true,
  stream_options: { include_usage: true },
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "0199-session",
  prompt_cache_retention: "24h",
  truncation: "disabled",
  text: { verbosity: "medium" },
  client_metadata: { "x-codex-installation-id": "1" },
};

const claudeCode: JsonObject = {
  model: "claude-opus-5",
  max_tokens: 32_000,
  stream: true,
  system: [
    { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.329; cch=0" },
    {
      type: "text",
      text: "You are a coding agent",
      cache_control: { type: "ephemeral", ttl: "1h", scope: "global" },
    },
  ],
  messages: [
    {
      role: "user",
      content: [{ type: "text", text: "<system-reminder>Be brief</system-reminder>" }, {
        type: "text",
        text: "List the files",
      }],
    },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I look" },
        {
          type: "tool_use",
          id: "toolu_1",
          name: "Bash",
          input: { command: "ls" },
          caller: { type: "direct" },
        },
      ],
    },
    {
      role: "user",
      content: [{
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: "a.ts",
        cache_control: { type: "ephemeral" },
      }],
    },
  ],
  tools: [{ name: "Bash", description: "Runs a command", input_schema: shellSchema }],
  thinking: { type: "adaptive" },
  output_config: { effort: "medium" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  metadata: { user_id: '{"device_id":"d","session_id":"s"}' },
};

const geminiCli: JsonObject = {
  contents: [
    { role: "user", parts: [{ text: "List the files" }] },
    {
      role: "model",
      parts: [
        { text: "I look" },
        {
          functionCall: { id: "shell-1", name: "shell", args: { command: "ls" } },
          thoughtSignature: "skip_thought_signature_validator",
        },
      ],
    },
    {
      role: "user",
      parts: [{
        functionResponse: { id: "shell-1", name: "shell", response: { output: "a.ts" } },
      }],
    },
  ],
  systemInstruction: { role: "user", parts: [{ text: "You are a coding agent" }] },
  tools: [{
    functionDeclarations: [
      { name: "shell", description: "Runs a command", parametersJsonSchema: shellSchema },
    ],
  }],
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingBudget: 8192 },
    responseModalities: ["TEXT"],
    stopSequences: [],
  },
};

export const agentRequests: readonly AgentRequest[] = [
  { name: "Codex", format: "responses", wire: wireOf("/responses", codex) },
  {
    name: "Claude Code",
    format: "messages",
    wire: {
      ...wireOf("/v1/messages", claudeCode),
      headers: {
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "claude-code-20250219,context-management-2025-06-27",
      },
    },
  },
  {
    name: "Gemini CLI",
    format: "generate-content",
    wire: {
      ...wireOf("/models/gemini-3.1-pro-preview:streamGenerateContent", geminiCli),
      search: { alt: "sse" },
    },
  },
];

function wireOf(path: string, body: JsonObject): WireRequest {
  return { path, search: {}, headers: {}, body };
}
