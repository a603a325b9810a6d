import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isJsonObject, type JsonObject } from "../../../lib/canonical/mod.ts";
import { messagesAnswer } from "../../formats/whole_answer.ts";
import { type FakeUpstream, startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway } from "../gateway.ts";
import { makeWallet, walletKey } from "../money/wallet.ts";

/** Thoughts that come back by their ids alone, without what was encrypted of them. */

const model = "thinker";
/** A page of what agents read and say. */
const page = (seed: string) => `${seed} ${"a line of a file; ".repeat(300)}`;

/** Thinks, says and numbers its answers, as the vendor does. */
function thinking(name: string): FakeUpstream {
  let count = 0;
  return startUpstream(() => {
    const id = `${name}_${++count}`;
    return Response.json({
      id: `resp_${id}`,
      object: "response",
      created_at: 1,
      status: "completed",
      model: "gpt-5.1",
      output: [
        { id: `rs_${id}`, type: "reasoning", summary: [], encrypted_content: `sealed by ${id}` },
        {
          id: `msg_${id}`,
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text: page(`answer ${id}`), annotations: [] }],
        },
      ],
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
    });
  });
}

function configOf(...upstreams: readonly { id: string; base: string; priority?: number }[]) {
  return {
    upstreams: upstreams.map(({ id, base, priority }) => ({
      id,
      endpoints: { responses: base },
      apiKeys: ["x"],
      models: [{ id: model, upstreamModel: "gpt-5.1" }],
      ...(priority !== undefined && { priority }),
    })),
  };
}

/** A caller that keeps the whole conversation, and of each thought its id alone. */
class Forgetful {
  readonly input: JsonObject[] = [];
  readonly #gateway: Pick<TestGateway, "base" | "key">;

  constructor(gateway: Pick<TestGateway, "base" | "key">) {
    this.#gateway = gateway;
  }

  async say(text: string, more: JsonObject = {}): Promise<Headers> {
    this.input.push({ role: "user", content: text });
    const response = await this.post({ model, input: this.input, ...more });
    const body: unknown = await response.json();
    assert(isJsonObject(body) && Array.isArray(body.output), JSON.stringify(body));
    this.input.push(...body.output.filter(isJsonObject).map(forgotten));
    return response.headers;
  }

