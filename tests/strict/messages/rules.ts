import { signer } from "../proof.ts";
import { schemaFaults, strictDialects } from "../schema_rules.ts";
import type { Rule } from "../vendor.ts";
import { type Block, blocksOf, type Message, type MessagesBody } from "./schema.ts";

/** Signs thinking: the signature covers the text shown. */
export const signature = signer("messages-vendor");

type MessagesRule = Rule<MessagesBody>;

/** Rules of the messages vendor beyond the body's schema. */
export const messagesRules: readonly MessagesRule[] = [
  {
    name: "version header",
    source: "messages 1",
    violations: function* (_, { headers }) {
      if (!headers.get("anthropic-version")) yield "anthropic-version: header is required";
    },
  },
  {
    name: "fields of a beta",
    source: "messages 1",
    violations: function* ({ context_management }, { headers }) {
      const betas = headers.get("anthropic-beta") ?? "";
      if (context_management && !betas.includes("context-management-2025-06-27")) {
        yield "context_management: Extra inputs are not permitted";
      }
    },
  },
  {
    name: "sampling with the newer version",
    source: "messages 0",
    violations: function* ({ temperature, top_p, top_k }, { headers }) {
      if (headers.get("anthropic-version") !== "2026-10-21") return;
      if ([temperature, top_p, top_k].some((value) => value !== undefined)) {
        yield "temperature, top_p and top_k are not supported";
      }
    },
  },
  {
    name: "sampling with newer models",
    source: "messages 2.1",
    violations: function* ({ model, temperature, top_p, top_k }) {
      if (!refusesSampling.test(model)) return;
      if ((temperature ?? 1) !== 1) yield "`temperature` is not supported by this model";
      if ((top_p ?? 1) < 0.99) yield "`top_p` is not supported by this model";
      if (top_k !== undefined) yield "`top_k` is not supported by this model";
    },
  },
  {
    name: "sampling with manual thinking",
    source: "messages 2.1",
    violations: function* ({ thinking, temperature, top_p, top_k }) {
      if (thinking?.type !== "enabled") return;
      if ((temperature ?? 1) !== 1) {
        yield "`temperature` may only be set to 1 when thinking is enabled";
      }
      if ((top_p ?? 1) < 0.95) yield "`top_p` must be at least 0.95 when thinking is enabled";
      if (top_k !== undefined) yield "`top_k` must be unset when thinking is enabled";
    },
  },
  {
    name: "temperature or top_p",
    source: "messages 2.1",
    violations: function* ({ model, temperature, top_p }) {
      if (/-4-5/.test(model) && temperature !== undefined && top_p !== undefined) {
        yield "`temperature` and `top_p` cannot both be specified for this model";
      }
    },
  },
  {
    name: "output limit of the model",
    source: "messages 2.1",
    violations: function* ({ model, max_tokens }) {
      const max = /claude-3/.test(model) ? 8192 : /-4-5|sonnet-4-2/.test(model) ? 64_000 : 128_000;
      if (max_tokens > max) yield `max_tokens: ${max_tokens} > ${max}`;
    },
  },
  {
    name: "thinking budget",
    source: "messages 2.1",
    violations: function* ({ thinking, max_tokens }) {
      if (thinking?.type === "enabled" && thinking.budget_tokens >= max_tokens) {
        yield "`max_tokens` must be greater than `thinking.budget_tokens`";
      }
    },
  },
  {
    name: "way of thinking of the model",
    source: "messages 2.1",
    violations: function* ({ model, thinking, output_config }) {
      const adaptive = adaptiveModels.test(model);
      if (thinking?.type === "adaptive" && !adaptive) {
        yield "adaptive thinking is not supported on this model";
      }
      if (thinking?.type === "enabled" && /claude-3-[05]/.test(model)) {
        yield "thinking is not supported on this model";
      }
      if (thinking?.type === "disabled" && /fable-5/.test(model)) {
        yield "thinking cannot be disabled on this model";
      }
      if (output_config?.effort === "xhigh" && /-4-[56]/.test(model)) {
        yield "effort xhigh is not supported on this model";
      }
      if (output_config?.effort && !adaptive) yield "effort is not supported on this model";
    },
  },
  {
    name: "forced tool with manual thinking",
    source: "messages 3.6",
    violations: function* ({ thinking, tool_choice }) {
      const forced = tool_choice?.type === "any" || tool_choice?.type === "tool";
      if (thinking?.type === "enabled" && forced) {
        yield "Thinking may not be enabled when tool_choice forces tool use";
      }
    },
  },
  {
    name: "tool choice without tools",
    source: "messages 2.1",
    violations: function* ({ tools = [], tool_choice: choice }) {
      if (choice && tools.length === 0) yield "tool_choice may only be specified with tools";
      if (choice?.type === "tool" && !tools.some(({ name }) => name === choice.name)) {
        yield `Tool '${choice.name}' not found in provided tools`;
      }
    },
  },
  {
    name: "unique tool names",
    source: "messages 2.4",
    violations: function* ({ tools = [] }) {
      if (new Set(tools.map(({ name }) => name)).size < tools.length) {
        yield "Tool names must be unique";
      }
    },
  },
  {
    name: "tool schemas",
    source: "conversions 5",
    violations: function* ({ tools = [] }) {
      for (const tool of tools) {
        if (!("input_schema" in tool)) continue;
        const { name, input_schema: schema, strict } = tool;
        if (schema.type !== "object") {
          yield `tools.${name}.input_schema.type: Input should be 'object'`;
        }
        if (strict) yield* schemaFaults(schema, strictDialects.messagesStrict);
      }
    },
  },
  {
    name: "answer schema",
    source: "conversions 5",
    violations: function* ({ model, output_config }) {
      const schema = output_config?.format?.schema;
      if (!schema) return;
      if (/claude-(3|opus-4-2|sonnet-4-2)/.test(model)) {
        yield "structured output is not supported on this model";
      }
      yield* schemaFaults(schema, strictDialects.messagesStrict);
    },
  },
  {
    name: "tools beside tool blocks",
    source: "conversions 4.13",
    violations: function* ({ messages, tools = [] }) {
      const used = messages.flatMap(blocksOf).some(({ type }) => type === "tool_use");
      if (used && tools.length === 0) {
        yield "Requests which include `tool_use` blocks must define tools";
      }
    },
  },
  {
    name: "empty texts",
    source: "messages 2.2",
    violations: function* (body) {
      for (const text of textsOf(body)) {
        if (text === "") yield "messages: text content blocks must be non-empty";
        else if (!/\S/.test(text)) {
          yield "messages: text content blocks must contain non-whitespace text";
        }
      }
    },
  },
  {
    name: "empty content",
    source: "messages 2.2",
    violations: function* ({ messages }) {
      for (const [index, { role, content }] of messages.entries()) {
        const final = role === "assistant" && index === messages.length - 1;
        if (content.length === 0 && !final) {
          yield `messages.${index}: all messages must have non-empty content`;
        }
      }
    },
  },
  {
    name: "system messages in their place",
    source: "messages 2.2",
    violations: function* ({ model, messages }) {
      for (const [index, { role }] of messages.entries()) {
        if (role !== "system") continue;
        if (index === 0) yield "messages.0: use the top-level 'system' parameter";
        if (!takesSystemTurns.test(model)) yield "role 'system' is not supported on this model";
        const next = messages[index + 1]?.role;
        if (next === "user") {
          yield "role 'system' must precede an 'assistant' message or end the array";
        }
      }
    },
  },
  {
    name: "alternating turns",
    source: "messages 2.2",
    violations: function* ({ messages }) {
      if (messages[0]?.role === "assistant") {
        yield 'messages: first message must use the "user" role';
      }
      const roles = messages.map(({ role }) => role).filter((role) => role !== "system");
      if (roles.some((role, index) => role === roles[index - 1])) {
        yield 'messages: roles must alternate between "user" and "assistant"';
      }
    },
  },
  {
    name: "prefill",
    source: "messages 2.2",
    violations: function* ({ model, messages }) {
      const last = messages.at(-1);
      if (last?.role !== "assistant") return;
      if (adaptiveModels.test(model)) yield "This model does not support assistant message prefill";
      const text = blocksOf(last).at(-1);
      if (text?.type === "text" && /\s$/.test(text.text)) {
        yield "messages: final assistant content cannot end with trailing whitespace";
      }
    },
  },
  {
    name: "results of calls",
    source: "messages 3.1",
    violations: function* ({ messages }) {
      for (const [index, message] of messages.entries()) {
        yield* pairingFaults(message, nextTurn(messages, index), index);
        yield* orphanFaults(message, previousTurn(messages, index), index);
      }
    },
  },
  {
    name: "results first",
    source: "messages 3.2",
    violations: function* ({ messages }) {
      for (const [index, message] of messages.entries()) {
        const types = blocksOf(message).map(({ type }) => type === "tool_result");
        if (types.lastIndexOf(true) > types.indexOf(false) && types.includes(false)) {
          yield `messages.${index}: tool_result blocks must come first`;
        }
      }
    },
  },
  {
    name: "unique call ids",
    source: "messages 3.3",
    violations: function* ({ messages }) {
      const ids = messages.flatMap(blocksOf).flatMap((block) =>
        block.type === "tool_use" ? [block.id] : []
      );
      if (new Set(ids).size < ids.length) yield "messages: `tool_use` ids must be unique";
    },
  },
  {
    name: "cache breakpoints",
    source: "messages 2.3",
    violations: function* (body) {
      const count = breakpoints(body).length;
      if (count > 4) {
        yield `A maximum of 4 blocks with cache_control may be provided. Found ${count}.`;
      }
    },
  },
  {
    name: "order of cache lifetimes",
    source: "messages 2.3",
    violations: function* (body) {
      const lives = breakpoints(body).map(({ ttl = "5m" }) => ttl);
      if (lives.lastIndexOf("1h") > lives.indexOf("5m") && lives.includes("5m")) {
        yield "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
      }
    },
  },
  {
    name: "no answer of a call that fills the cache",
    source: "messages 2.1",
    violations: function* ({ max_tokens, stream, thinking, tool_choice, output_config }) {
      if (max_tokens > 0) return;
      if (stream) yield "max_tokens: 0 is not supported with stream";
      if (thinking?.type === "enabled") yield "max_tokens: 0 is not supported with thinking";
      if (output_config?.format) yield "max_tokens: 0 is not supported with output_config.format";
      if (tool_choice?.type === "any" || tool_choice?.type === "tool") {
        yield "max_tokens: 0 is not supported with forced tool use";
      }
    },
  },
  {
    name: "cache on empty text",
    source: "messages 2.3",
    violations: function* ({ messages }) {
      for (const block of messages.flatMap(blocksOf)) {
        if (block.type === "text" && block.text === "" && block.cache_control) {
          yield "cache_control cannot be set for empty text blocks";
        }
      }
    },
  },
  {
    name: "signatures",
    source: "messages 3.5",
    violations: function* ({ messages }) {
      for (const [index, message] of messages.entries()) {
        for (const block of blocksOf(message)) {
          if (!isGenuine(block)) {
            yield `messages.${index}: Invalid \`signature\` in \`${block.type}\` block`;
          }
        }
      }
    },
  },
  {
    name: "thinking in a tool loop",
    source: "messages 3.5",
    violations: function* ({ thinking, messages }) {
      if (thinking?.type !== "enabled") return;
      const last = messages.at(-1);
      const answer = messages.findLast(({ role }) => role === "assistant");
      if (!last || !answer || !blocksOf(last).some(({ type }) => type === "tool_result")) return;
      const first = blocksOf(answer)[0]?.type;
      if (first !== "thinking" && first !== "redacted_thinking") {
        yield `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\``;
      }
    },
  },
  {
    name: "an address as end user",
    source: "conversions 3",
    violations: function* ({ metadata }) {
      if (/\S@\S/.test(metadata?.user_id ?? "")) {
        yield "metadata.user_id: must not hold an e-mail address";
      }
    },
  },
];

