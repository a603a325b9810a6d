import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import OpenAI from "openai";
import { type FormatName, formatNames } from "../../../lib/canonical/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { eventually } from "../../store/temp_store.ts";
import { startUpstream } from "../fake_upstream.ts";
import type { Model } from "../../strict/mod.ts";
import {
  conversation,
  factsOf,
  type Pair,
  rememberingModel,
  startPair,
} from "./remembering_model.ts";

/** Compactions of the responses format over upstreams that have none, by the vendor's SDK. */

type Items = OpenAI.Responses.ResponseInput;

const otherOf: Readonly<Record<FormatName, FormatName>> = {
  "chat-completions": "generate-content",
  "generate-content": "messages",
  messages: "chat-completions",
  responses: "messages",
};

const clientOf = ({ gateway }: Pair) =>
  new OpenAI({ baseURL: `${gateway.base}/v1`, apiKey: gateway.key, maxRetries: 0 });

/** Goes on at another vendor, and finds the facts of the compacted part. */
async function assertRemembered(client: OpenAI, input: Items, facts = factsOf()): Promise<void> {
  const answer = await client.responses.create({
    model: "n",
    store: false,
    input: [...input, { role: "user", content: "What do you know?" }],
  });
  for (const one of facts) assertStringIncludes(answer.output_text, one);
}

for (const format of formatNames) {
  const ways = [format, otherOf[format]] as const;

  Deno.test(`responses over ${format}: a trigger, whole, gives one capsule that another vendor reads`, async () => {
    await using pair = await startPair(ways);
    const client = clientOf(pair);
    const answer = await client.responses.create({
      model: "m",
      store: false,
      input: [...conversation(200_000), { type: "compaction_trigger" }] as Items,
    });
    assertEquals(answer.output.map(({ type }) => type), ["compaction"]);
    assertEquals(answer.status, "completed");
    assert((answer.usage?.input_tokens ?? 0) > 0 && (answer.usage?.output_tokens ?? 0) > 0);
    assert(!JSON.stringify(answer).includes("fact-"), "the capsule is sealed");
    assertEquals(pair.first.seen.flatMap(({ refusals }) => refusals), []);
    await assertRemembered(client, answer.output as Items);
    assertEquals(pair.second.seen.flatMap(({ refusals }) => refusals), []);
    assert(JSON.stringify(pair.second.seen[0].body).length < 5_000, "the history is gone");
  });

  Deno.test(`responses over ${format}: a trigger, streamed, has one item and no text`, async () => {
    await using pair = await startPair(ways);
    const stream = await clientOf(pair).responses.create({
      model: "m",
      store: false,
      stream: true,
      input: [...conversation(20_000), { type: "compaction_trigger" }] as Items,
    });
    const types: string[] = [];
    let done: unknown;
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "response.output_item.added") {
        assertEquals(
          event.item,
          { ...event.item, type: "compaction", encrypted_content: "" } as never,
        );
      }
      if (event.type === "response.output_item.done") done = event.item;
      if (event.type === "response.completed") assertEquals(event.response.output, [done] as never);
    }
    assertEquals(types, [
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.compaction.compacting",
      "response.output_item.done",
      "response.completed",
    ]);
    await assertRemembered(clientOf(pair), [done] as Items);
  });

  Deno.test(`responses over ${format}: the endpoint gives the user's messages and one capsule`, async () => {
    await using pair = await startPair(ways);
    const client = clientOf(pair);
    const compacted = await client.responses.compact({
      model: "m",
      input: [{ role: "developer", content: "Be brief." }, ...conversation(8_000)] as Items,
    });
    assertEquals(Object.keys(compacted).toSorted(), [
      "created_at",
      "id",
      "object",
      "output",
      "usage",
    ]);
    assertEquals(compacted.object, "response.compaction");
    const types = compacted.output.map((item) => item.type === "message" ? item.role : item.type);
    assertEquals(types, ["user", "user", "user", "user", "compaction"] as never);
    assert(compacted.usage.input_tokens > 0);
    await assertRemembered(client, compacted.output as Items);
  });

  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    Deno.test(`responses over ${format}: beyond a threshold the capsule comes before the answer, ${way}`, async () => {
      await using pair = await startPair(ways);
      const client = clientOf(pair);
      const body = {
        model: "m",
        store: false,
        input: [...conversation(20_000), { role: "user", content: "What do you know?" }] as Items,
        context_management: [{ type: "compaction", compact_threshold: 1_000 }],
      };
      const answer = stream
        ? await client.responses.stream(body).finalResponse()
        : await client.responses.create(body);
      assertEquals(answer.output.map(({ type }) => type), ["compaction", "message"]);
      for (const one of factsOf()) assertStringIncludes(answer.output_text, one);
      await assertRemembered(client, answer.output as Items);
      const { rows: [, row] } = await listRequestLogs(pair.gateway.parts.store, { limit: 2 });
      const parts = row.costLines?.map(({ part }) => part) ?? [];
      assert(parts.includes("compaction") && parts.includes(undefined), `${parts}`);
      assertEquals(pair.first.seen.length, 2);
      assertEquals(
        answer.usage?.output_tokens,
        pair.first.seen.reduce((sum, { counts }) => sum + (counts?.output ?? 0), 0),
      );
    });
  }

  Deno.test(`responses over ${format}: below the threshold nothing is compacted`, async () => {
    await using pair = await startPair(ways);
    const answer = await clientOf(pair).responses.create({
      model: "m",
      store: false,
      input: [...conversation(8_000), { role: "user", content: "Go on." }] as Items,
      context_management: [{ type: "compaction", compact_threshold: 100_000 }],
    });
    assertEquals(answer.output.map(({ type }) => type), ["message"]);
    assertEquals(pair.first.seen.length, 1);
    assertEquals(pair.first.seen[0].refusals, []);
  });

  Deno.test(`responses over ${format}: three compactions in a row keep the facts of the first`, async () => {
    await using pair = await startPair(ways);
    const client = clientOf(pair);
    let input: Items = [];
    const names = ["one", "two", "three"];
    for (const name of names) {
      const { output } = await client.responses.create({
        model: "m",
        store: false,
        input: [...input, ...conversation(6_000, name), { type: "compaction_trigger" }] as Items,
      });
      assertEquals(output.length, 1);
      input = output as Items;
    }
    await assertRemembered(client, input, names.flatMap((name) => factsOf(name)));
  });
}