  post(body: JsonObject, headers: Record<string, string> = {}): Promise<Response> {
    const { base, key } = this.#gateway;
    return fetch(`${base}/v1/responses`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  }
}

function forgotten(item: JsonObject): JsonObject {
  return item.type === "reasoning" ? { type: "reasoning", id: item.id, summary: [] } : item;
}

function thoughtsIn(body: string): JsonObject[] {
  const { input }: { input: JsonObject[] } = JSON.parse(body);
  return input.filter(({ type }) => type === "reasoning");
}

Deno.test("responses thoughts: ids of stored answers get their encrypted content back", async () => {
  await using upstream = thinking("a");
  await using gateway = await startGateway(configOf({ id: "a", base: upstream.base }));
  const caller = new Forgetful(gateway);
  for (let turn = 1; turn <= 10; turn++) await caller.say(page(`question ${turn}`));
  const notes = (await caller.say("And now?")).get("tessera-notes");
  const { body } = upstream.seen[10];
  assert(body.length > 100_000, `${body.length} bytes`);
  assertEquals(
    thoughtsIn(body).map(({ id, encrypted_content: sealed }) => [id, sealed]),
    Array.from({ length: 10 }, (_, at) => [`rs_a_${at + 1}`, `sealed by a_${at + 1}`]),
  );
  assertEquals(notes, null);
});

Deno.test("responses thoughts: unknown ids are left out, each with a note", async () => {
  await using upstream = thinking("a");
  await using gateway = await startGateway(configOf({ id: "a", base: upstream.base }));
  const caller = new Forgetful(gateway);
  await caller.say("one");
  caller.input.push({ type: "reasoning", id: "rs_elsewhere", summary: [] });
  const notes = (await caller.say("two")).get("tessera-notes") ?? "";
  assertEquals(thoughtsIn(upstream.seen[1].body).map(({ id }) => id), ["rs_a_1"]);
  assertStringIncludes(notes, "input[3] dropped: The reasoning has no encrypted content");
  await caller.say("three");
  assertEquals(thoughtsIn(upstream.seen[2].body).map(({ id }) => id), ["rs_a_1", "rs_a_2"]);
});

Deno.test("responses thoughts: a strict caller is refused where one is left out", async () => {
  await using upstream = thinking("a");
  await using gateway = await startGateway(configOf({ id: "a", base: upstream.base }));
  const thought = { type: "reasoning", id: "rs_elsewhere", summary: [] };
  const input = [thought, { role: "user", content: page("one") }];
  const refused = await new Forgetful(gateway).post({ model, input }, { "tessera-strict": "true" });
  const { error } = await refused.json();
  assertEquals([refused.status, error.code, error.param], [400, "conversion_lossy", "input[0]"]);
  assertEquals(upstream.seen.length, 0);
});

Deno.test("responses thoughts: an id is found of its own account alone", async () => {
  await using upstream = thinking("a");
  await using gateway = await startGateway(configOf({ id: "a", base: upstream.base }));
  await new Forgetful(gateway).say("one");
  await makeWallet(gateway.parts.store, 10n ** 12n);
  const other = new Forgetful({ base: gateway.base, key: walletKey });
  other.input.push({ type: "reasoning", id: "rs_a_1", summary: [] });
  const notes = (await other.say("two")).get("tessera-notes") ?? "";
  assert(!upstream.seen[1].body.includes("sealed by a_1"));
  assertStringIncludes(notes, "input[0] dropped");
});

Deno.test("responses thoughts: without store, a body with unknown ids reaches its upstream as it is", async () => {
  await using upstream = thinking("a");
  await using gateway = await startGateway(configOf({ id: "a", base: upstream.base }));
  const body = {
    model: "gpt-5.1",
    store: false,
    input: [
      { role: "user", content: page("one") },
      { type: "reasoning", id: "rs_elsewhere", summary: [] },
      { role: "assistant", content: "yes" },
      { role: "user", content: "two" },
    ],
  };
  const asked = { ...body, model };
  const response = await new Forgetful(gateway).post(asked);
  assertEquals([response.status, response.headers.get("tessera-notes")], [200, null]);
  await response.body?.cancel();
  assertEquals(upstream.seen[0].body, JSON.stringify({ ...asked, model: "gpt-5.1" }));
});

Deno.test("responses thoughts: without store, ids of stored answers get their thoughts back too", async () => {
  await using upstream = thinking("a");
  await using gateway = await startGateway(configOf({ id: "a", base: upstream.base }));
  const caller = new Forgetful(gateway);
  await caller.say("one");
  caller.input.push({ type: "reasoning", id: "rs_elsewhere", summary: [] });
  await caller.say("two", { store: false });
  assertEquals(thoughtsIn(upstream.seen[1].body), [
    { id: "rs_a_1", type: "reasoning", summary: [], encrypted_content: "sealed by a_1" },
    { type: "reasoning", id: "rs_elsewhere", summary: [] },
  ]);
});

Deno.test("responses thoughts: content that another upstream encrypted is left out with a note, found by its id or by a reference", async () => {
  await using first = thinking("a");
  let isDown = false;
  await using front = startUpstream(async (seen) =>
    isDown
      ? new Response("busy", { status: 503 })
      : await fetch(first.base, { method: "POST", body: seen.body })
  );
  await using second = thinking("b");
  await using gateway = await startGateway(configOf(
    { id: "a", base: front.base, priority: 1 },
    { id: "b", base: second.base, priority: 0 },
  ));
  const caller = new Forgetful(gateway);
  await caller.say("one");
  isDown = true;
  const notes = (await caller.say("two")).get("tessera-notes") ?? "";
  assertEquals(thoughtsIn(second.seen[0].body), []);
  assertStringIncludes(notes, "input[1] dropped: Another upstream encrypted this reasoning");
  caller.input.splice(1, 1, { type: "item_reference", id: "rs_a_1" });
  const more = (await caller.say("three")).get("tessera-notes") ?? "";
  assertEquals(thoughtsIn(second.seen[1].body).map(({ id }) => id), ["rs_b_1"]);
  assertStringIncludes(more, "input[1] dropped: Another upstream encrypted this reasoning");
});

const signing = { id: "m", models: [{ id: model, upstreamModel: "claude-sonnet-4-5" }] };

Deno.test("responses thoughts: an upstream of another format gets the signature of a thought that came back as an id", async () => {
  await using upstream = startUpstream(() =>
    Response.json(messagesAnswer({
      content: [
        { type: "thinking", thinking: "Let me see.", signature: "signed-by-the-vendor" },
        { type: "text", text: "Yes." },
      ],
    }))
  );
  await using gateway = await startGateway(oneUpstream({ messages: upstream.base }, signing));
  const caller = new Forgetful(gateway);
  const reasoning = { effort: "medium", summary: "auto" };
  await caller.say("one", { reasoning });
  assert(caller.input.some(({ type }) => type === "reasoning"), JSON.stringify(caller.input));
  assert(!JSON.stringify(caller.input).includes("signed"));
  await caller.say("two", { reasoning });
  assertStringIncludes(
    upstream.seen[1].body,
    '{"type":"thinking","thinking":"Let me see.","signature":"signed-by-the-vendor"}',
  );
  caller.input.push({ type: "reasoning", id: "rs_elsewhere", summary: [] });
  const notes = (await caller.say("three", { reasoning })).get("tessera-notes") ?? "";
  assertStringIncludes(notes, "input[6] dropped: The reasoning has no encrypted content");
});

Deno.test("responses thoughts: without store, a tool loop at another format gets its thought back from memory", async () => {
  await using upstream = startUpstream(() =>
    Response.json(messagesAnswer({
      content: [
        { type: "thinking", thinking: "Let me look.", signature: "signed-by-the-vendor" },
        { type: "tool_use", id: "toolu_1", name: "look", input: { at: page("path") } },
      ],
      stop_reason: "tool_use",
    }))
  );
  await using gateway = await startGateway(oneUpstream({ messages: upstream.base }, signing));
  const caller = new Forgetful(gateway);
  const settings = {
    store: false,
    reasoning: { effort: "medium" },
    tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
  };
  await caller.say("one", settings);
  const call = caller.input.find(({ type }) => type === "function_call");
  caller.input.push({ type: "function_call_output", call_id: call?.call_id, output: page("file") });
  const response = await caller.post({ model, input: caller.input, ...settings });
  assertEquals(response.status, 200);
  await response.body?.cancel();
  assert(!JSON.stringify(caller.input).includes("signed-by-the-vendor"));
  assertStringIncludes(
    upstream.seen[1].body,
    '{"type":"thinking","thinking":"Let me look.","signature":"signed-by-the-vendor"}',
  );
});