const refusesSampling = /claude-(opus-4-[78]|opus-5|sonnet-5|fable-5|haiku-5)/;
const adaptiveModels = /claude-(opus-4-[678]|sonnet-4-6|opus-5|sonnet-5|fable-5|haiku-5)/;
const takesSystemTurns = /claude-(opus-4-8|opus-5|sonnet-5-5|haiku-5-5|fable-5|mythos)/;

function nextTurn(messages: readonly Message[], index: number): Message | undefined {
  return messages.slice(index + 1).find(({ role }) => role !== "system");
}

function previousTurn(messages: readonly Message[], index: number): Message | undefined {
  return messages.slice(0, index).findLast(({ role }) => role !== "system");
}

function* pairingFaults(
  message: Message,
  next: Message | undefined,
  index: number,
): Generator<string> {
  const answered = next ? blocksOf(next) : [];
  for (const block of blocksOf(message)) {
    if (block.type !== "tool_use") continue;
    const results = answered.filter((other) =>
      other.type === "tool_result" && other.tool_use_id === block.id
    );
    if (results.length === 0) {
      yield `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${block.id}`;
    }
    if (results.length > 1) yield `messages.${index}: each tool_use must have a single result`;
  }
}

function* orphanFaults(
  message: Message,
  previous: Message | undefined,
  index: number,
): Generator<string> {
  const calls = previous ? blocksOf(previous) : [];
  for (const block of blocksOf(message)) {
    if (block.type !== "tool_result") continue;
    const known = calls.some((other) =>
      other.type === "tool_use" && other.id === block.tool_use_id
    );
    if (!known) {
      yield `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${block.tool_use_id}`;
    }
  }
}

