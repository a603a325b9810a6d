import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import type { Asking, Conversation, SdkAnswer } from "../matrix.ts";
import { answerSchema, weatherTool } from "../matrix_request.ts";
import { type Program, serve } from "./serve.ts";

interface Address {
  readonly base: string;
  readonly key: string;
}

/** A provider's chat model, pointed at a gateway as its documentation says. */
interface Provider {
  readonly modelOf: (asking: Asking, address: Address) => BaseChatModel;
  /** The tool choice that forces a call of any tool. */
  readonly some: string;
  /** Options of the call that ask for an answer to a schema. */
  readonly schema: object;
}

const jsonSchemaFormat = {
  response_format: {
    type: "json_schema",
    json_schema: { name: "place", schema: answerSchema, strict: true },
  },
};

const { additionalProperties: _, ...openSchema } = answerSchema; // the format has no such member

const openai = (useResponsesApi: boolean): Provider => ({
  modelOf: ({ model, thinks }, { base, key }) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      configuration: { baseURL: `${base}/v1` },
      useResponsesApi,
      supportsStrictToolCalling: false,
      maxRetries: 0,
      ...(thinks && {
        reasoning: {
          effort: "medium",
          ...(useResponsesApi && { summary: "auto" }),
        },
        ...(useResponsesApi && {
          zdrEnabled: true,
          modelKwargs: { include: ["reasoning.encrypted_content"] },
        }),
      }),
    }),
  some: "any",
  schema: jsonSchemaFormat,
});

const providers: Readonly<Record<string, Provider>> = {
  "openai-chat": openai(false),
  "openai-responses": openai(true),
  anthropic: {
    modelOf: ({ model, thinks }, { base, key }) =>
      new ChatAnthropic({
        model,
        apiKey: key,
        anthropicApiUrl: base,
        maxRetries: 0,
        maxTokens: 4000,
        ...(thinks && { thinking: { type: "enabled", budget_tokens: 1024 } }),
      }),
    some: "any",
    schema: {
      outputConfig: { format: { type: "json_schema", schema: answerSchema } },
    },
  },
  google: {
    modelOf: ({ model, thinks }, { base, key }) =>
      new ChatGoogleGenerativeAI({
        model,
        apiKey: key,
        baseUrl: base,
        maxRetries: 0,
        ...(thinks &&
          { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } }),
      }),
    some: "any",
    schema: { responseSchema: openSchema },
  },
};

function programOf(provider: Provider): Program {
  return {
    start: (asking, address) => begin(asking, address, provider),
    statusOf: (error) => {
      const { status } = (error ?? {}) as { status?: unknown }; // an error of the provider's SDK
      return error instanceof Error && typeof status === "number" ? status : undefined;
    },
    requestIdOf: (error) => {
      const { requestID } = (error ?? {}) as { requestID?: unknown }; // as above
      if (typeof requestID === "string") return requestID;
      return error instanceof Error ? /"request_id":"([^"]+)"/.exec(error.message)?.[1] : undefined;
    },
  };
}

function begin(
  asking: Asking,
  address: Address,
  provider: Provider,
): Conversation {
  const messages: BaseMessage[] = asking.system ? [new SystemMessage(asking.system)] : [];
  const runnable = (model = asking.model) => {
    const chat = provider.modelOf({ ...asking, model }, address);
    const options = optionsOf(asking, provider);
    return asking.tools && chat.bindTools
      ? chat.bindTools([tool], options)
      : chat.withConfig(options);
  };
  return {
    say: (text, png) =>
      void messages.push(
        new HumanMessage(
          png
            ? {
              content: [{ type: "text", text }, {
                type: "image_url",
                image_url: { url: `data:image/png;base64,${png}` },
              }],
            }
            : text,
        ),
      ),
    answerCalls: (results) => {
      const last = messages.at(-1);
      const calls = AIMessage.isInstance(last) ? last.tool_calls ?? [] : [];
      messages.push(
        ...calls.map(({ id = "", name }, index) =>
          new ToolMessage({
            content: results[index].text,
            tool_call_id: id,
            name,
          })
        ),
      );
    },
    ask: async ({ stream, model }) => {
      const said = stream
        ? joined(await Array.fromAsync(await runnable(model).stream(messages)))
        : await runnable(model).invoke(messages);
      messages.push(said);
      return readAnswer(said);
    },
    listen: async (signal, onText) => {
      for await (
        const { text } of await runnable().stream(messages, { signal })
      ) {
        if (text) onText();
      }
    },
  };
}

const tool = {
  type: "function",
  function: {
    name: weatherTool.name,
    description: weatherTool.description,
    parameters: weatherTool.schema,
    strict: false,
  },
};

function optionsOf({ forced, schema }: Asking, provider: Provider): object {
  return {
    ...(forced && { tool_choice: provider.some }),
    ...(schema && provider.schema),
  };
}

function joined([first, ...rest]: readonly AIMessageChunk[]): AIMessageChunk {
  return rest.reduce((whole, next) => whole.concat(next), first);
}

function readAnswer(said: AIMessage | AIMessageChunk): SdkAnswer {
  const calls = said.tool_calls ?? [];
  const { usage_metadata: usage } = said;
  return {
    text: said.text,
    thought: thoughtIn(said),
    calls: calls.map(({ name, args }) => ({ name, args })),
    finish: calls.length > 0 ? "tools" : "stop",
    usage: {
      input: usage?.input_tokens ?? -1,
      cacheRead: usage?.input_token_details?.cache_read ?? -1,
      cacheWrite: usage?.input_token_details?.cache_creation,
      output: usage?.output_tokens ?? -1,
      reasoning: usage?.output_token_details?.reasoning ?? -1,
    },
  };
}

/** The reasoning in the blocks that all providers share. */
function thoughtIn({ contentBlocks }: AIMessage | AIMessageChunk): string {
  return contentBlocks.map((block) => block.type === "reasoning" ? block.reasoning : "").join("");
}

await serve(programOf(providers[Deno.args[0]]));
