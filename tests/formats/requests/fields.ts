import type { FormatName, JsonObject } from "../../../lib/canonical/mod.ts";
import type { WireRequest } from "../../../lib/formats/wire.ts";

/** Requests with each field that vendors added from the summer to November 2026, in its real form. */

export interface NewField {
  readonly name: string;
  readonly format: FormatName;
  /** The request without the field. */
  readonly plain: WireRequest;
  readonly wire: WireRequest;
  /** The reason why a format gives no note for the field; undefined if it does. */
  readonly isSilent?: (to: FormatName) => string | undefined;
}

const build: JsonObject = {
  type: "function",
  name: "build",
  description: "Builds the project",
  parameters: { type: "object", properties: { target: { type: "string" } } },
};
const asked: JsonObject = {
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: "Build it" }],
};
const call: JsonObject = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "build",
  arguments: "{}",
  status: "completed",
};
const output: JsonObject = { type: "function_call_output", call_id: "call_1", output: "ok" };
const mcpCall: JsonObject = {
  type: "mcp_call",
  id: "mcp_1",
  name: "find",
  server_label: "wiki",
  arguments: "{}",
};

const ofResponses = wiresOf("/responses", {
  model: "gpt-6-luna",
  input: [asked, call, output],
  tools: [build],
});
const ofChat = wiresOf("/chat/completions", {
  model: "gpt-6-luna",
  messages: [{ role: "user", content: "Build it" }],
});
const ofMessages = wiresOf("/v1/messages", {
  model: "claude-opus-5",
  max_tokens: 4096,
  messages: [{ role: "user", content: "Hello" }, { role: "assistant", content: "Hi" }, {
    role: "user",
    content: "And now?",
  }],
});
const ofContents = wiresOf("/models/gemini-4-argon:generateContent", {
  contents: [{ role: "user", parts: [{ text: "Hello" }] }],
});

function wiresOf(path: string, plain: JsonObject) {
  const wire = (body: JsonObject): WireRequest => ({ path, search: {}, headers: {}, body });
  return (members: JsonObject) => ({ plain: wire(plain), wire: wire({ ...plain, ...members }) });
}

function rows(
  format: FormatName,
  wires: (members: JsonObject) => Pick<NewField, "plain" | "wire">,
  members: Readonly<Record<string, JsonObject>>,
  isSilent?: Readonly<Record<string, (to: FormatName) => string | undefined>>,
): NewField[] {
  return Object.entries(members).map(([name, value]) => ({
    name,
    format,
    ...wires(value),
    ...(isSilent?.[name] && { isSilent: isSilent[name] }),
  }));
}

const everywhere = (reason: string) => () => reason;
const input = (...items: readonly JsonObject[]) => ({ input: [asked, ...items] });

const responsesMembers: Readonly<Record<string, JsonObject>> = {
  "service_tier fast": { service_tier: "fast" },
  "service_tier ultrafast": { service_tier: "ultrafast" },
  access_programs: { access_programs: { cyber: "daybreak_blue" } },
  image: { image: { context_compression: "enabled" } },
  store: { store: true },
  max_tool_calls: { max_tool_calls: 4 },
  "safety_identifier of 128 characters": { safety_identifier: "u".repeat(128) },
  "configuration_update": input(call, output, {
    type: "configuration_update",
    reasoning: { effort: "high" },
  }),
  "async tool": { tools: [{ ...build, async: true }] },
  "async call without a result": input({ ...call, async: true }),
  "output without call_id": input(call, {
    type: "function_call_output",
    name: "build",
    output: "ok",
  }),
  "mcp_call with mcp_protocol_error": input({
    ...mcpCall,
    error: { type: "mcp_protocol_error", code: -32600, message: "no" },
  }),
  "mcp_call with http_error": input({
    ...mcpCall,
    error: { type: "http_error", code: 503, message: "no" },
  }),
  "mcp_call with mcp_tool_execution_error": input({
    ...mcpCall,
    error: { type: "mcp_tool_execution_error", content: [{ type: "text", text: "no" }] },
  }),
  "mcp_call with an error of before": input({ ...mcpCall, error: "no" }),
  "web_search_call incomplete": input({
    type: "web_search_call",
    id: "ws_1",
    status: "incomplete",
    action: { type: "search", query: "weather" },
  }),
  "web_search tool with external_web_access": {
    tools: [build, { type: "web_search", external_web_access: false }],
  },
  "image_generation tool of now": {
    tools: [build, {
      type: "image_generation",
      output_format: "gif",
      quality: "xhigh",
      complexity: "high",
      frames: 12,
    }],
  },
  "item of tomorrow": input({ type: "quantum_item", id: "q_1", state: "both" }),
  "tool of tomorrow": { tools: [build, { type: "quantum" }] },
  "field of tomorrow": { quantum: { spin: "up" } },
};

