import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import OpenAI, { AuthenticationError } from "openai";
import { startGateway } from "../gateway.ts";

/** The openai SDK, unmodified, with only its base URL and its key set. */
async function withClient(run: (client: OpenAI, base: string) => Promise<void>): Promise<void> {
  await using gateway = await startGateway();
  await run(
    new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: gateway.key, maxRetries: 0 }),
    gateway.base,
  );
}

const model = "tessera-echo";
const weather = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const chatTool = {
  type: "function",
  function: { name: "get_weather", description: "Weather", parameters: weather },
} as const;
const responseTool = {
  type: "function",
  name: "get_weather",
  description: "Weather",
  parameters: weather,
  strict: false,
} as const;
const say = (content: string) => [{ role: "user" as const, content }];
const oneCall = 'call get_weather {"city":"Oslo"}';
const twoCalls = 'call get_weather {"city":"Oslo"}\ncall get_weather {"city":"Rome"}';

Deno.test("openai chat.completions: whole text", () =>
  withClient(async (client) => {
    const answer = await client.chat.completions.create({ model, messages: say("hello") });
    assertStringIncludes(answer.choices[0].message.content ?? "", "hello");
    assertEquals(answer.choices[0].finish_reason, "stop");
    assertEquals(answer.model, model);
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = answer.usage ?? {};
    assert(prompt_tokens > 0 && completion_tokens > 0);
    assertEquals(total_tokens, prompt_tokens + completion_tokens);
  }));

Deno.test("openai chat.completions: a stream accumulates to the whole answer", () =>
  withClient(async (client) => {
    const messages = say("tell me about accumulators");
    const whole = await client.chat.completions.create({ model, messages });
    const stream = client.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    assertEquals(streamed.choices[0].message.content, whole.choices[0].message.content);
    assertEquals(streamed.choices[0].finish_reason, whole.choices[0].finish_reason);
    assertEquals(streamed.usage, whole.usage);
  }));

Deno.test("openai chat.completions: no usage chunk unless asked", () =>
  withClient(async (client) => {
    const stream = await client.chat.completions.create({
      model,
      messages: say("hello"),
      stream: true,
    });
    for await (const chunk of stream) assertEquals(chunk.choices.length, 1);
  }));

Deno.test("openai chat.completions: one tool call, whole and streamed", () =>
  withClient(async (client) => {
    const request = { model, messages: say(oneCall), tools: [chatTool] };
    const whole = await client.chat.completions.create(request);
    assertCalls(whole.choices[0], ["Oslo"]);
    assertCalls((await client.chat.completions.stream(request).finalChatCompletion()).choices[0], [
      "Oslo",
    ]);
  }));

Deno.test("openai chat.completions: two parallel calls, whole and streamed, then their results", () =>
  withClient(async (client) => {
    const request = { model, messages: say(twoCalls), tools: [chatTool] };
    const whole = await client.chat.completions.create(request);
    assertCalls(whole.choices[0], ["Oslo", "Rome"]);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    assertCalls(streamed.choices[0], ["Oslo", "Rome"]);
    const { message } = streamed.choices[0];
    const results = (message.tool_calls ?? []).map(({ id }, index) => ({
      role: "tool" as const,
      tool_call_id: id,
      content: `sunny ${index}`,
    }));
    const last = await client.chat.completions.create({
      ...request,
      messages: [...request.messages, message, ...results],
    });
    assertStringIncludes(last.choices[0].message.content ?? "", "sunny 1");
  }));

function assertCalls(
  choice: OpenAI.Chat.Completions.ChatCompletion.Choice,
  cities: string[],
): void {
  assertEquals(choice.finish_reason, "tool_calls");
  const calls = choice.message.tool_calls ?? [];
  assertEquals(
    calls.map((call) => call.type === "function" && JSON.parse(call.function.arguments)),
    cities.map((city) => ({ city })),
  );
  assertEquals(new Set(calls.map(({ id }) => id)).size, cities.length);
}

Deno.test("openai chat.completions: a JSON-schema answer", () =>
  withClient(async (client) => {
    const answer = await client.chat.completions.parse({
      model,
      messages: say("Oslo"),
      response_format: {
        type: "json_schema",
        json_schema: { name: "place", schema: weather, strict: true },
      },
    });
    assertEquals(typeof JSON.parse(answer.choices[0].message.content ?? "").city, "string");
  }));

