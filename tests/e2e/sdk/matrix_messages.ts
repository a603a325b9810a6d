import Anthropic, {
  APIError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
} from "@anthropic-ai/sdk";
import type {
  Asking,
  Connection,
  Conversation,
  MatrixClient,
  SdkAnswer,
  ToolAnswer,
} from "./matrix.ts";
import { answerSchema, headersOf, weatherTool } from "./matrix_request.ts";

type Params = Anthropic.MessageCreateParamsNonStreaming;

/** The Anthropic SDK's messages. */
export const messagesClient: MatrixClient = {
  format: "messages",
  showsImagesInResults: true,
  start,
  statusOf: (error) => {
    if (!(error instanceof APIError) || error.status === undefined) return undefined;
    const { status } = error;
    if (status === 400) return error instanceof BadRequestError ? status : undefined;
    if (status === 429) return error instanceof RateLimitError ? status : undefined;
    return status >= 500 && error instanceof InternalServerError ? status : undefined;
  },
  requestIdOf: (error) => error instanceof APIError ? error.requestID ?? undefined : undefined,
};

function start(asking: Asking, { base, key, fetch }: Connection): Conversation {
  const client = new Anthropic({
    baseURL: base,
    apiKey: key,
    maxRetries: 0,
    fetch,
    defaultHeaders: headersOf(asking),
  });
  const messages: Anthropic.MessageParam[] = [];
  const params = (model = asking.model): Params => ({
    ...paramsOf({ ...asking, model }),
    messages: [...messages],
  });
  return {
    say: (text, png) => {
      const said = [{ type: "text" as const, text }, ...(png ? [imageOf(png)] : [])];
      const last = messages.at(-1);
      const results = last?.role === "user" && Array.isArray(last.content) ? last.content : [];
      if (results.length > 0) messages.pop();
      messages.push({
        role: "user",
        content: png || results.length > 0 ? [...results, ...said] : text,
      });
    },
    answerCalls: (results) => {
      const content = messages.at(-1)?.content ?? [];
      const calls = typeof content === "string"
        ? []
        : content.filter((block) => block.type === "tool_use");
      messages.push({
        role: "user",
        content: calls.map(({ id }, index) => resultOf(id, results[index])),
      });
    },
    ask: async ({ stream, model }) => {
      const message = stream
        ? await client.messages.stream(params(model)).finalMessage()
        : await client.messages.create(params(model));
      messages.push({ role: "assistant", content: message.content });
      return readAnswer(message);
    },
    listen: async (signal, onText) => {
      const events = await client.messages.create({ ...params(), stream: true }, { signal });
      for await (const event of events) {
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") onText();
      }
    },
  };
}

function imageOf(data: string): Anthropic.ImageBlockParam {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

function resultOf(id: string, { text, imagePng }: ToolAnswer): Anthropic.ToolResultBlockParam {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: imagePng === undefined ? text : [{ type: "text", text }, imageOf(imagePng)],
  };
}

function paramsOf({ model, system, tools, forced, schema, thinks }: Asking): Params {
  return {
    model,
    max_tokens: 8000,
    messages: [],
    ...(system && { system }),
    ...(tools && {
      tools: [{
        name: weatherTool.name,
        description: weatherTool.description,
        input_schema: weatherTool.schema,
      }],
    }),
    ...(forced && {
      tool_choice: typeof forced === "string" ? { type: "tool", name: forced } : { type: "any" },
    }),
    ...(schema && { output_config: { format: { type: "json_schema", schema: answerSchema } } }),
    ...(thinks && { thinking: { type: "enabled", budget_tokens: 2048 } }),
  };
}

function readAnswer({ content, stop_reason, usage }: Anthropic.Message): SdkAnswer {
  const finishes: Record<string, SdkAnswer["finish"]> = { end_turn: "stop", tool_use: "tools" };
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  return {
    text: content.flatMap((block) => block.type === "text" ? [block.text] : []).join(""),
    thought: content.flatMap((block) => block.type === "thinking" ? [block.thinking] : []).join(""),
    calls: content.flatMap((block) =>
      block.type === "tool_use" ? [{ name: block.name, args: block.input }] : []
    ),
    finish: finishes[stop_reason ?? ""] ?? "other",
    sources: content.flatMap((block) => block.type === "text" ? block.citations ?? [] : [])
      .flatMap((one) => one.type === "web_search_result_location" ? [one.url] : []),
    pictures: [],
    usage: {
      input: usage.input_tokens + (read ?? 0) + (written ?? 0),
      cacheRead: read ?? -1,
      cacheWrite: written ?? -1,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    },
  };
}
