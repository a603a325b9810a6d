import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { judge } from "../judge.ts";
import { piecesOf, type Prompt, type Reply, type ToolResult } from "../small_model.ts";
import type { Answering, Vendor } from "../vendor.ts";
import { citationsOf, hostedBlocks } from "./hosted.ts";
import { messagesRules, proofsOf, signature } from "./rules.ts";
import { type Block, blocksOf, type MessagesBody, messagesBody } from "./schema.ts";

/** The messages vendor: signed thinking, one open block at a time, input tokens without the cache. */
export const messagesVendor: Vendor = {
  basePath: "",
  address: (path) => /^\/v1\/messages(\?|$)/.test(path) ? {} : undefined,
  credential: (headers) =>
    headers.get("x-api-key") ?? headers.get("authorization")?.replace(/^Bearer /, ""),
  refusals: judge(messagesBody, messagesRules),
  proofs: ({ body }) => proofsOf(messagesBody.parse(body)),
  prompt: ({ body }) => promptOf(messagesBody.parse(body)),
  counting: {
    writes: true,
    caches: ({ body }) => JSON.stringify(body).includes('"cache_control":{"type":"ephemeral"'),
  },
  whole,
  stream,
  error: (status, message) => ({
    type: "error",
    error: { type: errorTypes[status] ?? "api_error", message },
    request_id: "req_strict",
  }),
  streamError: (message) => [
    event({ type: "error", error: { type: "overloaded_error", message } }),
  ],
};

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

function promptOf(body: MessagesBody): Prompt {
  const blocks = body.messages.flatMap(blocksOf);
  const last = body.messages.findLast(({ role }) => role === "user");
  const own = last ? blocksOf(last) : [];
  const schema = body.output_config?.format?.schema;
  return {
    text: own.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n"),
    results: own.flatMap((block) => resultOf(block, blocks)),
    media: own.flatMap(mediaOf),
    ...(schema && { schema }),
    thinks: body.thinking !== undefined && body.thinking.type !== "disabled",
    tools: (body.tools ?? []).map(({ name }) => ({ name })),
    oneAtATime: body.tool_choice !== undefined && body.tool_choice.type !== "none" &&
      body.tool_choice.disable_parallel_tool_use === true,
    answered: blocks.filter(({ type }) => type === "tool_result").length,
    ...forcedOf(body),
  };
}

function resultOf(block: Block, blocks: readonly Block[]): ToolResult[] {
  if (block.type !== "tool_result") return [];
  const call = blocks.find((other) => other.type === "tool_use" && other.id === block.tool_use_id);
  const content = typeof block.content === "string"
    ? [{ type: "text" as const, text: block.content }]
    : block.content ?? [];
  const text = content.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  return [{
    name: call?.type === "tool_use" ? call.name : "unknown",
    text,
    media: content.filter(({ type }) => type === "image" || type === "document").length,
  }];
}

function mediaOf(block: Block): string[] {
  if (block.type !== "image" && block.type !== "document") return [];
  const { source } = block;
  return ["media_type" in source ? source.media_type : block.type];
}

function forcedOf({ tool_choice: choice }: MessagesBody): Pick<Prompt, "forced"> {
  switch (choice?.type) {
    case "any":
      return { forced: true };
    case "tool":
      return { forced: choice.name };
    case "none":
      return { forced: false };
    default:
      return {};
  }
}

function whole(reply: Reply, answering: Answering): JsonObject {
  return {
    ...head(answering),
    content: contentOf(reply, answering),
    stop_reason: stopReason(reply),
    stop_sequence: null,
    stop_details: null,
    usage: usageOf(answering),
  };
}

function head({ id, model }: Answering): JsonObject {
  return { id: `msg_${id}`, type: "message", role: "assistant", model };
}

function contentOf(reply: Reply, answering: Answering): JsonObject[] {
  const { thought, text, calls } = reply;
  const shown = isOmitted(answering) ? "" : thought;
  return [
    ...(shown === undefined || thought === undefined
      ? []
      : [{ type: "thinking", thinking: shown, signature: signature.sign(shown) }]),
    ...hostedBlocks(reply, answering.id),
    ...(text === undefined ? [] : [{ type: "text", text, citations: citationsOf(reply) }]),
    ...calls.map(({ name, args }, index) => ({
      type: "tool_use",
      id: `toolu_${answering.id}_${index}`,
      name,
      input: args,
      caller: { type: "direct" },
    })),
  ];
}

function isOmitted({ asked }: Answering): boolean {
  const { thinking } = messagesBody.parse(asked.body);
  return thinking !== undefined && "display" in thinking && thinking.display === "omitted";
}

function stopReason({ calls }: Reply): string {
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function usageOf({ counts }: Answering): JsonObject {
  return {
    input_tokens: counts.input,
    cache_creation_input_tokens: counts.cacheWrite,
    cache_read_input_tokens: counts.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: counts.cacheWrite,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: counts.output + counts.reasoning,
    output_tokens_details: { thinking_tokens: counts.reasoning },
    server_tool_use: null,
    service_tier: "standard",
  };
}

function stream(reply: Reply, answering: Answering): ServerSentEvent[] {
  const usage = usageOf(answering);
  const content = contentOf(reply, answering);
  const stated = reply.early ? content : [];
  const started = { content: stated, stop_reason: null, stop_sequence: null };
  const message = { ...head(answering), ...started, usage: { ...usage, output_tokens: 1 } };
  const delta = { stop_reason: stopReason(reply), stop_sequence: null };
  return [
    event({ type: "message_start", message }),
    event({ type: "ping" }),
    ...(reply.early ? [] : content).flatMap(blockEvents),
    event({ type: "message_delta", delta, usage }),
    event({ type: "message_stop" }),
  ];
}

function blockEvents(block: JsonObject, index: number): ServerSentEvent[] {
  const [content_block, deltas] = openedBlock(block);
  return [
    event({ type: "content_block_start", index, content_block }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function openedBlock(block: JsonObject): [JsonObject, JsonObject[]] {
  switch (block.type) {
    case "thinking": {
      const deltas = piecesOf(String(block.thinking)).map((thinking) => ({
        type: "thinking_delta",
        thinking,
      }));
      const signed = { type: "signature_delta", signature: block.signature };
      return [{ ...block, thinking: "", signature: "" }, [...deltas, signed]];
    }
    case "text":
      return [{ type: "text", text: "" }, textDeltas(block)];
    case "tool_use":
    case "server_tool_use":
      return [{ ...block, input: {} }, argumentDeltas(block)];
    default:
      return [block, []];
  }
}

function textDeltas({ text, citations }: JsonObject): JsonObject[] {
  return [
    ...(Array.isArray(citations) ? citations : [])
      .map((citation) => ({ type: "citations_delta", citation })),
    ...piecesOf(String(text)).map((piece) => ({ type: "text_delta", text: piece })),
  ];
}

/** A call without arguments is one empty piece. */
function argumentDeltas({ input }: JsonObject): JsonObject[] {
  const json = JSON.stringify(input);
  const pieces = json === "{}" ? [] : piecesOf(json);
  return ["", ...pieces].map((partial_json) => ({ type: "input_json_delta", partial_json }));
}

function event(data: JsonObject): ServerSentEvent {
  return { event: String(data.type), data: JSON.stringify(data) };
}
