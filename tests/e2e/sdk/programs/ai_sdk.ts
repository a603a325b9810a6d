import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  Output,
  streamText,
  tool,
} from "ai";
import type { Asking, Conversation, SdkAnswer } from "../matrix.ts";
import { answerSchema, weatherTool } from "../matrix_request.ts";
import { type Program, serve } from "./serve.ts";

type ModelOf = (base: string, key: string) => (model: string) => LanguageModel;
type Options = NonNullable<
  Parameters<typeof generateText>[0]["providerOptions"]
>;

interface Provider {
  readonly modelOf: ModelOf;
  readonly thinking: Options;
}

/** The providers, each pointed at a gateway as its documentation says. */
const providers: Readonly<Record<string, Provider>> = {
  "openai-chat": {
    modelOf: (base, apiKey) => createOpenAI({ baseURL: `${base}/v1`, apiKey }).chat,
    thinking: { openai: { reasoningEffort: "medium", forceReasoning: true } },
  },
  "openai-responses": {
    modelOf: (base, apiKey) => createOpenAI({ baseURL: `${base}/v1`, apiKey }),
    thinking: {
      openai: {
        reasoningEffort: "medium",
        reasoningSummary: "auto",
        forceReasoning: true,
        store: false,
        include: ["reasoning.encrypted_content"],
      },
    },
  },
  anthropic: {
    modelOf: (base, apiKey) => createAnthropic({ baseURL: `${base}/v1`, apiKey }),
    thinking: {
      anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } },
    },
  },
  google: {
    modelOf: (base, apiKey) => createGoogleGenerativeAI({ baseURL: `${base}/v1beta`, apiKey }),
    thinking: {
      google: {
        thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
      },
    },
  },
  compatible: {
    modelOf: (base, apiKey) =>
      createOpenAICompatible({
        name: "tessera",
        baseURL: `${base}/v1`,
        apiKey,
        includeUsage: true,
        supportsStructuredOutputs: true,
      }),
    thinking: { tessera: { reasoningEffort: "medium" } },
  },
};

const tools = {
  [weatherTool.name]: tool({
    description: weatherTool.description,
    inputSchema: jsonSchema(weatherTool.schema),
  }),
};

function programOf({ modelOf, thinking }: Provider): Program {
  return {
    start: (asking, { base, key }) => begin(asking, modelOf(base, key), thinking),
    statusOf: (error) => APICallError.isInstance(error) ? error.statusCode : undefined,
    requestIdOf: (error) =>
      APICallError.isInstance(error) ? error.responseHeaders?.["x-request-id"] : undefined,
  };
}

function begin(
  asking: Asking,
  modelOf: (model: string) => LanguageModel,
  thinking: Options,
): Conversation {
  const messages: ModelMessage[] = [];
  let called: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
  }[] = [];
  const params = (model = asking.model) => ({
    ...paramsOf(asking, thinking),
    model: modelOf(model),
    messages: [...messages],
    maxRetries: 0,
  });
  return {
    say: (text, png) =>
      void messages.push({
        role: "user",
        content: png
          ? [{ type: "text", text }, {
            type: "file",
            data: png,
            mediaType: "image/png",
          }]
          : text,
      }),
    answerCalls: (results) =>
      void messages.push({
        role: "tool",
        content: called.map(({ toolCallId, toolName }, index) => ({
          type: "tool-result",
          toolCallId,
          toolName,
          output: { type: "text", value: results[index].text },
        })),
      }),
    ask: async ({ stream, model }) => {
      const said = stream ? await streamed(params(model)) : await generateText(params(model));
      messages.push(...said.responseMessages);
      called = said.toolCalls;
      return readAnswer(said);
    },
    listen: async (abortSignal, onText) => {
      const { textStream } = streamText({
        ...params(),
        abortSignal,
        onError: () => {},
      });
      for await (const _ of textStream) onText();
    },
  };
}

function paramsOf(
  { system, tools: offered, forced, schema, thinks }: Asking,
  thinking: Options,
) {
  return {
    ...(system && { instructions: system }),
    ...(offered && { tools }),
    ...(forced && { toolChoice: "required" as const }),
    ...(schema &&
      { output: Output.object({ schema: jsonSchema(answerSchema) }) }),
    providerOptions: thinks ? thinking : { anthropic: { structuredOutputMode: "outputFormat" } },
  };
}

interface Said {
  readonly text: string;
  readonly reasoningText: string | undefined;
  readonly toolCalls: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }[];
  readonly finishReason: string;
  readonly usage: LanguageModelUsage;
  readonly responseMessages: readonly ModelMessage[];
}

/** The error of a stream is a part of it; what is awaited then says only that nothing came. */
async function streamed(
  params: Parameters<typeof streamText>[0],
): Promise<Said> {
  const errors: unknown[] = [];
  const result = streamText({
    ...params,
    onError: ({ error }) => void errors.push(error),
  });
  await result.consumeStream();
  if (errors.length > 0) throw errors[0];
  return {
    text: await result.text,
    reasoningText: await result.reasoningText,
    toolCalls: await result.toolCalls,
    finishReason: await result.finishReason,
    usage: await result.usage,
    responseMessages: await result.responseMessages,
  };
}

function readAnswer(
  { text, reasoningText, toolCalls, finishReason, usage }: Said,
): SdkAnswer {
  const finishes: Record<string, SdkAnswer["finish"]> = {
    stop: "stop",
    "tool-calls": "tools",
  };
  return {
    text,
    thought: reasoningText ?? "",
    calls: toolCalls.map(({ toolName, input }) => ({
      name: toolName,
      args: input,
    })),
    finish: finishes[finishReason] ?? "other",
    usage: {
      input: usage.inputTokens ?? -1,
      cacheRead: usage.inputTokenDetails.cacheReadTokens ?? -1,
      cacheWrite: usage.inputTokenDetails.cacheWriteTokens,
      output: usage.outputTokens ?? -1,
      reasoning: usage.outputTokenDetails.reasoningTokens ?? -1,
    },
  };
}

await serve(programOf(providers[Deno.args[0]]));