Deno.test("responses: a stored compaction continues by previous_response_id", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const client = clientOf(pair);
  const begun = await client.responses.create({
    model: "m",
    input: conversation(20_000) as Items,
  });
  const compacted = await client.responses.create({
    model: "m",
    previous_response_id: begun.id,
    input: [{ type: "compaction_trigger" }] as Items,
  });
  assertEquals(compacted.output.map(({ type }) => type), ["compaction"]);
  const answer = await client.responses.create({
    model: "n",
    previous_response_id: compacted.id,
    input: "What do you know?",
  });
  for (const one of factsOf()) assertStringIncludes(answer.output_text, one);
  const sent = JSON.stringify(pair.second.seen[0].body);
  assert(!sent.includes("term term"), "answers before the compaction are not sent");
});

Deno.test("responses: the endpoint compacts a stored response, and stores nothing", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const client = clientOf(pair);
  const begun = await client.responses.create({
    model: "m",
    input: conversation(8_000) as Items,
  });
  const compacted = await client.responses.compact({ model: "m", previous_response_id: begun.id });
  assertEquals(compacted.output.at(-1)?.type, "compaction");
  await assertRemembered(client, compacted.output as Items);
});

Deno.test("responses: an upstream that fails at the summary is replaced by the next one", async () => {
  await using failing = startUpstream(() => new Response("no", { status: 503 }));
  await using pair = await startPair(["chat-completions", "messages"], {
    further: [{
      id: "failing",
      endpoints: { "chat-completions": `${failing.base}/v1` },
      apiKeys: ["x"],
      models: ["m"],
      priority: 1,
    }],
  });
  const client = clientOf(pair);
  const { output } = await client.responses.create({
    model: "m",
    store: false,
    input: [...conversation(4_000), { type: "compaction_trigger" }] as Items,
  });
  assertEquals([failing.seen.length, pair.first.seen.length], [1, 1]);
  await assertRemembered(client, output as Items);
});

Deno.test("responses: the endpoint never streams", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const { gateway: { base, key } } = pair;
  const response = await fetch(`${base}/v1/responses/compact`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", input: conversation(4_000), stream: true }),
  });
  assertEquals((await response.json()).object, "response.compaction");
});

