import { assertEquals } from "@std/assert";
import OpenAI from "openai";
import type {
  Asking,
  Connection,
  Conversation,
  MatrixClient,
  SdkAnswer,
  ToolAnswer,
} from "./matrix.ts";
import { openaiRequestId, openaiStatus } from "./matrix_chat.ts";
import { answerSchema, headersOf, parsed, weatherTool } from "./matrix_request.ts";

type Answer = OpenAI.Responses.Response;
type Item = OpenAI.Responses.ResponseInputItem;
type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** The openai SDK's responses, without a store: the history is sent each time. */
export const responsesClient: MatrixClient = {
  format: "responses",
  showsImagesInResults: true,
  start,
  statusOf: openaiStatus,
  requestIdOf: openaiRequestId,
};

function start(asking: Asking, { base, key, fetch }: Connection): Conversation {
  const client = new OpenAI({
    baseURL: `${base}/v1`,
    apiKey: key,
    maxRetries: 0,
    fetch,
    defaultHeaders: headersOf(asking),
  });
  const input: Item[] = [];
  const params = (model = asking.model): Params => ({
    ...paramsOf(asking),
    model,
    ...(input.length > 0 ? { input: [...input] } : systemAlone(asking)),
  });
  let last: Answer | undefined;
  return {
    say: (text, png) => {
      const image_url = `data:image/png;base64,${png}`;
      const content = png
        ? [
          { type: "input_text" as const, text },
          { type: "input_image" as const, detail: "auto" as const, image_url },
        ]
        : text;
      input.push({ role: "user", content });
    },
    answerCalls: (results) => {
      const calls = (last?.output ?? []).filter((item) => item.type === "function_call");
      for (const { id } of approvalsIn(last)) {
        input.push({ type: "mcp_approval_response", approval_request_id: id, approve: true });
      }
      for (const [index, { call_id }] of calls.entries()) {
        input.push({ type: "function_call_output", call_id, output: outputOf(results[index]) });
      }
    },
    ask: async ({ stream, model }) => {
      last = stream
        ? await streamed(client, params(model))
        : await client.responses.create(params(model));
      input.push(...last.output as Item[]); // every output item is a valid input item
      return readAnswer(last);
    },
    listen: async (signal, onText) => {
      const events = await client.responses.create({ ...params(), stream: true }, { signal });
      for await (const { type } of events) if (type === "response.output_text.delta") onText();
    },
  };
}

/** Without an input the instructions are one. */
function systemAlone({ system = "" }: Asking): Pick<Params, "input" | "instructions"> {
  return { input: [{ role: "developer", content: system }], instructions: null };
}

function approvalsIn(answer: Answer | undefined) {
  return (answer?.output ?? []).filter((item) => item.type === "mcp_approval_request");
}

function outputOf({ text, imagePng }: ToolAnswer) {
  if (imagePng === undefined) return text;
  const image_url = `data:image/png;base64,${imagePng}`;
  return [
    { type: "input_text" as const, text },
    { type: "input_image" as const, detail: "auto" as const, image_url },
  ];
}

function paramsOf(
  { model, system, tools, forced, schema, describes, thinks }: Asking,
): Params {
  return {
    model,
    store: false,
    ...(system && { instructions: system }),
    ...(tools && {
      tools: [{
        type: "function",
        name: weatherTool.name,
        description: weatherTool.description,
        parameters: weatherTool.schema,
        strict: false,
      }],
    }),
    ...(forced && {
      tool_choice: typeof forced === "string" ? { type: "function", name: forced } : "required",
    }),
    ...(schema && {
      text: {
        format: {
          type: "json_schema",
          name: "place",
          schema: answerSchema,
          strict: true,
          ...(describes && { description: describes }),
        },
      },
    }),
    include: ["reasoning.encrypted_content"],
    ...(thinks && { reasoning: { effort: "medium", summary: "auto" } }),
  };
}

/** The answer of the terminal event, which must be what the SDK's own accumulator gives. */
async function streamed(client: OpenAI, params: Params): Promise<Answer> {
  const stream = client.responses.stream({ ...params, stream: true });
  let answer: Answer | undefined;
  const done: unknown[] = [];
  for await (const event of stream) {
    if (event.type === "response.output_item.done") done.push(event.item);
    if (event.type === "response.completed") answer = structuredClone(event.response);
  }
  const final = await stream.finalResponse();
  if (!answer) throw new Error("The stream had no response.completed");
  assertEquals(answer.output, done, "the terminal event repeats the finished items");
  return { ...answer, output_text: final.output_text };
}

function readAnswer(answer: Answer): SdkAnswer {
  const { output, output_text, status, usage } = answer;
  const calls = output.filter((item) => item.type === "function_call");
  const thoughts = output.filter((item) => item.type === "reasoning");
  return {
    text: output_text,
    thought: thoughts.flatMap(({ summary, content = [] }) => [...summary, ...content])
      .map(({ text }) => text).join(""),
    calls: [
      ...calls.map(({ name, arguments: text }) => ({ name, args: parsed(text) })),
      ...approvalsIn(answer).map(({ type, ...args }) => ({ name: type, args })),
    ],
    finish: status !== "completed" ? "other" : calls.length > 0 ? "tools" : "stop",
    sources: output.flatMap(sourcesOf),
    pictures: output.flatMap((item) =>
      item.type === "image_generation_call" ? [item.result ?? ""] : []
    ),
    usage: {
      input: usage?.input_tokens ?? -1,
      cacheRead: usage?.input_tokens_details.cached_tokens ?? -1,
      cacheWrite: usage?.input_tokens_details.cache_write_tokens ?? -1,
      output: usage?.output_tokens ?? -1,
      reasoning: usage?.output_tokens_details.reasoning_tokens ?? -1,
    },
  };
}

function sourcesOf(item: Answer["output"][number]): string[] {
  if (item.type !== "message") return [];
  const texts = item.content.filter((part) => part.type === "output_text");
  return texts.flatMap(({ annotations }) => annotations)
    .flatMap((one) => one.type === "url_citation" ? [one.url] : []);
}
