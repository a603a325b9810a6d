import { assert, assertEquals } from "@std/assert";
import { type FormatName, formatNames, type JsonObject } from "../../../lib/canonical/mod.ts";
import { codecs } from "../../../lib/formats/mod.ts";
import { startStrict, strictCredential } from "../../strict/mod.ts";
import { startGateway, testKey } from "../gateway.ts";

/** A request as Codex 0.171.0 sends it, without `instructions`, to upstreams of every format and vendor. */

const metadata = {
  internal_chat_message_metadata_passthrough: {
    turn_id: "t-1",
    create_time: 1_796_026_789.45,
    content_item_kinds: ["user.text"],
  },
};
const message = (role: string, text: string, id: string): JsonObject => ({
  type: "message",
  id: `msg_${id}`,
  role,
  content: [{ type: "input_text", text }],
  ...metadata,
});
const body = {
  model: "m",
  stream: true,
  store: false,
  input: [
    message("developer", "You are a coding agent.", "1"),
    message("developer", "Skills: none.", "2"),
    message("user", "Read the file.", "3"),
    {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "read",
      arguments: '{"path":"a"}',
      ...metadata,
    },
    { type: "function_call_output", call_id: "call_1", output: "1.50", ...metadata },
    message("user", "And now?", "4"),
  ],
  tools: [{
    type: "function",
    name: "read",
    strict: false,
    parameters: { type: "object", properties: { path: { type: "string" } } },
  }],
  prompt_cache_key: "session-1",
  client_metadata: { session_id: "session-1", thread_id: "thread-1" },
} as const;
const headers = {
  authorization: `Bearer ${testKey}`,
  "content-type": "application/json",
  "session-id": "session-1",
  "thread-id": "thread-1",
  "x-codex-turn-metadata": '{"installation_id":"i-1"}',
  "x-codex-window-id": "thread-1:0",
  "x-client-request-id": "thread-1",
  originator: "codex_exec",
  "tessera-strict": "true",
};

async function sentTo(format: FormatName, preset?: string) {
  await using upstream = startStrict(format, {});
  const models = [{
    id: "m",
    upstreamModel: format === "messages" ? "claude-opus-5" : "gpt-5.1",
  }];
  const address = preset ? { preset, baseUrl: upstream.base.replace(/\/v1$/, "") } : {
    endpoints: { [format]: upstream.base },
  };
  await using gateway = await startGateway({
    upstreams: [{ id: "up", apiKeys: [strictCredential], models, ...address }],
  });
  const response = await fetch(`${gateway.base}/v1/responses`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  assertEquals(response.status, 200, await response.text());
  const [seen] = upstream.seen;
  assertEquals(seen.refusals, []);
  return seen;
}

const marks = /internal_chat|session-1|thread-1|i-1|session-id|x-codex|originator|client_metadata/i;

for (const format of formatNames) {
  Deno.test(`codex members: nothing of the session goes to a foreign ${format} upstream`, async () => {
    const seen = await sentTo(format);
    const { prompt_cache_key: _, ...rest } = seen.body;
    const { user, ...said } = rest as JsonObject;
    assert(!marks.test(JSON.stringify(said)), JSON.stringify(said));
    assert(!marks.test(JSON.stringify([...seen.headers])), JSON.stringify([...seen.headers]));
    assert(user === undefined || typeof user === "string");
    const text = JSON.stringify(seen.body);
    for (const one of ["You are a coding agent.", "Skills: none.", "And now?", "1.50"]) {
      assert(text.includes(one), `${one}: ${text}`);
    }
  });
}

Deno.test("codex members: OpenAI gets what its agent adds", async () => {
  const { body: sent } = await sentTo("responses", "openai");
  assertEquals(sent.client_metadata, body.client_metadata);
  assertEquals(sent.input, body.input as unknown as JsonObject[]);
});

Deno.test("codex members: sub-agents of a session are conversations of their own", () => {
  const conversationOf = (more: JsonObject) =>
    codecs.responses.envelope({ path: "/responses", search: {}, headers: {}, body: more })
      .conversation?.();
  const main = { ...body, client_metadata: { session_id: "s", thread_id: "s" } };
  const sub = { ...body, client_metadata: { session_id: "s", thread_id: "t" } };
  assertEquals(conversationOf(main), "s");
  assertEquals(conversationOf(sub), "t");
  assertEquals(conversationOf({ ...body, client_metadata: { thread_id: 7 } }), "session-1");
  const { client_metadata: _, ...plain } = body;
  assertEquals(conversationOf(plain), "session-1");
});