Deno.test("openai responses: whole text and a stream that accumulates to it", () =>
  withClient(async (client) => {
    const whole = await client.responses.create({ model, input: "hello" });
    assertStringIncludes(whole.output_text, "hello");
    assertEquals(whole.status, "completed");
    const streamed = await client.responses.stream({ model, input: "hello" }).finalResponse();
    assertEquals(streamed.output_text, whole.output_text);
    assertEquals(streamed.usage, whole.usage);
    assertEquals(streamed.status, "completed");
  }));

Deno.test("openai responses: one call and two parallel calls, whole and streamed", () =>
  withClient(async (client) => {
    for (const [input, cities] of [[oneCall, ["Oslo"]], [twoCalls, ["Oslo", "Rome"]]] as const) {
      const request = { model, input, tools: [responseTool] };
      const whole = await client.responses.create(request);
      const streamed = await client.responses.stream(request).finalResponse();
      for (const { output } of [whole, streamed]) {
        const calls = output.flatMap((item) =>
          item.type === "function_call" ? [item.arguments] : []
        );
        assertEquals(
          calls.map((text) => JSON.parse(text)),
          cities.map((city) => ({ city })),
        );
      }
    }
  }));

Deno.test("openai responses: reasoning is replayed and results are answered", () =>
  withClient(async (client) => {
    const tools = [responseTool];
    const reasoning = { effort: "low", summary: "auto" } as const;
    const include = ["reasoning.encrypted_content"] as const;
    const first = await client.responses.create({
      model,
      input: oneCall,
      tools,
      reasoning,
      include: [...include],
      store: false,
    });
    assert(first.output.some(({ type }) => type === "reasoning"));
    const call = first.output.find((item) => item.type === "function_call");
    assert(call?.type === "function_call");
    const second = await client.responses.create({
      model,
      tools,
      reasoning,
      store: false,
      input: [
        { role: "user", content: oneCall },
        ...(first.output as OpenAI.Responses.ResponseInput), // sound: what came out is what goes back in, though the SDK types some items apart
        {
          type: "function_call_output",
          call_id: call.call_id,
          output: "rainy",
        },
      ],
    });
    assertStringIncludes(second.output_text, "rainy");
  }));

Deno.test("openai responses: a JSON-schema answer", () =>
  withClient(async (client) => {
    const answer = await client.responses.create({
      model,
      input: "Oslo",
      text: { format: { type: "json_schema", name: "place", schema: weather, strict: true } },
    });
    assertEquals(typeof JSON.parse(answer.output_text).city, "string");
  }));

Deno.test("openai responses.inputTokens: counts, and more text counts more", () =>
  withClient(async (client) => {
    const short = await client.responses.inputTokens.count({ model, input: "hello" });
    const long = await client.responses.inputTokens.count({ model, input: "hello ".repeat(100) });
    assertEquals(short.object, "response.input_tokens");
    assert(long.input_tokens > short.input_tokens + 90);
  }));

Deno.test("openai models: list and retrieve", () =>
  withClient(async (client) => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    assertEquals(ids, [model]);
    assertEquals((await client.models.retrieve(model)).id, model);
  }));

Deno.test("openai: a wrong key is the SDK's AuthenticationError with invalid_api_key", async () => {
  await using gateway = await startGateway();
  const client = new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: "sk-wrong", maxRetries: 0 });
  for (
    const attempt of [
      () => client.chat.completions.create({ model, messages: say("hello") }),
      () => client.responses.create({ model, input: "hello" }),
      () => client.models.list(),
    ]
  ) {
    const error = await Promise.resolve(attempt()).then(() => undefined, (error: unknown) => error);
    assertInstanceOf(error, AuthenticationError);
    assertEquals(error.code, "invalid_api_key");
    assertEquals(error.type, "authentication_error");
    assert(error.requestID?.startsWith("req_"));
  }
});

Deno.test("openai: errors on demand keep their status before the stream and reach the SDK within it", () =>
  withClient(async (client) => {
    const status = (content: string, stream: boolean) =>
      Promise.resolve(client.chat.completions.create({ model, messages: say(content), stream }))
        .then(() => 200, (error) => error.status);
    for (const stream of [false, true]) {
      assertEquals(await status("fail 429", stream), 429);
      assertEquals(await status("fail 500", stream), 502);
    }
    const stream = await client.chat.completions.create({
      model,
      messages: say("fail midway"),
      stream: true,
    });
    let text = "";
    const failure = await (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    })().then(() => undefined, (error: unknown) => error);
    assertInstanceOf(failure, OpenAI.APIError);
    assert(text.length > 0);
  }));
