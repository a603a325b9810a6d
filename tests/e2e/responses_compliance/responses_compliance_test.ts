import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { errorSchema, type OutputItem, type ResponseObject, responseSchema } from "./schema.ts";
import { type Judged, startJudged } from "./server.ts";

/**
 * The cases of the public acceptance tests of the responses format, and more where they are silent,
 * over an upstream of each format. The small model behind them echoes, and calls the tools that its
 * user names.
 */

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const user = (content: JsonObject[string]): JsonObject => ({
  type: "message",
  role: "user",
  content,
});
const tools = [{
  type: "function",
  name: "get_weather",
  description: "Get the current weather for a location",
  parameters: {
    type: "object",
    properties: { location: { type: "string" } },
    required: ["location"],
  },
  strict: false,
}];
const oslo = 'call get_weather {"location":"Oslo"}';
const both = `${oslo}\ncall get_weather {"location":"Rome"}`;

interface Case {
  readonly name: string;
  readonly run: (judged: Judged) => Promise<void>;
}

const cases: readonly Case[] = [
  {
    name: "basic text",
    run: async ({ create }) => {
      const response = await create({ input: [user("Say hello.")] });
      const types = response.output.map(({ type }) => type).filter((type) => type !== "reasoning");
      assertEquals([response.status, types], ["completed", ["message"]]);
      assertStringIncludes(textOf(response), "Say hello.");
    },
  },
  {
    name: "a text as input",
    run: async ({ create }) =>
      assertStringIncludes(textOf(await create({ input: "Say hello." })), "Say hello."),
  },
  {
    name: "streamed text, in the order of the specification",
    run: async ({ stream }) => {
      const { events, response } = await stream({ input: [user("Count from 1 to 5.")] });
      const message = response.output.findIndex(({ type }) => type === "message");
      const types = events.filter((event) => (event.output_index ?? message) === message)
        .map(({ type }) => type);
      assertEquals([...new Set(types)], [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
      ]);
      const said = events.filter(({ type }) => type === "response.output_text.delta")
        .map(({ delta }) => delta).join("");
      assertEquals(said, textOf(response));
    },
  },
  ...(["system", "developer"] as const).map((role): Case => ({
    name: `a message of the ${role}`,
    run: async ({ create, upstream }) => {
      const response = await create({
        input: [{ type: "message", role, content: "Talk like a pirate." }, user("Say hello.")],
      });
      assertEquals(response.status, "completed");
      assertStringIncludes(JSON.stringify(upstream.seen[0].body), "Talk like a pirate.");
    },
  })),
  {
    name: "instructions are repeated",
    run: async ({ create }) => {
      const { instructions } = await create({ input: "hi", instructions: "Be brief." });
      assertEquals(instructions, "Be brief.");
    },
  },
  {
    name: "a tool call and its result",
    run: async ({ create }) => {
      const input: JsonObject[] = [user(oslo)];
      const first = await create({ input, tools });
      const [call] = callsOf(first);
      assertEquals(JSON.parse(call.arguments), { location: "Oslo" });
      const output = { type: "function_call_output", call_id: call.call_id, output: "cold" };
      const second = await create({
        input: [...input, ...first.output as JsonObject[], output],
        tools,
      });
      assertStringIncludes(textOf(second), 'get_weather told "cold"');
    },
  },
  {
    name: "a streamed tool call",
    run: async ({ stream }) => {
      const { events, response } = await stream({ input: [user(oslo)], tools });
      const types = events.map(({ type }) => type);
      for (const type of ["delta", "done"]) {
        assert(types.includes(`response.function_call_arguments.${type}`), type);
      }
      const [call] = callsOf(response);
      const told = events.filter(({ type }) => type === "response.function_call_arguments.delta");
      assertEquals(told.map(({ delta }) => delta).join(""), call.arguments);
    },
  },
  {
    name: "parallel tool calls",
    run: async ({ create, stream }) => {
      const asked = { input: [user(both)], tools };
      for (const response of [await create(asked), (await stream(asked)).response]) {
        const calls = callsOf(response);
        assertEquals(calls.map((call) => JSON.parse(call.arguments).location), ["Oslo", "Rome"]);
        assertEquals(new Set(calls.map((call) => call.call_id)).size, 2);
      }
    },
  },
  {
    name: "a picture",
    run: async ({ create }) => {
      const response = await create({
        input: [user([
          { type: "input_text", text: "What is it?" },
          { type: "input_image", image_url: `data:image/png;base64,${png}` },
        ])],
      });
      assertStringIncludes(textOf(response), "[saw image/png]");
    },
  },
  {
    name: "a conversation of several turns in the input",
    run: async ({ create, upstream }) => {
      const response = await create({
        input: [
          user("My name is Alice."),
          { type: "message", role: "assistant", content: "Hello Alice!" },
          user("What is my name?"),
        ],
      });
      assertEquals(response.status, "completed");
      assertStringIncludes(JSON.stringify(upstream.seen[0].body), "Hello Alice!");
    },
  },
  {
    name: "several turns by previous_response_id",
    run: async ({ create, stream, upstream }) => {
      const first = await create({ input: "My name is Alice.", instructions: "Be brief." });
      const second = await stream({ input: "And Bob's.", previous_response_id: first.id });
      const third = await create({
        input: "What is my name?",
        previous_response_id: second.response.id,
      });
      const sent = JSON.stringify(upstream.seen[2].body);
      const places = ["My name is Alice.", "And Bob", "What is my name?"].map((words) =>
        sent.indexOf(words)
      );
      assert(places.every((place, at) => place > (places[at - 1] ?? 0)), "in order");
      assert(!sent.includes("Be brief."), "instructions are not carried over");
      assertEquals(third.previous_response_id, second.response.id);
    },
  },
  {
    name: "a tool loop by previous_response_id",
    run: async ({ create }) => {
      const first = await create({ input: both, tools });
      const input = callsOf(first).map(({ call_id }, at) => ({
        type: "function_call_output",
        call_id,
        output: `told ${at}`,
      }));
      const second = await create({ input, tools, previous_response_id: first.id });
      for (const at of [0, 1]) assertStringIncludes(textOf(second), `told ${at}`);
    },
  },
  {
    name: "reasoning, and its proof in the next turn",
    run: async ({ create, stream, upstream }) => {
      const asked = { input: oslo, tools, reasoning: { effort: "medium", summary: "auto" } };
      for (const first of [await create(asked), (await stream(asked)).response]) {
        const thought = first.output.find(({ type }) => type === "reasoning");
        assert(thought?.type === "reasoning");
        const said = [...thought.summary, ...thought.content ?? []].map(({ text }) => text).join(
          "",
        );
        assertStringIncludes(said, "thinks about");
        const [{ call_id }] = callsOf(first);
        await create({
          ...asked,
          input: [{ type: "function_call_output", call_id, output: "cold" }],
          previous_response_id: first.id,
        });
        assertEquals(upstream.seen.at(-1)?.proofs.length, 1);
      }
    },
  },
  {
    name: "structured output",
    run: async ({ create, stream }) => {
      const schema = {
        type: "object",
        properties: { city: { type: "string" }, warm: { type: "boolean" } },
        required: ["city", "warm"],
        additionalProperties: false,
      };
      const asked = {
        input: "Oslo",
        text: { format: { type: "json_schema", name: "place", schema, strict: true } },
      };
      for (const response of [await create(asked), (await stream(asked)).response]) {
        assertEquals(JSON.parse(textOf(response)), { city: "sample", warm: true });
      }
    },
  },
  {
    name: "a stored response is retrieved, and one that is not is not",
    run: async ({ create, call }) => {
      const response = await create({ input: "hi" });
      const { body } = await call("GET", `/v1/responses/${response.id}`);
      assertEquals(body, response as JsonObject);
      const unstored = await create({ input: "hi", store: false });
      const missing = await call("GET", `/v1/responses/${unstored.id}`);
      const stored = unstored.id === response.id; // a vendor's own id may come twice
      assertEquals(missing.status, stored ? 200 : 404);
    },
  },
  {
    name: "background, polled and cancelled",
    run: async ({ create, call }) => {
      const queued = await create({ input: "hello", background: true });
      assertEquals(queued.status, "queued");
      let response = queued;
      while (response.status === "queued" || response.status === "in_progress") {
        const { body } = await call("GET", `/v1/responses/${queued.id}`);
        response = responseSchema.parse(body);
      }
      assertEquals([response.id, response.status], [queued.id, "completed"]);
      const hanging = await create({ input: "hang", background: true });
      const { body } = await call("POST", `/v1/responses/${hanging.id}/cancel`);
      assertEquals(responseSchema.parse(body).status, "cancelled");
    },
  },
  {
    name: "a background stream, resumed from every place",
    run: async ({ stream, call }) => {
      const { events, response } = await stream({ input: "hello", background: true });
      const path = `/v1/responses/${response.id}`;
      assertEquals((await call("GET", path)).body, response as JsonObject);
      const counted = await call("GET", `${path}/input_items?order=asc`);
      assertEquals((counted.body.data as JsonObject[]).length, 1);
      assertEquals(events.at(-1)?.type, "response.completed");
    },
  },
  {
    name: "counting includes the previous response",
    run: async ({ create, call }) => {
      const { id } = await create({ input: "a long way to go ".repeat(100) });
      const count = async (body: JsonObject) => {
        const told = await call("POST", "/v1/responses/input_tokens", { model: "judged", ...body });
        return Number(told.body.input_tokens);
      };
      const alone = await count({ input: "hi" });
      assert(await count({ input: "hi", previous_response_id: id }) > alone + 100);
    },
  },
  {
    name: "errors in the shape of the specification",
    run: async ({ call }) => {
      const model = "judged";
      const errors: readonly (readonly [number, string, JsonObject])[] = [
        [400, "invalid_request", { input: [user("hi")] }],
        [400, "invalid_request", { model }],
        [404, "model_not_found", { model: "unknown", input: "hi" }],
        [400, "previous_response_not_found", {
          model,
          input: "hi",
          previous_response_id: "resp_x",
        }],
        [404, "conversation_not_found", { model, input: "hi", conversation: "conv_x" }],
        [400, "invalid_request", { model, input: "hi", background: true, store: false }],
        [400, "invalid_request", { model, input: "hi", store: "yes" }],
      ];
      for (const [status, code, asked] of errors) {
        const told = await call("POST", "/v1/responses", asked);
        assertEquals([told.status, errorSchema.parse(told.body).error.code], [status, code]);
      }
      for (const [method, path] of [["GET", ""], ["DELETE", ""], ["POST", "/cancel"]]) {
        const told = await call(method, `/v1/responses/resp_x${path}`);
        assertEquals([told.status, errorSchema.parse(told.body).error.code], [
          404,
          "response_not_found",
        ]);
      }
    },
  },
];

const passed = new Map<string, number>();

for (const format of formatNames) {
  for (const { name, run } of cases) {
    Deno.test(`responses compliance, ${format}: ${name}`, async () => {
      await using judged = await startJudged(format);
      await run(judged);
      assertEquals(judged.upstream.seen.flatMap(({ refusals }) => refusals), []);
      passed.set(format, (passed.get(format) ?? 0) + 1);
    });
  }
}

Deno.test("responses compliance: every case passes over every upstream format", () => {
  for (const format of formatNames) {
    console.log(`${format.padEnd(18)} ${passed.get(format) ?? 0}/${cases.length}`);
  }
  assertEquals(
    formatNames.map((format) => passed.get(format)),
    formatNames.map(() => cases.length),
  );
});

function textOf({ output }: ResponseObject): string {
  return output.flatMap((item) => item.type === "message" ? item.content : [])
    .map((part) => part.type === "output_text" ? part.text : "").join("");
}

function callsOf({ output }: ResponseObject): Extract<OutputItem, { type: "function_call" }>[] {
  return output.filter((item) => item.type === "function_call");
}
