import Anthropic, { AuthenticationError } from "@anthropic-ai/sdk";
import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { startGateway } from "../gateway.ts";

/** The Anthropic SDK, unmodified, with only its base URL and its key set. */
async function withClient(run: (client: Anthropic) => Promise<void>): Promise<void> {
  await using gateway = await startGateway();
  await run(new Anthropic({ baseURL: gateway.base, apiKey: gateway.key, maxRetries: 0 }));
}

const model = "tessera-echo";
const schema = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools = [{ name: "get_weather", description: "Weather", input_schema: schema }];
const ask = (content: string) => ({
  model,
  max_tokens: 1000,
  messages: [{ role: "user" as const, content }],
});
const oneCall = 'call get_weather {"city":"Oslo"}';
const twoCalls = 'call get_weather {"city":"Oslo"}\ncall get_weather {"city":"Rome"}';

const textOf = (message: Anthropic.Message) =>
  message.content.flatMap((block) => block.type === "text" ? [block.text] : []).join("");
const inputsOf = (message: Anthropic.Message) =>
  message.content.flatMap((block) => block.type === "tool_use" ? [block.input] : []);

Deno.test("anthropic messages: whole text and a stream that accumulates to it", () =>
  withClient(async (client) => {
    const whole = await client.messages.create(ask("hello"));
    assertStringIncludes(textOf(whole), "hello");
    assertEquals(whole.stop_reason, "end_turn");
    assert(whole.usage.input_tokens > 0 && whole.usage.output_tokens > 0);
    const streamed = await client.messages.stream(ask("hello")).finalMessage();
    assertEquals(JSON.stringify(streamed.content), JSON.stringify(whole.content)); // the SDK adds members that JSON does not show
    assertEquals(streamed.stop_reason, whole.stop_reason);
    assertEquals(streamed.usage.output_tokens, whole.usage.output_tokens);
    assertEquals(streamed.usage.input_tokens, whole.usage.input_tokens);
  }));

Deno.test("anthropic messages: one call and two parallel calls, whole and streamed, then their results", () =>
  withClient(async (client) => {
    for (const [content, cities] of [[oneCall, ["Oslo"]], [twoCalls, ["Oslo", "Rome"]]] as const) {
      const request = { ...ask(content), tools };
      const whole = await client.messages.create(request);
      const streamed = await client.messages.stream(request).finalMessage();
      for (const message of [whole, streamed]) {
        assertEquals(message.stop_reason, "tool_use");
        assertEquals(inputsOf(message), cities.map((city) => ({ city })));
      }
      const results = streamed.content.flatMap((block) =>
        block.type === "tool_use"
          ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "sunny" }]
          : []
      );
      const last = await client.messages.create({
        ...request,
        messages: [...request.messages, { role: "assistant", content: streamed.content }, {
          role: "user",
          content: results,
        }],
      });
      assertStringIncludes(textOf(last), "sunny");
    }
  }));

Deno.test("anthropic messages: thinking comes with a signature and may be replayed", () =>
  withClient(async (client) => {
    const request = {
      ...ask(oneCall),
      max_tokens: 4000,
      tools,
      thinking: { type: "enabled" as const, budget_tokens: 1024 },
    };
    for (
      const first of [
        await client.messages.create(request),
        await client.messages.stream(request).finalMessage(),
      ]
    ) {
      const [thinking] = first.content;
      assert(
        thinking.type === "thinking" && thinking.thinking.length > 0 &&
          thinking.signature.length > 0,
      );
      const call = first.content.find((block) => block.type === "tool_use");
      assert(call?.type === "tool_use");
      const second = await client.messages.create({
        ...request,
        messages: [
          ...request.messages,
          { role: "assistant", content: first.content },
          {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: call.id, content: "rainy" }],
          },
        ],
      });
      assertStringIncludes(textOf(second), "rainy");
    }
  }));

Deno.test("anthropic messages: a JSON-schema answer", () =>
  withClient(async (client) => {
    const answer = await client.messages.create({
      ...ask("Oslo"),
      output_config: { format: { type: "json_schema", schema } },
    });
    assertEquals(typeof JSON.parse(textOf(answer)).city, "string");
  }));

Deno.test("anthropic messages.countTokens: counts system and tools too", () =>
  withClient(async (client) => {
    const messages = ask("hello").messages;
    const short = await client.messages.countTokens({ model, messages });
    const long = await client.messages.countTokens({
      model,
      messages,
      system: "Be brief. ".repeat(50),
      tools,
    });
    assert(short.input_tokens > 0);
    assert(long.input_tokens > short.input_tokens + 100);
  }));

Deno.test("anthropic models: list and retrieve", () =>
  withClient(async (client) => {
    const ids: string[] = [];
    for await (const { id, type } of client.models.list()) {
      assertEquals(type, "model");
      ids.push(id);
    }
    assertEquals(ids, [model]);
    assertEquals((await client.models.retrieve(model)).id, model);
  }));

Deno.test("anthropic: a wrong key is the SDK's AuthenticationError with invalid_api_key", async () => {
  await using gateway = await startGateway();
  const client = new Anthropic({ baseURL: gateway.base, apiKey: "sk-wrong", maxRetries: 0 });
  for (
    const attempt of [
      () => client.messages.create(ask("hello")),
      () => client.models.list(),
      () => client.messages.countTokens({ model, messages: [] }),
    ]
  ) {
    const error = await Promise.resolve(attempt()).then(() => undefined, (error: unknown) => error);
    assertInstanceOf(error, AuthenticationError);
    const body = error.error as { error: { type: string; code: string } }; // the SDK keeps the body as it came
    assertEquals(body.error.type, "authentication_error");
    assertEquals(body.error.code, "invalid_api_key");
    assert(error.requestID?.startsWith("req_"));
  }
});

Deno.test("anthropic: errors on demand keep their status, and mid-stream ones reach the SDK", () =>
  withClient(async (client) => {
    const status = (content: string) =>
      Promise.resolve(client.messages.create(ask(content))).then(
        () => 200,
        (error) => error.status,
      );
    assertEquals(await status("fail 429"), 429);
    const failure = await client.messages.stream(ask("fail midway")).finalMessage().then(
      () => undefined,
      (error: unknown) => error,
    );
    assertInstanceOf(failure, Anthropic.AnthropicError);
  }));
