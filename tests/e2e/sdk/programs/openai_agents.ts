import {
  Agent,
  type AgentInputItem,
  type ModelResponse,
  OpenAIProvider,
  Runner,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import OpenAI, { APIError } from "openai";
import type { Asking, Conversation, SdkAnswer } from "../matrix.ts";
import { answerSchema, parsed, weatherTool } from "../matrix_request.ts";
import { type Program, serve } from "./serve.ts";

setTracingDisabled(true); // it would be sent to the vendor

const chat = Deno.args[0] === "chat";

const program: Program = {
  start: (asking, { base, key }) => {
    const openAIClient = new OpenAI({
      baseURL: `${base}/v1`,
      apiKey: key,
      maxRetries: 0,
    });
    const modelProvider = new OpenAIProvider({
      openAIClient,
      useResponses: !chat,
    });
    return begin(asking, new Runner({ modelProvider, tracingDisabled: true }));
  },
  statusOf: (error) => error instanceof APIError ? error.status : undefined,
  requestIdOf: (error) => error instanceof APIError ? error.requestID ?? undefined : undefined,
};

/** Its tool waits for approval, so that a run ends where the model calls it. */
const weather = tool({
  name: weatherTool.name,
  description: weatherTool.description,
  parameters: { ...weatherTool.schema, additionalProperties: true },
  strict: false,
  needsApproval: true,
  execute: () => "never called",
});

function begin(asking: Asking, runner: Runner): Conversation {
  const history: AgentInputItem[] = [];
  return {
    say: (text, png) =>
      void history.push({
        role: "user",
        content: [
          { type: "input_text", text },
          ...(png
            ? [{
              type: "input_image" as const,
              image: `data:image/png;base64,${png}`,
            }]
            : []),
        ],
      }),
    answerCalls: (results) => {
      const calls = openCalls(history);
      history.push(...calls.map(({ callId, name }, index) => ({
        type: "function_call_result" as const,
        callId,
        name,
        status: "completed" as const,
        output: results[index].text,
      })));
    },
    ask: async ({ stream, model }) => {
      const agent = agentOf(asking, model);
      const run = stream
        ? await ended(await runner.run(agent, history, { stream: true }))
        : await runner.run(agent, history);
      const response = run.rawResponses.at(-1);
      if (!response) throw new Error("the run had no response");
      history.push(...response.output); // a run that waits for approval leaves it out of its history
      return readAnswer(response);
    },
    listen: async (signal, onText) => {
      const run = await runner.run(agentOf(asking), history, {
        stream: true,
        signal,
      });
      for await (const event of run) {
        if (
          event.type === "raw_model_stream_event" &&
          event.data.type === "output_text_delta"
        ) {
          onText();
        }
      }
    },
  };
}

async function ended<
  Streamed extends AsyncIterable<unknown> & { readonly completed: Promise<void> },
>(
  run: Streamed,
): Promise<Streamed> {
  for await (const _ of run);
  await run.completed;
  return run;
}

function agentOf(
  { model, system, tools, forced, schema, thinks }: Asking,
  other?: string,
) {
  return new Agent({
    name: "Tester",
    instructions: system,
    model: other ?? model,
    tools: tools ? [weather] : [],
    modelSettings: {
      ...(forced && { toolChoice: "required" }),
      ...(thinks &&
        { reasoning: { effort: "medium", ...(!chat && { summary: "auto" }) } }),
      ...(thinks && !chat && {
        store: false,
        providerData: { include: ["reasoning.encrypted_content"] },
      }),
    },
    ...(schema && {
      outputType: {
        type: "json_schema",
        name: "place",
        strict: true,
        schema: answerSchema,
      },
    }),
  });
}

/** The calls of a history that nobody answered yet. */
function openCalls(history: readonly AgentInputItem[]) {
  const answered = new Set(
    history.flatMap((item) => item.type === "function_call_result" ? [item.callId] : []),
  );
  return history.flatMap((item) =>
    item.type === "function_call" && !answered.has(item.callId) ? [item] : []
  );
}

function readAnswer({ output, usage }: ModelResponse): SdkAnswer {
  const calls = output.flatMap((item) => item.type === "function_call" ? [item] : []);
  return {
    text: textIn(output),
    thought: output.map((item) => item.type === "reasoning" ? thoughtOf(item) : "").join(""),
    calls: calls.map(({ name, arguments: args }) => ({
      name,
      args: parsed(args),
    })),
    finish: calls.length > 0 ? "tools" : "stop",
    usage: {
      input: usage.inputTokens,
      cacheRead: detail(usage.inputTokensDetails, "cached_tokens") ?? -1,
      cacheWrite: detail(usage.inputTokensDetails, "cache_write_tokens"),
      output: usage.outputTokens,
      reasoning: detail(usage.outputTokensDetails, "reasoning_tokens") ?? -1,
    },
  };
}

function textIn(output: ModelResponse["output"]): string {
  return output.flatMap((item) =>
    item.type === "message" && item.role === "assistant" ? item.content : []
  ).map((part) => part.type === "output_text" ? part.text : "").join("");
}

function thoughtOf(
  { content, rawContent }: Extract<
    AgentInputItem,
    { readonly type: "reasoning" }
  >,
): string {
  return [...content, ...content.length > 0 ? [] : rawContent ?? []].map((
    { text },
  ) => text)
    .join("");
}

function detail(
  details: readonly Record<string, number>[] | undefined,
  name: string,
): number | undefined {
  return details?.at(-1)?.[name];
}

await serve(program);
