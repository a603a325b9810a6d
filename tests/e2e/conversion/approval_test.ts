import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type CanonicalRequest,
  type FormatName,
  formatNames,
  isJsonObject,
  type JsonObject,
  type Part,
  type ToolCallPart,
} from "../../../lib/canonical/mod.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";
import { answered, ask, plainRequest, type Read, readStream, readWhole } from "./format_pair.ts";
import { hostedAnswers } from "./hosted_answers.ts";

/** An upstream's wish to call a tool of an MCP server, which its caller must approve. */
const request: JsonObject = {
  id: "mcpr_682d498e3bd4819196a0ce1664f8e77b04ad1e533afccbfa",
  type: "mcp_approval_request",
  server_label: "deepwiki",
  name: "ask_question",
  arguments: '{"repoName":"modelcontextprotocol/modelcontextprotocol",  "question":"Which?"}',
};
const { output, ...head } = hostedAnswers.responses;
const [listed] = Array.isArray(output) ? output : [];
const asking: JsonObject = { ...head, output: [listed, request] };
const goingOn: JsonObject = {
  ...head,
  output: [{
    id: "msg_2",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Done.", annotations: [], logprobs: [] }],
  }],
};

async function withAsking(
  run: (gateway: TestGateway, upstream: FakeUpstream) => Promise<void>,
): Promise<void> {
  await using upstream = startUpstream((seen) =>
    answered("responses", seen.body.includes("mcp_approval_re") ? goingOn : asking, seen)
  );
  await using gateway = await startGateway(oneUpstream({ responses: upstream.base }));
  await run(gateway, upstream);
}

/** The caller's result for the call that asked. */
function replied(parts: readonly Part[], { id, name }: ToolCallPart, said: string) {
  const result: Part = {
    type: "tool-result",
    callId: id,
    name,
    kind: "function",
    parts: [{ type: "text", text: said }],
    isError: false,
  };
  return {
    ...plainRequest,
    turns: [...plainRequest.turns, { role: "assistant", parts }, { role: "user", parts: [result] }],
  } satisfies CanonicalRequest;
}

function callIn({ response }: Read): ToolCallPart {
  const [alternative] = response.alternatives;
  assertEquals(alternative.finishReason, "tool-calls");
  const call = alternative.parts.find((part) => part.type === "tool-call");
  assert(call, "no call");
  return call;
}

function itemsIn({ seen }: FakeUpstream): JsonObject[] {
  const { input } = JSON.parse(seen[seen.length - 1].body);
  return input.filter((item: unknown) => isJsonObject(item) && item.type !== "message");
}

const { id, server_label, name, arguments: input } = request;
const yes = { type: "mcp_approval_response", approval_request_id: id, approve: true };
const no = { ...yes, approve: false };
const answers: readonly (readonly [string, JsonObject])[] = [
  ["yes", yes],
  ["Approve", yes],
  ["true", yes],
  ['{"approve": true}', yes],
  ['{"approve": false}', { ...no, reason: '{"approve": false}' }],
  ["Never. It is the production server", { ...no, reason: "Never. It is the production server" }],
  ["", no],
];

const foreign = formatNames.filter((format) => format !== "responses");
for (const format of foreign) {
  for (const stream of [false, true]) {
    const how = stream ? "streaming" : "waiting";
    Deno.test(`a ${how} ${format} caller is asked to approve an MCP call, and its word goes back`, () =>
      withAsking(async (gateway, upstream) => {
        const answer = await ask(gateway, format, { ...plainRequest, stream });
        const read = await (stream ? readStream : readWhole)(format, answer);
        const call = callIn(read);
        assertEquals(call.name, "mcp_approval_request");
        assertEquals(JSON.parse(call.arguments), { id, server_label, name, arguments: input });
        if (format === "messages") assertEquals(call.id, id); // others have shorter ids, or none
        for (const [said, expected] of answers) {
          const again = replied(read.response.alternatives[0].parts, call, said);
          const { said: end } = await readWhole(format, await ask(gateway, format, again));
          assertEquals(end, "Done.");
          assertEquals(itemsIn(upstream), [request, expected]);
        }
      }));
  }

  Deno.test(`a ${format} caller's own tool of that name stays a tool`, () =>
    withAsking(async (gateway, upstream) => {
      const call: ToolCallPart = {
        type: "tool-call",
        id: "call_1",
        name: "mcp_approval_request",
        arguments: '{"id":"order_1"}',
        kind: "function",
      };
      const tools = [{
        type: "function",
        name: call.name,
        parameters: { type: "object" },
      }] as const;
      await (await ask(gateway, format, { ...replied([call], call, "yes"), tools })).text();
      assertEquals(itemsIn(upstream).map(({ type }) => type), [
        "function_call",
        "function_call_output",
      ]);
    }));
}

Deno.test("a responses caller gets the request itself, and goes on from a stored answer with its own response", () =>
  withAsking(async ({ base }, upstream) => {
    const post = async (body: JsonObject) => {
      const response = await fetch(`${base}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "m", store: true, ...body }),
      });
      return { response, body: await response.json() };
    };
    const first = await post({ input: "Which transports?" });
    assertEquals(first.body.output, asking.output);
    assertEquals(first.response.headers.get("tessera-notes"), null);
    const second = await post({ previous_response_id: first.body.id, input: [yes] });
    assertEquals(second.response.status, 200, JSON.stringify(second.body));
    const sent = itemsIn(upstream).map((item) => item.type);
    assertEquals(sent, ["mcp_list_tools", "mcp_approval_request", "mcp_approval_response"]);
  }));

/** Text of an upstream's answer in each other format. */
const plainAnswers: Readonly<Partial<Record<FormatName, JsonObject>>> = {
  "chat-completions": hostedAnswers["chat-completions"],
  messages: hostedAnswers.messages,
  "generate-content": hostedAnswers["generate-content"],
};

for (const format of foreign) {
  for (const upstreamFormat of foreign.filter((other) => other !== format)) {
    Deno.test(`a ${format} caller's word on an MCP call is a call with its result for ${upstreamFormat}`, async () => {
      await using upstream = startUpstream((seen) =>
        answered(upstreamFormat, plainAnswers[upstreamFormat] ?? {}, seen)
      );
      await using gateway = await startGateway(oneUpstream({ [upstreamFormat]: upstream.base }));
      const call: ToolCallPart = {
        type: "tool-call",
        id: String(id),
        name: "mcp_approval_request",
        arguments: JSON.stringify({ id, server_label, name, arguments: input }),
        kind: "function",
      };
      const answer = await ask(gateway, format, replied([call], call, "yes"));
      assertEquals(answer.status, 200, await answer.text());
      const [{ body }] = upstream.seen;
      assertStringIncludes(body, '"mcp_approval_request"');
      assertStringIncludes(body, "deepwiki");
      assertStringIncludes(body, "yes");
      assert(!body.includes("mcp_approval_response"));
    });
  }
}