const chatMembers: Readonly<Record<string, JsonObject>> = {
  store: { store: true },
  "service_tier fast": { service_tier: "fast" },
  "image detail original": {
    messages: [{
      role: "user",
      content: [{
        type: "image_url",
        image_url: { url: "https://example.com/a.png", detail: "original" },
      }],
    }],
  },
  "custom tool and its call": {
    messages: [
      { role: "user", content: "Patch it" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "custom", custom: { name: "patch", input: "*** Begin" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "ok" },
    ],
    tools: [{ type: "custom", custom: { name: "patch" } }],
  },
  "field of tomorrow": { quantum: { spin: "up" } },
};

const messagesMembers: Readonly<Record<string, JsonObject>> = {
  "thread create": { thread: { type: "create" } },
  "thread continue": { thread: { type: "continue", previous_message_id: "msg_01" } },
  "fallbacks default": { fallbacks: "default" },
  "fallbacks": { fallbacks: [{ model: "claude-sonnet-5", max_tokens: 2048, speed: "standard" }] },
  "fallback_credit_token": { fallback_credit_token: "fct_1" },
  "mcp_servers": { mcp_servers: [{ type: "url", name: "wiki", url: "https://wiki.example/mcp" }] },
  "billing_policy": { billing_policy: { type: "billing_policy", bill_to: "user_profile" } },
  "user_profile_id": { user_profile_id: "up_1" },
  "workspace_id": { workspace_id: "wrkspc_1" },
  "speed fast": { speed: "fast" },
  "inference_geo": { inference_geo: "us" },
  "service_tier standard_only": { service_tier: "standard_only" },
  "diagnostics": { diagnostics: { previous_message_id: "msg_01" } },
  "container id": { container: "container_1" },
  "container with skills": {
    container: { id: "container_1", skills: [{ type: "anthropic", skill_id: "pdf" }] },
  },
  "inline tool": {
    messages: [{ role: "user", content: "Hello" }, {
      role: "system",
      output_config: { effort: "high" },
      content: [{
        type: "tool_addition",
        tool: {
          type: "tool_definition",
          definition: { name: "grep", description: "Search", input_schema: { type: "object" } },
        },
      }],
    }],
  },
  "fallback block": {
    messages: [
      { role: "user", content: "Hello" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I" },
          {
            type: "fallback",
            from: { model: "claude-opus-5" },
            to: { model: "claude-sonnet-5" },
            trigger: { type: "refusal", category: "cyber" },
          },
          { type: "text", text: "can" },
        ],
      },
      { role: "user", content: "And now?" },
    ],
  },
  "computer toolset": { tools: [{ type: "computer_toolset_20260801", name: "computer" }] },
  "browser toolset": { tools: [{ type: "browser_toolset_20260801", name: "browser" }] },
  "block of tomorrow": {
    messages: [{
      role: "user",
      content: [{ type: "text", text: "Hello" }, { type: "quantum", x: 1 }],
    }],
  },
  "field of tomorrow": { quantum: { spin: "up" } },
};

const contentsMembers: Readonly<Record<string, JsonObject>> = {
  store: { store: true },
  "serviceTier flex": { serviceTier: "flex" },
  "serviceTier priority": { serviceTier: "priority" },
  "part of tomorrow": { contents: [{ role: "user", parts: [{ text: "Hello" }, { quantum: {} }] }] },
  "field of tomorrow": { quantum: { spin: "up" } },
};

export const newFields: readonly NewField[] = [
  ...rows("responses", ofResponses, responsesMembers, {
    "output without call_id": everywhere("the call is found by its name"),
  }),
  ...rows("chat-completions", ofChat, chatMembers),
  ...rows("messages", ofMessages, messagesMembers),
  ...rows("generate-content", ofContents, contentsMembers),
];