Deno.test("responses: the rules and the user's messages before a capsule stay", async () => {
  await using pair = await startPair(["messages", "generate-content"]);
  const client = clientOf(pair);
  const { output } = await client.responses.create({
    model: "m",
    store: false,
    input: [...conversation(6_000), { type: "compaction_trigger" }] as Items,
  });
  await client.responses.create({
    model: "n",
    store: false,
    input: [
      { role: "developer", content: "The base prompt." },
      { role: "user", content: "The task." },
      { role: "assistant", content: "What I did before." },
      ...output,
    ] as Items,
  });
  const sent = JSON.stringify(pair.second.seen[0].body);
  const places = ["The base prompt.", "The task.", "fact-long-1"].map((text) => sent.indexOf(text));
  assert(places.every((place) => place >= 0), sent);
  assert(!sent.includes("What I did before."));
});

const refusals = [
  {
    name: "a trigger that is not last",
    body: { input: [{ type: "compaction_trigger" }, { role: "user", content: "Go on." }] },
    param: "input",
  },
  {
    name: "a trigger with nothing before it",
    body: { input: [{ type: "compaction_trigger" }] },
    param: "input",
  },
];

for (const { name, body, param } of refusals) {
  Deno.test(`responses: ${name} is refused`, async () => {
    await using pair = await startPair(["chat-completions", "messages"]);
    const { gateway: { base, key } } = pair;
    const response = await fetch(`${base}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "m", store: false, ...body }),
    });
    const { error } = await response.json();
    assertEquals([response.status, error.code, error.param], [400, "invalid_request", param]);
    assertEquals(pair.first.seen.length, 0);
  });
}

Deno.test("responses: an empty summary is requested once more, and both tries are lines of the cost", async () => {
  let tries = 0;
  await using pair = await startPair(["chat-completions", "messages"], {
    model: () => ({ calls: [], hangs: false, text: tries++ === 0 ? "" : "Summary: fact-late-1" }),
  });
  const { output } = await clientOf(pair).responses.create({
    model: "m",
    store: false,
    input: [...conversation(6_000), { type: "compaction_trigger" }] as Items,
  });
  assertEquals(output.length, 1);
  const { rows: [row] } = await listRequestLogs(pair.gateway.parts.store, { limit: 1 });
  assertEquals(new Set(row.costLines?.map(({ part }) => part)), new Set(["compaction"]));
  const lines = row.costLines?.filter(({ bucket }) => bucket === "inputTokens") ?? [];
  assertEquals(lines.length, 2);
});

Deno.test("responses: two empty summaries fail, cost nothing and hurt no upstream", async () => {
  await using pair = await startPair(["chat-completions", "messages"], {
    model: () => ({ calls: [], hangs: false, text: "" }),
  });
  const { gateway: { base, key, parts } } = pair;
  for (let time = 0; time < 12; time++) {
    const response = await fetch(`${base}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({
        model: "m",
        store: false,
        input: [...conversation(2_000), { type: "compaction_trigger" }],
      }),
    });
    const { error } = await response.json();
    assertEquals([response.status, error.code], [502, "compaction_failed"]);
  }
  const { rows } = await listRequestLogs(parts.store, { limit: 20 });
  assert(rows.every(({ costNanoUsd }) => !costNanoUsd));
  assertEquals(pair.first.seen.length, 24);
});

for (const format of formatNames) {
  Deno.test(`responses over ${format}: an answer whose caller leaves behind the compaction is charged as far as it came`, async () => {
    const model: Model = (prompt, voice, asked) => {
      const reply = rememberingModel(prompt, voice, asked);
      if (reply.text?.startsWith("Summary:")) return reply;
      return { ...reply, text: "I know a lot of things. ".repeat(40), hangs: true };
    };
    await using pair = await startPair([format, otherOf[format]], { model });
    const stream = await clientOf(pair).responses.create({
      model: "m",
      store: false,
      stream: true,
      input: [...conversation(20_000), { role: "user", content: "What do you know?" }] as Items,
      context_management: [{ type: "compaction", compact_threshold: 1_000 }],
    });
    for await (const { type } of stream) if (type === "response.output_text.delta") break;
    const { store } = pair.gateway.parts;
    const rowsOf = async () => (await listRequestLogs(store, { limit: 1 })).rows;
    assert(await eventually(async () => (await rowsOf()).length > 0));
    const [row] = await rowsOf();
    const lines = row.costLines?.map(({ part, bucket }) => `${part ?? "answer"} ${bucket}`) ?? [];
    for (const side of ["inputTokens", "outputTokens"]) {
      assert(lines.includes(`compaction ${side}`) && lines.includes(`answer ${side}`), `${lines}`);
    }
  });
}
