import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import OpenAI from "openai";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { later } from "../../waiting.ts";
import { onEveryUpstream, startScene, type StatefulScene } from "./stateful.ts";

/** The vendor's client, openai 7.59.0, uses the format's state over every upstream. */

const tool = {
  type: "function" as const,
  name: "get_weather",
  description: "Tells the weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  strict: false,
};

onEveryUpstream(
  "a response is retrieved as it was, listed and deleted",
  async ({ client, model }) => {
    const created = await client.responses.create({ model, input: "hello" });
    assertEquals(plain(created).store ?? true, true);
    assertEquals(plain(await client.responses.retrieve(created.id)), plain(created));
    const items = await client.responses.inputItems.list(created.id);
    assertEquals(items.data.map((item) => item.type), ["message"]);
    await client.responses.delete(created.id);
    await assertRejects(() => client.responses.retrieve(created.id), OpenAI.NotFoundError);
    await assertRejects(() => client.responses.delete(created.id), OpenAI.NotFoundError);
  },
);

onEveryUpstream("a streamed response is stored as its end states it", async ({ client, model }) => {
  const events = await Array.fromAsync(
    await client.responses.create({ model, input: "hello", stream: true }),
  );
  const last = events.at(-1);
  assert(last?.type === "response.completed");
  const stored = await client.responses.retrieve(last.response.id);
  assertEquals(plain({ ...stored, output_text: undefined }), plain(last.response));
});

onEveryUpstream(
  "a chain of responses keeps its reasoning and its calls",
  async ({ client, model, upstream }) => {
    const first = await client.responses.create({
      model,
      input: 'call get_weather {"city":"Oslo"}',
      instructions: "Be brief.",
      tools: [tool],
      reasoning: { effort: "medium", summary: "auto" },
    });
    const call = first.output.find((item) => item.type === "function_call");
    assert(call?.type === "function_call");
    const second = await client.responses.create({
      model,
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "cold" }],
      tools: [tool],
      reasoning: { effort: "medium", summary: "auto" },
    });
    assertEquals(second.previous_response_id, first.id);
    assertEquals(second.instructions ?? null, null);
    assertStringIncludes(second.output_text, 'get_weather told "cold"');
    assertEquals(upstream.seen.at(-1)?.refusals, []);
    assertEquals(upstream.seen.at(-1)?.proofs.length, 1, "its proof came home");
    const third = await client.responses.create({
      model,
      previous_response_id: second.id,
      input: "thanks",
      tools: [tool],
      stream: true,
    });
    let text = "";
    for await (const event of third) {
      if (event.type === "response.output_text.delta") text += event.delta;
    }
    assertStringIncludes(text, "You said: thanks");
    const items = await Array.fromAsync(client.responses.inputItems.list(second.id, { limit: 2 }));
    assertEquals(
      items.map((item) => item.type).toReversed().filter((type) => type !== "reasoning"),
      ["message", "message", "function_call", "function_call_output"],
    );
  },
);

onEveryUpstream("items are referred to by their ids", async ({ client, model, upstream }) => {
  const first = await client.responses.create({ model, input: "hello" });
  const message = first.output.find((item) => item.type === "message");
  const answer = await client.responses.create({
    model,
    input: [
      { role: "user", content: "hello" },
      { type: "item_reference", id: message?.id ?? "" },
      { role: "user", content: "thanks" },
    ],
  });
  assertStringIncludes(answer.output_text, "You said: thanks");
  assertStringIncludes(JSON.stringify(upstream.seen.at(-1)?.body), "You said: hello");
  await assertRejects(
    () =>
      client.responses.create({ model, input: [{ type: "item_reference", id: "msg_unknown" }] }),
    OpenAI.NotFoundError,
    "msg_unknown",
  );
});

onEveryUpstream(
  "a conversation gathers what is said in it",
  async ({ client, model, upstream }) => {
    const begun = await client.conversations.create({
      items: [{ type: "message", role: "user", content: "My name is Alice." }],
      metadata: { topic: "names" },
    });
    assertEquals(plain(await client.conversations.retrieve(begun.id)), plain(begun));
    const updated = await client.conversations.update(begun.id, { metadata: { topic: "more" } });
    assertEquals(updated.metadata, { topic: "more" });
    const answer = await client.responses.create({ model, input: "hello", conversation: begun.id });
    assertEquals(answer.conversation, { id: begun.id });
    await client.responses.create({ model, input: "thanks", conversation: { id: begun.id } });
    const sent = JSON.stringify(upstream.seen.at(-1)?.body);
    for (const words of ["Alice", "hello", "You said: ", "thanks"]) {
      assertStringIncludes(sent, words);
    }
    const items = await Array.fromAsync(
      client.conversations.items.list(begun.id, { order: "asc", limit: 2 }),
    );
    assertEquals(
      items.filter(({ type }) => type === "message").map((item) => "role" in item && item.role),
      ["user", "user", "assistant", "user", "assistant"],
    );
    const id = idOf(items[0]);
    const one = await client.conversations.items.retrieve(id, { conversation_id: begun.id });
    assertEquals(plain(one), plain(items[0]));
    await client.conversations.items.delete(id, { conversation_id: begun.id });
    const added = await client.conversations.items.create(begun.id, {
      items: [{ role: "user", content: "one more" }],
    });
    assertEquals(added.data.length, 1);
    await client.responses.create({ model, input: "and?", conversation: begun.id });
    const body = JSON.stringify(upstream.seen.at(-1)?.body);
    assert(!body.includes('"My name is Alice'), "what was deleted is not sent");
    assertStringIncludes(body, "one more");
    assertEquals((await client.conversations.delete(begun.id)).deleted, true);
    await assertRejects(() => client.conversations.retrieve(begun.id), OpenAI.NotFoundError);
  },
);

