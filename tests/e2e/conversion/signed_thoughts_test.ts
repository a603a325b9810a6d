import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { objectOf, objectsOf } from "../../../lib/formats/wire_value.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway, testKey } from "../gateway.ts";
import { answered, ask, plainRequest, readStream, readWhole } from "./format_pair.ts";

/**
 * A signed thought belongs to its vendor. Replayed to another one, which cannot verify it, it made
 * every further call of a conversation fail at another gateway
 * (https://github.com/BerriAI/litellm/issues/25322, and again in #50399).
 */

const proof = "EuYBCkQYAiJAc2lnbmVkLWJ5LXRoZS1maXJzdC12ZW5kb3I=";
const thought = "They ask for the weather, so a look is needed.";
const usage = { input_tokens: 5, output_tokens: 9, total_tokens: 14 };

/** An answer in each format: a signed thought and a call. */
const answers: Readonly<Record<FormatName, JsonObject>> = {
  "chat-completions": {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: null,
        reasoning: thought,
        reasoning_details: [{ type: "reasoning.text", index: 0, text: thought, signature: proof }],
        tool_calls: [{
          id: "call_chat",
          type: "function",
          function: { name: "look", arguments: "{}" },
        }],
      },
    }],
    usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
  },
  responses: {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: thought }],
        encrypted_content: proof,
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_responses",
        name: "look",
        arguments: "{}",
        status: "completed",
      },
    ],
    usage,
  },
  messages: messagesAnswer({
    stop_reason: "tool_use",
    content: [
      { type: "thinking", thinking: thought, signature: proof },
      { type: "tool_use", id: "toolu_messages", name: "look", input: {} },
    ],
  }),
  "generate-content": {
    candidates: [{
      index: 0,
      finishReason: "STOP",
      content: {
        role: "model",
        parts: [
          { text: thought, thought: true },
          { functionCall: { name: "look", args: {} }, thoughtSignature: proof },
        ],
      },
    }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 9, totalTokenCount: 14 },
    modelVersion: "m",
    responseId: "r1",
  },
};

const question = "How do cats sleep?";
const parameters: JsonObject = { type: "object", properties: {} };

/** Bodies that continue a whole answer with the result of its call, as clients of each format do. */
const replays: Readonly<
  Record<FormatName, (answer: JsonObject, model: string) => { path: string; body: JsonObject }>
> = {
  "chat-completions": (answer, model) => {
    const message = objectOf(objectsOf(answer.choices)[0].message);
    const [{ id }] = objectsOf(message.tool_calls);
    return {
      path: "/v1/chat/completions",
      body: {
        model,
        messages: [
          { role: "user", content: question },
          message,
          { role: "tool", tool_call_id: id, content: "Rain" },
        ],
        tools: [{ type: "function", function: { name: "look", parameters } }],
      },
    };
  },
  responses: ({ output }, model) => {
    const call = objectsOf(output).find(({ type }) => type === "function_call");
    return {
      path: "/v1/responses",
      body: {
        model,
        store: false,
        input: [
          { role: "user", content: question },
          ...objectsOf(output),
          { type: "function_call_output", call_id: objectOf(call).call_id, output: "Rain" },
        ],
        tools: [{ type: "function", name: "look", parameters }],
      },
    };
  },
  messages: ({ content }, model) => {
    const call = objectsOf(content).find(({ type }) => type === "tool_use");
    return {
      path: "/v1/messages",
      body: {
        model,
        max_tokens: 2_000,
        messages: [
          { role: "user", content: question },
          { role: "assistant", content },
          {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: objectOf(call).id, content: "Rain" }],
          },
        ],
        tools: [{ name: "look", input_schema: parameters }],
      },
    };
  },
  "generate-content": ({ candidates }, model) => {
    const content = objectOf(objectsOf(candidates)[0].content);
    const called = objectsOf(content.parts).find(({ functionCall }) => functionCall !== undefined);
    const { id } = objectOf(objectOf(called).functionCall);
    const functionResponse = { ...(id && { id }), name: "look", response: { output: "Rain" } };
    return {
      path: `/v1beta/models/${model}:generateContent`,
      body: {
        contents: [
          { role: "user", parts: [{ text: question }] },
          content,
          { role: "user", parts: [{ functionResponse }] },
        ],
        tools: [{ functionDeclarations: [{ name: "look", parametersJsonSchema: parameters }] }],
      },
    };
  },
};

/** The whole answer that a client of the format holds. */
async function held(format: FormatName, answer: Response, stream: boolean): Promise<JsonObject> {
  if (!stream) return JSON.parse((await readWhole(format, answer)).text);
  const { response } = await readStream(format, answer);
  const context = { requestId: "r", model: "m", createdAtMs: 0, request: plainRequest };
  return JSON.parse(JSON.stringify(codecs[format].encodeResponse(response, context)));
}

for (const issuer of formatNames) {
  for (const caller of formatNames) {
    for (const stream of [true, false]) {
      Deno.test(`a thought signed by an upstream of ${issuer}, given to a caller of ${caller}, ${stream ? "streamed" : "whole"}: goes back to its vendor alone`, async () => {
        await using first = startUpstream((seen) => answered(issuer, answers[issuer], seen));
        const others = formatNames.filter((format) => format !== issuer).map((format) => ({
          format,
          upstream: startUpstream((seen) => answered(format, answers[format], seen)),
        }));
        await using gateway = await startGateway({
          upstreams: [
            { id: "first", endpoints: { [issuer]: first.base }, apiKeys: ["x"], models: ["m"] },
            ...others.map(({ format, upstream }) => ({
              id: format,
              endpoints: { [format]: upstream.base },
              apiKeys: ["x"],
              models: [format],
            })),
          ],
        });
        const asked = { ...plainRequest, stream, reasoning: { effort: "low" as const } };
        const answer = await held(caller, await ask(gateway, caller, asked), stream);
        const replay = async (model: string) => {
          const { path, body } = replays[caller](answer, model);
          const response = await fetch(gateway.base + path, {
            method: "POST",
            headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
            body: JSON.stringify(body),
          });
          assertEquals(response.status, 200, await response.text());
        };

        for (const { format, upstream } of others) {
          await replay(format);
          const { body } = upstream.seen[0];
          assert(!body.includes(proof), `${format} got the proof: ${body}`);
          await upstream[Symbol.asyncDispose]();
        }
        await replay("m");
        const { body } = first.seen[1];
        assertEquals(body.split(proof).length - 1, 1, `its vendor did not get it once: ${body}`);
      });
    }
  }
}
