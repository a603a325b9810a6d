import {
  ApiError,
  FunctionCallingConfigMode,
  type GenerateContentResponse,
  GoogleGenAI,
} from "@google/genai";
import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import { startGateway } from "../gateway.ts";

/** The Google Gen AI SDK, unmodified, with only its base URL and its key set. */
async function withClient(run: (client: GoogleGenAI) => Promise<void>): Promise<void> {
  await using gateway = await startGateway();
  await run(new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.base } }));
}

const model = "tessera-echo";
const parametersJsonSchema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
};
const tools = [{
  functionDeclarations: [{ name: "get_weather", description: "Weather", parametersJsonSchema }],
}];
const oneCall = 'call get_weather {"city":"Oslo"}';
const twoCalls = 'call get_weather {"city":"Oslo"}\ncall get_weather {"city":"Rome"}';

async function streamed(
  client: GoogleGenAI,
  request: Parameters<GoogleGenAI["models"]["generateContentStream"]>[0],
) {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  return {
    text: parts.filter(({ thought }) => !thought).map(({ text }) => text ?? "").join(""),
    calls: parts.flatMap(({ functionCall }) => functionCall ? [functionCall] : []),
    finishReason: chunks.at(-1)?.candidates?.[0]?.finishReason,
    usage: chunks.at(-1)?.usageMetadata,
    parts,
  };
}

Deno.test("google generateContent: whole text and a stream that accumulates to it", () =>
  withClient(async (client) => {
    const whole = await client.models.generateContent({ model, contents: "hello" });
    assertStringIncludes(whole.text ?? "", "hello");
    assertEquals(whole.candidates?.[0].finishReason, "STOP");
    const stream = await streamed(client, { model, contents: "hello" });
    assertEquals(stream.text, whole.text);
    assertEquals(stream.finishReason, "STOP");
    assertEquals(stream.usage?.totalTokenCount, whole.usageMetadata?.totalTokenCount);
    assert((whole.usageMetadata?.promptTokenCount ?? 0) > 0);
  }));

Deno.test("google generateContent: one call and two parallel calls, whole and streamed, then their results", () =>
  withClient(async (client) => {
    for (const [contents, cities] of [[oneCall, ["Oslo"]], [twoCalls, ["Oslo", "Rome"]]] as const) {
      const request = {
        model,
        contents,
        config: {
          tools,
          toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO } },
        },
      };
      const whole = await client.models.generateContent(request);
      const stream = await streamed(client, request);
      for (const calls of [whole.functionCalls ?? [], stream.calls]) {
        assertEquals(calls.map(({ args }) => args), cities.map((city) => ({ city })));
      }
      const last = await client.models.generateContent({
        ...request,
        contents: [
          { role: "user", parts: [{ text: contents }] },
          { role: "model", parts: stream.calls.map((functionCall) => ({ functionCall })) },
          {
            role: "user",
            parts: stream.calls.map(({ id, name }) => ({
              functionResponse: { id, name, response: { output: "sunny" } },
            })),
          },
        ],
      });
      assertStringIncludes(last.text ?? "", "sunny");
    }
  }));

Deno.test("google generateContent: a JSON-schema answer", () =>
  withClient(async (client) => {
    const config = {
      responseMimeType: "application/json",
      responseJsonSchema: parametersJsonSchema,
    };
    const answer = await client.models.generateContent({ model, contents: "Oslo", config });
    assertEquals(typeof JSON.parse(answer.text ?? "").city, "string");
  }));

Deno.test("google generateContent: thoughts are parts of their own", () =>
  withClient(async (client) => {
    const config = { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } };
    const answer = await client.models.generateContent({ model, contents: "hello", config });
    assert(answer.candidates?.[0].content?.parts?.some(({ thought }) => thought));
    assert((answer.usageMetadata?.thoughtsTokenCount ?? 0) > 0);
  }));

Deno.test("google countTokens: counts, and more text counts more", () =>
  withClient(async (client) => {
    const short = await client.models.countTokens({ model, contents: "hello" });
    const long = await client.models.countTokens({ model, contents: "hello ".repeat(100) });
    assert((long.totalTokens ?? 0) > (short.totalTokens ?? 0) + 90);
  }));

Deno.test("google models: list and get", () =>
  withClient(async (client) => {
    const names: string[] = [];
    for await (const { name } of await client.models.list()) names.push(name ?? "");
    assertEquals(names, [`models/${model}`]);
    assertEquals((await client.models.get({ model })).name, `models/${model}`);
  }));

Deno.test("google: a wrong key is the SDK's ApiError with status 401 and invalid_api_key", async () => {
  await using gateway = await startGateway();
  const client = new GoogleGenAI({ apiKey: "sk-wrong", httpOptions: { baseUrl: gateway.base } });
  for (
    const attempt of [
      () => client.models.generateContent({ model, contents: "hello" }),
      () => client.models.list(),
      () => client.models.countTokens({ model, contents: "x" }),
    ]
  ) {
    const error = await Promise.resolve(attempt()).then(() => undefined, (error: unknown) => error);
    assertInstanceOf(error, ApiError);
    assertEquals(error.status, 401);
    assertStringIncludes(error.message, "invalid_api_key");
    assertStringIncludes(error.message, "authentication_error");
  }
});

Deno.test("google: errors on demand keep their status, and mid-stream ones reach the SDK", () =>
  withClient(async (client) => {
    const failure = (contents: string) =>
      streamed(client, { model, contents }).then(() => undefined, (error: unknown) => error);
    const limited = await failure("fail 429");
    assertInstanceOf(limited, ApiError);
    assertEquals(limited.status, 429);
    const { error } = JSON.parse(limited.message); // the whole body
    assertEquals([error.code, error.reason], [429, "rate_limit_exceeded"]);
    assert(await failure("fail midway") instanceof Error);
  }));