function* textsOf({ messages, system }: MessagesBody): Generator<string> {
  if (Array.isArray(system)) { for (const { text } of system) yield text; }
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const block of content) {
      if (block.type === "text") yield block.text;
      if (block.type === "tool_result" && Array.isArray(block.content)) {
        for (const inner of block.content) if (inner.type === "text") yield inner.text;
      }
    }
  }
}

/** In the order of the prompt; the vendor places the last one itself. */
function breakpoints(
  { messages, system, tools = [], cache_control: last }: MessagesBody,
): { readonly ttl?: string }[] {
  const blocks: readonly { cache_control?: { ttl?: string } | null }[] = [
    ...tools,
    ...(Array.isArray(system) ? system : []),
    ...messages.flatMap(blocksOf).map((block) => "cache_control" in block ? block : {}),
  ];
  return [...blocks.map((block) => block.cache_control), last].filter((mark) => !!mark);
}

/** Returns true if a block has no signature, or a valid one for its text. */
export function isGenuine(block: Block): boolean {
  if (block.type === "redacted_thinking") return signature.open(block.data) !== undefined;
  if (block.type !== "thinking") return true;
  return signature.open(block.signature) === block.thinking;
}

/** The signatures in a history. */
export function proofsOf({ messages }: MessagesBody): string[] {
  return messages.flatMap(blocksOf).flatMap((block) => {
    if (block.type === "thinking") return [block.signature];
    return block.type === "redacted_thinking" ? [block.data] : [];
  });
}
