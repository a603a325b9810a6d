import { signer } from "../proof.ts";
import { schemaFaults, strictDialects } from "../schema_rules.ts";
import type { Rule } from "../vendor.ts";
import type { ChatBody, ChatMessage } from "./schema.ts";

type ChatRule = Rule<ChatBody>;

/** The format's own vendor hides reasoning and refuses parameters without effect. */
export const reasons = (model: string) => /^(o\d|gpt-5)/.test(model);
/** Other vendors' models return reasoning as `reasoning_content` and accept it in the history. */
export const thinksAloud = (model: string) => !/^(o\d|gpt-)/.test(model);

/** Routers return `reasoning`, with details that contain the upstream vendor's signature. */
export const routes = (model: string) => model.includes("/");
/** Signs the model's thoughts. */
export const details = signer("chat-completions-router");

/** Rules of the chat-completions vendor beyond the body's schema. */
export const chatRules: readonly ChatRule[] = [
  {
    name: "stream options without a stream",
    source: "chat-completions 2.1",
    violations: function* ({ stream, stream_options: options }) {
      if (options && !stream) {
        yield "The 'stream_options' parameter is only allowed when 'stream' is enabled";
      }
    },
  },
  {
    name: "parameters that reasoning models refuse",
    source: "chat-completions 2.1",
    violations: function* (body) {
      if (!reasons(body.model)) return;
      if (typeof body.max_tokens === "number") yield "Unsupported parameter: 'max_tokens'";
      if (body.reasoning_effort === "none") return;
      if ((body.temperature ?? 1) !== 1) yield "Unsupported value: 'temperature'";
      if ((body.top_p ?? 1) !== 1) yield "Unsupported value: 'top_p'";
    },
  },
  {
    name: "reasoning of other models",
    source: "chat-completions 2.1",
    violations: function* ({ model, reasoning_effort: effort }) {
      if (/^gpt-4/.test(model) && effort) {
        yield "Unrecognized request argument supplied: reasoning_effort";
      }
    },
  },
  {
    name: "logprobs",
    source: "chat-completions 2.1",
    violations: function* ({ logprobs, top_logprobs }) {
      if (typeof top_logprobs === "number" && !logprobs) yield "'top_logprobs' requires 'logprobs'";
    },
  },
  {
    name: "tool settings without tools",
    source: "chat-completions 2.1",
    violations: function* ({ tools, tool_choice, parallel_tool_calls }) {
      if (tools) return;
      if (tool_choice !== undefined) {
        yield "'tool_choice' is only allowed when 'tools' are specified";
      }
      if (parallel_tool_calls !== undefined) {
        yield "'parallel_tool_calls' is only allowed when 'tools' are specified";
      }
    },
  },
  {
    name: "tool choice of an unknown tool",
    source: "chat-completions 2.5",
    violations: function* (body) {
      const known = toolNames(body);
      for (const name of chosenNames(body)) {
        if (!known.includes(name)) yield `Tool choice '${name}' not found in 'tools' parameter`;
      }
    },
  },
  {
    name: "unique tool names",
    source: "chat-completions 2.4",
    violations: function* (body) {
      const names = toolNames(body);
      if (new Set(names).size < names.length) yield "Tool names must be unique";
    },
  },
  {
    name: "tool schemas",
    source: "conversions 5",
    violations: function* ({ tools = [] }) {
      for (const tool of tools) {
        if (tool.type !== "function" || !tool.function.parameters) continue;
        const { parameters, strict, name } = tool.function;
        if (parameters.type !== "object") {
          yield `Invalid schema for function '${name}': schema must be of type "object"`;
        }
        yield* schemaFaults(parameters, strict ? strictDialects.openStrict : strictDialects.open);
      }
    },
  },
  {
    name: "answer schema",
    source: "conversions 5",
    violations: function* ({ response_format: format }) {
      if (format?.type !== "json_schema") return;
      const { schema, strict } = format.json_schema;
      if (!schema) return;
      if (schema.type !== "object") {
        yield 'Invalid schema for response_format: schema must be of type "object"';
      }
      yield* schemaFaults(schema, strict ? strictDialects.openStrict : strictDialects.open);
    },
  },
  {
    name: "the word JSON in JSON mode",
    source: "chat-completions 2.1",
    violations: function* ({ response_format: format, messages }) {
      if (format?.type !== "json_object") return;
      if (!/json/i.test(JSON.stringify(messages))) {
        yield "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'";
      }
    },
  },
  {
    name: "an assistant that says nothing",
    source: "chat-completions 2.2",
    violations: function* ({ messages }) {
      for (const [index, message] of messages.entries()) {
        if (message.role !== "assistant" || message.tool_calls || message.audio) continue;
        const said = typeof message.content === "string" || Array.isArray(message.content);
        if (!said && !message.refusal) {
          yield `Invalid value for 'messages.[${index}].content': expected a string, got null`;
        }
      }
    },
  },
  {
    name: "thoughts in a message",
    source: "chat-completions 2.2",
    violations: function* ({ model, messages }) {
      const known = routes(model)
        ? ["reasoning", "reasoning_details", "reasoning_content"]
        : thinksAloud(model)
        ? ["reasoning_content"]
        : [];
      for (const [index, message] of messages.entries()) {
        for (const name of ["reasoning_content", "reasoning", "reasoning_details"]) {
          if (name in message && !known.includes(name)) {
            yield `Unrecognized request argument supplied: messages[${index}].${name}`;
          }
        }
      }
    },
  },
  {
    name: "details of reasoning",
    source: "conversions 8",
    violations: function* (body) {
      for (const proof of detailsOf(body)) {
        if (details.open(proof) === undefined) yield "Invalid reasoning_details: wrong signature";
      }
    },
  },
  {
    name: "proofs of calls",
    source: "chat-completions 2.2",
    violations: function* ({ model, messages }) {
      if (thinksAloud(model)) return;
      for (const message of messages) {
        const calls = message.role === "assistant" ? message.tool_calls ?? [] : [];
        if (calls.some((call) => "extra_content" in call)) {
          yield "Unrecognized request argument supplied: extra_content";
        }
      }
    },
  },
  {
    name: "results of calls",
    source: "chat-completions 3",
    violations: function* ({ messages }) {
      for (const [index, message] of messages.entries()) {
        yield* unansweredFaults(messages, message, index);
        if (message.role !== "tool") continue;
        const asked = callsBefore(messages, index);
        if (!asked.includes(message.tool_call_id)) {
          yield "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
        }
      }
    },
  },
  {
    name: "metadata",
    source: "chat-completions 2.1",
    violations: function* ({ metadata }) {
      if (Object.keys(metadata ?? {}).length > 16) yield "'metadata' has too many properties";
    },
  },
  {
    name: "an address as end user",
    source: "conversions 3",
    violations: function* ({ safety_identifier, user }) {
      if (/\S@\S/.test(safety_identifier ?? user ?? "")) {
        yield "'safety_identifier' must not hold an e-mail address";
      }
    },
  },
  {
    name: "arguments that are JSON",
    source: "chat-completions 3",
    violations: function* ({ messages }) {
      for (const message of messages) {
        for (const call of message.role === "assistant" ? message.tool_calls ?? [] : []) {
          if (call.type === "function" && call.function.arguments === "") {
            yield "'arguments' must not be empty";
          }
        }
      }
    },
  },
];

