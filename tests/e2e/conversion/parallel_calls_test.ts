import { assert, assertEquals } from "@std/assert";
import {
  type CanonicalRequest,
  type FormatName,
  formatNames,
  type JsonObject,
} from "../../../lib/canonical/mod.ts";
import { listOf, objectOf, objectsOf } from "../../../lib/formats/wire_value.ts";
import { chatAnswer, messagesAnswer } from "../../formats/whole_answer.ts";
import { pieces, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway } from "../gateway.ts";
import {
  answered,
  ask,
  eventsIn,
  plainRequest,
  type Read,
  readStream,
  readWhole,
} from "./format_pair.ts";

/** Parallel calls, and tools whose names no other vendor accepts. */

const tool = (
  name: string,
) => ({ type: "function", name, parameters: { type: "object" } } as const);

interface Made {
  readonly name: string;
  readonly args: JsonObject;
}

const cities: readonly Made[] = ["Rome", "Oslo", "Lima"].map((city) => ({
  name: "get_weather",
  args: { city },
}));

/** A whole answer with these calls in each format. */
const answers: Readonly<Record<FormatName, (calls: readonly Made[]) => JsonObject>> = {
  "chat-completions": (calls) => {
    const { id, object, created, model, usage } = chatAnswer();
    const tool_calls = calls.map(({ name, args }, at) => ({
      id: `call_${at}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = { role: "assistant", content: null, tool_calls };
    const choices = [{ index: 0, message, finish_reason: "tool_calls" }];
    return { id, object, created, model, usage, choices };
  },
  responses: (calls) => ({
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: calls.map(({ name, args }, at) => ({
      type: "function_call",
      id: `fc_${at}`,
      call_id: `call_${at}`,
      name,
      arguments: JSON.stringify(args),
      status: "completed",
    })),
    usage: { input_tokens: 5, output_tokens: 9, total_tokens: 14 },
  }),
  messages: (calls) =>
    messagesAnswer({
      stop_reason: "tool_use",
      content: calls.map(({ name, args }, at) => ({
        type: "tool_use",
        id: `toolu_${at}`,
        name,
        input: args,
      })),
    }),
  "generate-content": (calls) => ({
    candidates: [{
      index: 0,
      finishReason: "STOP",
      content: {
        role: "model",
        parts: calls.map(({ name, args }) => ({ functionCall: { name, args } })),
      },
    }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 9, totalTokenCount: 14 },
    modelVersion: "m",
    responseId: "r1",
  }),
};

function callsOf({ response }: Read): readonly Made[] {
  return response.alternatives[0].parts.flatMap((part) =>
    part.type === "tool-call" ? [{ name: part.name, args: JSON.parse(part.arguments || "{}") }] : []
  );
}

/** The indices under which a chat stream opens its calls, and those of its fragments of arguments. */
function chatIndices(text: string): { readonly opened: unknown[]; readonly all: Set<unknown> } {
  const fragments = eventsIn(text).filter(({ data }) => data !== "[DONE]").flatMap(({ data }) =>
    objectsOf(JSON.parse(data).choices).flatMap(({ delta }) =>
      objectsOf(objectOf(delta).tool_calls)
    )
  );
  return {
    opened: fragments.filter(({ id }) => id !== undefined).map(({ index }) => index),
    all: new Set(fragments.map(({ index }) => index)),
  };
}

function read(to: FormatName, stream: boolean, response: Response): Promise<Read> {
  return stream ? readStream(to, response) : readWhole(to, response);
}

// Of another gateway, every call of a converted stream had the index 0, so that clients glued their
// arguments together (https://github.com/BerriAI/litellm/issues/21331, and again in #50718).
for (const from of formatNames) {
  for (const to of formatNames) {
    for (const stream of [true, false]) {
      Deno.test(`three parallel calls of ${from} stay three for a caller of ${to}, ${stream ? "streamed" : "whole"}`, async () => {
        const answer = answers[from](cities);
        await using upstream = startUpstream((seen) => answered(from, answer, seen));
        await using gateway = await startGateway(oneUpstream({ [from]: upstream.base }));
        const request = { ...plainRequest, stream, tools: [tool("get_weather")] };
        const got = await read(to, stream, await ask(gateway, to, request));
        assertEquals(callsOf(got), cities);
        if (stream && to === "chat-completions") {
          const { opened, all } = chatIndices(got.text);
          assertEquals([opened, [...all]], [[0, 1, 2], [0, 1, 2]]);
        }
      });
    }
  }
}

const chunk = (delta: unknown, finish_reason: string | null = null) =>
  `data: ${
    JSON.stringify({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    })
  }\n\n`;

/** Every call at index 0: whole, as the compatibility endpoint of Gemini sends them, or in fragments. */
const atZero: Readonly<Record<string, readonly string[]>> = {
  "each in one piece": cities.map(({ name, args }, at) =>
    chunk({
      tool_calls: [{
        index: 0,
        id: `call_${at}`,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      }],
    })
  ),
  "in fragments": cities.flatMap(({ name, args }, at) => [
    chunk({
      tool_calls: [{
        index: 0,
        id: `call_${at}`,
        type: "function",
        function: { name, arguments: "" },
      }],
    }),
    ...[JSON.stringify(args).slice(0, 4), JSON.stringify(args).slice(4)].map((text) =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    ),
  ]),
  "all in one chunk": [chunk({
    tool_calls: cities.map(({ name, args }, at) => ({
      index: 0,
      id: `call_${at}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  })],
};

for (const [how, fragments] of Object.entries(atZero)) {
  for (const to of formatNames.filter((format) => format !== "chat-completions")) {
    for (const stream of [true, false]) {
      Deno.test(`parallel calls that an upstream sends at index 0, ${how}, stay three for a caller of ${to}, ${stream ? "streamed" : "collected into one"}`, async () => {
        const texts = [
          chunk({ role: "assistant", content: null }),
          ...fragments,
          chunk({}, "tool_calls"),
          "data: [DONE]\n\n",
        ];
        await using upstream = startUpstream(() =>
          new Response(pieces(texts), { headers: { "content-type": "text/event-stream" } })
        );
        await using gateway = await startGateway(
          oneUpstream({ "chat-completions": upstream.base }),
        );
        const request = { ...plainRequest, stream, tools: [tool("get_weather")] };
        assertEquals(callsOf(await read(to, stream, await ask(gateway, to, request))), cities);
      });
    }
  }
}

const shared = `mcp__company_internal_knowledge_base__${"search_documents_".repeat(3)}`;
/** Two names that differ only behind their 64th character, one of 64 and one of 65. */
const longNames = [`${shared}in_archive`, `${shared}in_drafts`, "n".repeat(64), "n".repeat(65)];

/** The names that vendors accept, as their references state them (2026-11). */
const accepted: Readonly<Record<FormatName, RegExp>> = {
  "chat-completions": /^[A-Za-z0-9_-]{1,64}$/,
  responses: /^[A-Za-z0-9_-]{1,64}$/,
  messages: /^[A-Za-z0-9_-]{1,128}$/,
  "generate-content": /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
};

/** The names in a body by their places: declared, chosen, in calls of the history. */
function namesIn(format: FormatName, body: JsonObject) {
  switch (format) {
    case "chat-completions":
      return {
        declared: objectsOf(body.tools).map((one) => objectOf(one.function).name),
        chosen: objectOf(objectOf(body.tool_choice).function).name,
        called: objectsOf(body.messages).flatMap((one) =>
          objectsOf(one.tool_calls).map((call) => objectOf(call.function).name)
        ),
      };
    case "responses":
      return {
        declared: objectsOf(body.tools).map(({ name }) => name),
        chosen: objectOf(body.tool_choice).name,
        called: objectsOf(body.input).filter(({ type }) => type === "function_call").map((
          { name },
        ) => name),
      };
    case "messages":
      return {
        declared: objectsOf(body.tools).map(({ name }) => name),
        chosen: objectOf(body.tool_choice).name,
        called: objectsOf(body.messages).flatMap(({ content }) =>
          objectsOf(content).filter(({ type }) => type === "tool_use").map(({ name }) => name)
        ),
      };
    case "generate-content":
      return {
        declared: objectsOf(body.tools).flatMap((one) =>
          objectsOf(one.functionDeclarations).map(({ name }) => name)
        ),
        chosen: listOf(
          objectOf(objectOf(body.toolConfig).functionCallingConfig).allowedFunctionNames,
        )[0],
        called: objectsOf(body.contents).flatMap(({ parts }) =>
          objectsOf(parts).flatMap(({ functionCall }) =>
            functionCall ? [objectOf(functionCall).name] : []
          )
        ),
      };
  }
}

const longRequest: CanonicalRequest = {
  ...plainRequest,
  tools: longNames.map(tool),
  toolChoice: { type: "tool", name: longNames[1], kind: "function" },
  turns: [
    ...plainRequest.turns,
    {
      role: "assistant",
      parts: longNames.map((name, at) => ({
        type: "tool-call",
        kind: "function",
        id: `call_${at}`,
        name,
        arguments: "{}",
      })),
    },
    {
      role: "user",
      parts: longNames.map((_, at) => ({
        type: "tool-result",
        kind: "function",
        isError: false,
        callId: `call_${at}`,
        parts: [{ type: "text", text: "done" }],
      })),
    },
  ],
};

// Of another gateway, such a name reached a vendor that refuses it, or came back shortened
// (https://github.com/BerriAI/litellm/issues/17904, and again in #47434).
for (const from of formatNames) {
  for (const to of formatNames.filter((format) => format !== from)) {
    for (const stream of [true, false]) {
      Deno.test(`tool names of 64 characters and more: ${to} for an upstream of ${from}, ${stream ? "streamed" : "whole"}: sent as it takes them, and back as they were`, async () => {
        await using upstream = startUpstream((seen) => {
          const { declared } = namesIn(from, JSON.parse(seen.body));
          const calls = declared.map((name) => ({ name: String(name), args: { a: 1 } }));
          return answered(from, answers[from](calls), seen);
        });
        await using gateway = await startGateway(oneUpstream({ [from]: upstream.base }));
        const got = await read(
          to,
          stream,
          await ask(gateway, to, { ...longRequest, stream, native: writtenIn(to) }),
        );
        assertEquals(callsOf(got).map(({ name }) => name), longNames);
        const { declared, chosen, called } = namesIn(from, JSON.parse(upstream.seen[0].body));
        for (const name of declared) assert(accepted[from].test(String(name)), String(name));
        assertEquals(new Set(declared).size, longNames.length);
        assertEquals([called, chosen], [declared, declared[1]]);
      });
    }
  }
}

/** Makes the request one of the format's own, whose names stay as they are. */
function writtenIn(format: FormatName) {
  return { format, fields: {} };
}
