import type { JsonObject } from "../../../lib/canonical/mod.ts";
import type { ServerSentEvent } from "../../../lib/formats/wire.ts";
import { judge } from "../judge.ts";
import { drawnPng, foundPage, piecesOf, type Prompt, ranCode, type Reply } from "../small_model.ts";
import type { Answering, Vendor } from "../vendor.ts";
import { chatRules, details, detailsOf, reasons, routes, thinksAloud } from "./rules.ts";
import { type ChatBody, chatBody, type ChatMessage } from "./schema.ts";

/** The chat-completions vendor, and the others that serve open reasoning in its format. */
export const chatVendor: Vendor = {
  basePath: "/v1",
  address: (path) => /^\/chat\/completions(\?|$)/.test(path) ? {} : undefined,
  credential: (headers) => headers.get("authorization")?.replace(/^Bearer /, ""),
  refusals: judge(chatBody, chatRules),
  proofs: ({ body }) => proofsOf(chatBody.parse(body)),
  prompt: ({ body }) => promptOf(chatBody.parse(body)),
  counting: { writes: true },
  whole,
  stream,
  error: (status, message) => ({
    error: { message, type: errorTypes[status] ?? "server_error", param: null, code: null },
  }),
  streamError: (message) => [
    data({ error: { message, type: "server_error", param: null, code: null } }),
  ],
};

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  403: "permission_error",
  404: "invalid_request_error",
  429: "requests",
};

function proofsOf(body: ChatBody): string[] {
  const shown = body.messages.flatMap((message) =>
    message.role === "assistant" && message.reasoning_content?.startsWith("chat-completions ")
      ? [message.reasoning_content]
      : []
  );
  return [...shown, ...detailsOf(body)];
}

function promptOf(body: ChatBody): Prompt {
  const { messages } = body;
  const answeredAt = messages.findLastIndex(({ role }) => role === "assistant");
  const fresh = messages.slice(answeredAt + 1);
  const asked = fresh.filter(({ role }) => role === "user");
  const last = asked.at(-1) ?? messages.findLast(({ role }) => role === "user");
  return {
    text: last ? textOf(last) : "",
    results: resultsOf(messages, fresh, asked),
    media: asked.flatMap(mediaOf),
    ...schemaOf(body),
    thinks: body.reasoning_effort !== "none" &&
      (body.reasoning_effort != null || reasons(body.model)),
    tools: (body.tools ?? []).map((tool) =>
      tool.type === "function"
        ? { name: tool.function.name }
        : { name: tool.custom.name, takesText: true }
    ),
    oneAtATime: body.parallel_tool_calls === false,
    answered: messages.filter(({ role }) => role === "tool").length,
    ...forcedOf(body),
  };
}

/** Media that follow a batch of results, in a user message of their own, belong to the last of them. */
function resultsOf(
  messages: readonly ChatMessage[],
  fresh: readonly ChatMessage[],
  asked: readonly ChatMessage[],
): Prompt["results"] {
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? message.tool_calls ?? [] : []
  );
  const media = asked.flatMap(mediaOf).length;
  const answers = fresh.flatMap((message) => message.role === "tool" ? [message] : []);
  return answers.map((message, index) => {
    const call = calls.findLast(({ id }) => id === message.tool_call_id);
    return {
      name: call === undefined
        ? "unknown"
        : call.type === "function"
        ? call.function.name
        : call.custom.name,
      text: textOf(message),
      media: index === answers.length - 1 ? media : 0,
    };
  });
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
}

function mediaOf({ content }: ChatMessage): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    switch (part.type) {
      case "image_url":
        return [/^data:([^;]+)/.exec(part.image_url.url)?.[1] ?? "image"];
      case "input_audio":
        return [`audio/${part.input_audio.format}`];
      case "file":
        return ["application/pdf"];
      default:
        return [];
    }
  });
}

function schemaOf({ response_format: format }: ChatBody): Pick<Prompt, "schema"> {
  if (format?.type === "json_object") return { schema: true };
  return format?.type === "json_schema" ? { schema: format.json_schema.schema ?? true } : {};
}

function forcedOf({ tool_choice: choice }: ChatBody): Pick<Prompt, "forced"> {
  if (choice === undefined || choice === "auto") return {};
  if (choice === "none") return { forced: false };
  if (choice === "required") return { forced: true };
  switch (choice.type) {
    case "function":
      return { forced: choice.function.name };
    case "custom":
      return { forced: choice.custom.name };
    case "allowed_tools":
      return choice.allowed_tools.mode === "required" ? { forced: true } : {};
    default:
      return choice satisfies never;
  }
}