/** The signatures in the reasoning details of a history. */
export function detailsOf({ messages }: ChatBody): string[] {
  return messages.flatMap((message) =>
    message.role === "assistant" ? message.reasoning_details ?? [] : []
  ).flatMap(({ data }) => typeof data === "string" ? [data] : []);
}

function toolNames({ tools = [] }: ChatBody): string[] {
  return tools.map((tool) => tool.type === "function" ? tool.function.name : tool.custom.name);
}

function chosenNames({ tool_choice: choice }: ChatBody): string[] {
  if (choice === undefined || typeof choice === "string") return [];
  const chosen = choice.type === "allowed_tools" ? choice.allowed_tools.tools : [choice];
  return chosen.map((one) => one.type === "function" ? one.function.name : one.custom.name);
}

function callsBefore(messages: readonly ChatMessage[], index: number): string[] {
  const asking = messages.slice(0, index).findLast(({ role }) => role !== "tool");
  return asking?.role === "assistant" ? (asking.tool_calls ?? []).map(({ id }) => id) : [];
}

/** Each call needs one result before any other message. */
function* unansweredFaults(
  messages: readonly ChatMessage[],
  message: ChatMessage,
  index: number,
): Generator<string> {
  if (message.role !== "assistant" || !message.tool_calls) return;
  const after = messages.slice(index + 1);
  const end = after.findIndex(({ role }) => role !== "tool");
  const answers = (end < 0 ? after : after.slice(0, end)).flatMap((answer) =>
    answer.role === "tool" ? [answer.tool_call_id] : []
  );
  for (const { id } of message.tool_calls) {
    const count = answers.filter((answer) => answer === id).length;
    if (count === 0) {
      yield `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${id}`;
    }
    if (count > 1) yield `Duplicate value for 'tool_call_id' of ${id}`;
  }
  const ids = message.tool_calls.map(({ id }) => id);
  if (new Set(ids).size < ids.length) yield "Duplicate call ids";
}