onEveryUpstream("a background response is polled until it has ended", async (scene) => {
  const { client, model, gateway } = scene;
  const queued = await client.responses.create({ model, input: "hello", background: true });
  assertEquals([queued.status, queued.background, queued.output], ["queued", true, []]);
  const ended = await untilEnded(scene, queued.id);
  assertEquals([ended.id, ended.status, ended.background], [queued.id, "completed", true]);
  assertStringIncludes(ended.output_text, "You said: hello");
  const next = await client.responses.create({
    model,
    input: "thanks",
    previous_response_id: queued.id,
  });
  assertStringIncludes(next.output_text, "You said: thanks");
  const { rows } = await listRequestLogs(gateway.parts.store, { limit: 10 });
  assertEquals(rows.map(({ outcome }) => outcome), ["completed", "completed"]);
});

onEveryUpstream("the stream of a background response is resumed", async ({ client, model }) => {
  const stream = await client.responses.create({
    model,
    input: "hello",
    background: true,
    stream: true,
  });
  const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) {
    seen.push(event);
    if (event.type === "response.output_text.delta") break; // disconnects
  }
  const [created] = seen;
  assert(created.type === "response.created");
  const after = seen.at(-1)?.sequence_number ?? 0;
  const resumed = await client.responses.retrieve(created.response.id, {
    stream: true,
    starting_after: after,
  });
  for await (const event of resumed) seen.push(event);
  assertEquals(seen.map((event) => event.sequence_number), seen.map((_, place) => place));
  const last = seen.at(-1);
  assert(last?.type === "response.completed");
  const text = seen.map((event) => event.type === "response.output_text.delta" ? event.delta : "");
  assertStringIncludes(text.join(""), "You said: hello");
  const stored = await client.responses.retrieve(created.response.id);
  assertEquals(plain({ ...stored, output_text: undefined }), plain(last.response));
  const helper = client.responses.stream({ response_id: created.response.id, starting_after: 0 });
  assertEquals((await helper.finalResponse()).id, created.response.id);
});

onEveryUpstream(
  "a background response is cancelled",
  async ({ client, model, upstream, gateway }) => {
    const queued = await client.responses.create({ model, input: "hang", background: true });
    while (upstream.seen.length === 0) await later(5);
    const cancelled = await client.responses.cancel(queued.id);
    assertEquals([cancelled.id, cancelled.status], [queued.id, "cancelled"]);
    await upstream.aborted;
    assertEquals((await client.responses.retrieve(queued.id)).status, "cancelled");
    assertEquals((await client.responses.cancel(queued.id)).status, "cancelled");
    const { rows } = await listRequestLogs(gateway.parts.store, { limit: 10 });
    assertEquals(rows.map(({ outcome }) => outcome), ["client_gone"]);
  },
);

onEveryUpstream("a background response fails as its upstream does", async (scene) => {
  const queued = await scene.client.responses.create({
    model: scene.model,
    input: "fail 400",
    background: true,
  });
  const failed = await untilEnded(scene, queued.id);
  assertEquals([failed.status, failed.output], ["failed", []]);
  assert(failed.error?.message);
});

Deno.test("missing state and contradictory parameters are refused in the vendor's shape", async () => {
  await using scene = await startScene("chat-completions");
  const { client, model } = scene;
  const refusal = (params: object) =>
    client.responses.create({ model, input: "hi", stream: false, ...params }).then(
      () => undefined,
      (error: unknown) => error instanceof OpenAI.APIError ? error : undefined,
    );
  const missing = await refusal({ previous_response_id: "resp_none" });
  assertEquals([missing?.status, missing?.code, missing?.param], [
    400,
    "previous_response_not_found",
    "previous_response_id",
  ]);
  const conversation = await refusal({ conversation: "conv_none" });
  assertEquals([conversation?.status, conversation?.code], [404, "conversation_not_found"]);
  const both = await refusal({ previous_response_id: "resp_a", conversation: "conv_a" });
  assertEquals(both?.status, 400);
  const unstored = await refusal({ background: true, store: false });
  assertEquals([unstored?.status, unstored?.param], [400, "background"]);
  const { id } = await client.responses.create({ model, input: "hi" });
  await assertRejects(() => client.responses.cancel(id), OpenAI.BadRequestError, "background");
  await assertRejects(
    async () => await client.responses.retrieve(id, { stream: true }),
    OpenAI.BadRequestError,
    "background",
  );
});

async function untilEnded(
  { client }: StatefulScene,
  id: string,
): Promise<OpenAI.Responses.Response> {
  for (;;) {
    const response = await client.responses.retrieve(id);
    if (response.status !== "queued" && response.status !== "in_progress") return response;
    await later(10);
  }
}

/** Without what the client adds for itself. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

function idOf(item: { readonly id?: string | null }): string {
  return item.id ?? "";
}
