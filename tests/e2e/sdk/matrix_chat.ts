import OpenAI, { APIError, BadRequestError, InternalServerError, RateLimitError } from "openai";
import type { Asking, Connection, Conversation, MatrixClient, SdkAnswer } from "./matrix.ts";
import { answerSchema, headersOf, parsed, weatherTool } from "./matrix_request.ts";

type Completion = OpenAI.Chat.Completions.ChatCompletion;
type Message = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Params = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/** The openai SDK's chat completions. */
export const chatClient: MatrixClient = {
  format: "chat-completions",
  showsImagesInResults: false,
  start,
  statusOf: openaiStatus,
  requestIdOf: openaiRequestId,
};

/** The status of an openai error of the class that belongs to it. */
export function openaiStatus(error: unknown): number | undefined {
  if (!(error instanceof APIError)) return undefined;
  const { status } = error;
  if (status === 400) return error instanceof BadRequestError ? status : undefined;
  if (status === 429) return error instanceof RateLimitError ? status : undefined;
  return status >= 500 && error instanceof InternalServerError ? status : undefined;
}

/** The gateway's id of the call, from its header. */
export function openaiRequestId(error: unknown): string | undefined {
  return error instanceof APIError ? error.requestID ?? undefined : undefined;
}

function start(asking: Asking, { base, key, fetch }: Connection): Conversation {
  const client = new OpenAI({
    baseURL: `${base}/v1`,
    apiKey: key,
    maxRetries: 0,
    fetch,
    defaultHeaders: headersOf(asking),
  });
  const messages: Message[] = asking.system ? [{ role: "system", content: asking.system }] : [];
  const params = (model = asking.model): Params => ({
    ...paramsOf({ ...asking, model }),
    messages: [...messages],
  });
  return {
    say: (text, png) => {
      const url = `data:image/png;base64,${png}`;
      const content = png
        ? [{ type: "text" as const, text }, { type: "image_url" as const, image_url: { url } }]
        : text;
      messages.push({ role: "user", content });
    },
    answerCalls: (results) => {
      const last = messages.at(-1);
      const calls = last?.role === "assistant" ? last.tool_calls ?? [] : [];
      for (const [index, { id }] of calls.entries()) {
        messages.push({ role: "tool", tool_call_id: id, content: results[index].text });
      }
    },
    ask: async ({ stream, model }) => {
      const completion = stream
        ? await streamed(client, params(model))
        : await client.chat.completions.create(params(model));
      messages.push(replayOf(completion.choices[0].message));
      return readAnswer(completion);
    },
    listen: async (signal, onText) => {
      const events = await client.chat.completions.create({ ...params(), stream: true }, {
        signal,
      });
      for await (const { choices } of events) if (choices[0]?.delta.content) onText();
    },
  };
}

function paramsOf(
  { model, tools, forced, schema, describes, thinks }: Asking,
): Omit<Params, "messages"> {
  return {
    model,
    ...(tools && {
      tools: [{
        type: "function",
        function: {
          name: weatherTool.name,
          description: weatherTool.description,
          parameters: weatherTool.schema,
        },
      }],
    }),
    ...(forced && {
      tool_choice: typeof forced === "string"
        ? { type: "function", function: { name: forced } }
        : "required",
    }),
    ...(schema && {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "place",
          schema: answerSchema,
          strict: true,
          ...(describes && { description: describes }),
        },
      },
    }),
    ...(thinks && { reasoning_effort: "medium" }),
  };
}

/** Pictures of messages, which the SDK passes on without knowing them. */
interface Pictures {
  images?: readonly { readonly image_url: { readonly url: string } }[];
}

/** Members that carry reasoning, likewise. */
interface Thoughts {
  reasoning_content?: string;
  reasoning_details?: unknown[];
}

/** The helper keeps the last piece of what it does not know, so reasoning is gathered from the chunks. */
async function streamed(client: OpenAI, params: Params): Promise<Completion> {
  const stream = client.chat.completions.stream({
    ...params,
    stream: true,
    stream_options: { include_usage: true },
  });
  const thoughts: Thoughts & Pictures = {};
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta as Thoughts & Pictures | undefined; // members beyond the SDK's type
    if (delta?.images) thoughts.images = [...thoughts.images ?? [], ...delta.images];
    if (delta?.reasoning_content) {
      thoughts.reasoning_content = (thoughts.reasoning_content ?? "") + delta.reasoning_content;
    }
    if (delta?.reasoning_details) {
      thoughts.reasoning_details = [
        ...thoughts.reasoning_details ?? [],
        ...delta.reasoning_details,
      ];
    }
  }
  const completion = await stream.finalChatCompletion();
  Object.assign(completion.choices[0].message, thoughts);
  return completion;
}

/** The message as an application sends it back: what the SDK parsed for itself stays out. */
function replayOf(message: Completion["choices"][number]["message"]): Message {
  const { content, tool_calls } = message;
  const { reasoning_content, reasoning_details } = message as Thoughts; // members beyond the SDK's type
  const calls = tool_calls?.map((call) =>
    call.type === "function"
      ? { ...call, function: { name: call.function.name, arguments: call.function.arguments } }
      : call
  );
  return {
    role: "assistant",
    content,
    ...(calls && { tool_calls: calls.map(({ ...call }) => withoutIndex(call)) }),
    ...(reasoning_content !== undefined && { reasoning_content }),
    ...(reasoning_details !== undefined && { reasoning_details }),
  } as Message; // the reasoning members are not in the SDK's type
}

function withoutIndex<T extends object>(call: T): T {
  return Object.fromEntries(Object.entries(call).filter(([key]) => key !== "index")) as T; // sound: T has no such member
}

function readAnswer({ choices: [{ message, finish_reason }], usage }: Completion): SdkAnswer {
  const { reasoning_content, images = [] } = message as Thoughts & Pictures; // members beyond the SDK's type
  const finishes: Record<string, SdkAnswer["finish"]> = { stop: "stop", tool_calls: "tools" };
  return {
    text: message.content ?? "",
    thought: reasoning_content ?? "",
    calls: (message.tool_calls ?? []).map((call) =>
      call.type === "function"
        ? { name: call.function.name, args: parsed(call.function.arguments) }
        : { name: call.custom.name, args: call.custom.input }
    ),
    finish: finishes[finish_reason] ?? "other",
    sources: (message.annotations ?? []).map(({ url_citation: { url } }) => url),
    pictures: images.map(({ image_url: { url } }) => url.replace("data:image/png;base64,", "")),
    usage: {
      input: usage?.prompt_tokens ?? -1,
      cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? -1,
      cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens ?? 0,
      output: usage?.completion_tokens ?? -1,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? -1,
    },
  };
}