function whole(reply: Reply, answering: Answering): JsonObject {
  const { calls } = reply;
  return {
    ...head(answering, "chat.completion"),
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: textSaid(reply) ?? null,
        ...Object.assign({}, ...thoughtsOf(reply, answering)),
        refusal: null,
        ...(calls.length > 0 && { tool_calls: callsOf(reply, answering) }),
        annotations: annotationsOf(reply),
        ...picturesOf(reply),
      },
      logprobs: null,
      finish_reason: finishOf(reply),
    }],
    usage: usageOf(answering),
    service_tier: "default",
  };
}

/** The format has no item for code execution, so the text states the program's output. */
function textSaid({ hosted, text }: Reply): string | undefined {
  return hosted === "code-execution" ? `It printed ${ranCode.output}${text}` : text;
}

/** One citation of the found page, which spans the whole text. */
function annotationsOf({ hosted, text = "" }: Reply): JsonObject[] {
  if (hosted !== "web-search") return [];
  const url_citation = { start_index: 0, end_index: text.length, ...foundPage };
  return [{ type: "url_citation", url_citation }];
}

/** As routers of many vendors give pictures. */
function picturesOf({ draws }: Reply): JsonObject {
  const url = `data:image/png;base64,${drawnPng}`;
  return draws ? { images: [{ type: "image_url", image_url: { url }, index: 0 }] } : {};
}

/** The members that carry a thought, as the pieces of a stream bring them. */
function thoughtsOf({ thought }: Reply, { model }: Answering): JsonObject[] {
  if (thought === undefined || !thinksAloud(model)) return [];
  if (!routes(model)) return [{ reasoning_content: thought }];
  const proof = { type: "reasoning.encrypted", data: details.sign(thought), index: 0 };
  return [{ reasoning: thought }, { reasoning_details: [proof] }];
}

function head({ id, model }: Answering, object: string): JsonObject {
  return { id: `chatcmpl-${id}`, object, created: 1_767_225_600, model };
}

function callsOf({ calls }: Reply, { id }: Answering): JsonObject[] {
  return calls.map(({ name, args, input }, index) => ({
    id: `call_${id}_${index}`,
    ...(input === undefined
      ? { type: "function", function: { name, arguments: JSON.stringify(args) } }
      : { type: "custom", custom: { name, input } }),
  }));
}

function finishOf({ calls }: Reply): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function usageOf({ counts }: Answering): JsonObject {
  const prompt = counts.input + counts.cacheRead + counts.cacheWrite;
  const completion = counts.output + counts.reasoning;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: counts.cacheRead,
      cache_write_tokens: counts.cacheWrite,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function stream(reply: Reply, answering: Answering): ServerSentEvent[] {
  const usage = chatBody.parse(answering.asked.body).stream_options?.include_usage === true;
  const chunk = (choices: JsonObject[], more: JsonObject = usage ? { usage: null } : {}) =>
    data({ ...head(answering, "chat.completion.chunk"), choices, ...more });
  const choice = (delta: JsonObject, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  return [
    choice({ role: "assistant", content: "", refusal: null }),
    ...deltasOf(reply, answering).map((delta) => choice(delta)),
    choice({}, finishOf(reply)),
    ...(usage ? [chunk([], { usage: usageOf(answering) })] : []),
    { data: "[DONE]" },
  ];
}

function deltasOf(reply: Reply, answering: Answering): JsonObject[] {
  return [
    ...thoughtsOf(reply, answering).flatMap(inPieces),
    ...piecesOf(textSaid(reply) ?? "").map((content) => ({ content })),
    ...(reply.hosted === "web-search" ? [{ annotations: annotationsOf(reply) }] : []),
    ...(reply.draws ? [picturesOf(reply)] : []),
    ...callsOf(reply, answering).flatMap(callDeltas),
  ];
}

/** A text comes bit by bit, a list at once. */
function inPieces(member: JsonObject): JsonObject[] {
  return Object.entries(member).flatMap(([name, value]) =>
    typeof value === "string" ? piecesOf(value).map((piece) => ({ [name]: piece })) : [member]
  );
}

function callDeltas(call: JsonObject, index: number): JsonObject[] {
  const [member, field] = call.type === "custom"
    ? ["custom", "input"] as const
    : ["function", "arguments"] as const;
  const { name, [field]: text } = Object(call[member]);
  const opener = { index, ...call, [member]: { name, [field]: "" } };
  const fragments = piecesOf(String(text)).map((fragment) => ({
    index,
    [member]: { [field]: fragment },
  }));
  return [opener, ...fragments].map((one) => ({ tool_calls: [one] }));
}

function data(value: JsonObject): ServerSentEvent {
  return { data: JSON.stringify(value) };
}
