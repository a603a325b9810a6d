import { assert, assertEquals, assertInstanceOf, assertStringIncludes } from "@std/assert";
import Anthropic, { APIError } from "@anthropic-ai/sdk";
import type { FormatName } from "../../../lib/canonical/mod.ts";
import { updateSettings } from "../../../lib/store/catalog/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { conversation, factsOf, type Pair, startPair } from "./remembering_model.ts";

/** Compactions of the messages format over upstreams that have none, by the vendor's SDK. */

type Beta = Anthropic.Beta.Messages.BetaMessage;
type Params = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming;
type Turn = Anthropic.Beta.Messages.BetaMessageParam;
type Content = Anthropic.Beta.Messages.BetaContentBlockParam[];

const otherOf: Readonly<Record<FormatName, FormatName>> = {
  "chat-completions": "generate-content",
  "generate-content": "responses",
  messages: "chat-completions",
  responses: "messages",
};
const [demand, threshold] = ["compact-2026-09-04", "compact-2026-01-12"];

const clientOf = ({ gateway }: Pair) =>
  new Anthropic({ baseURL: gateway.base, apiKey: gateway.key, maxRetries: 0 });

const onDemand = (messages: readonly Turn[], more: Partial<Params> = {}): Params => ({
  model: "m",
  max_tokens: 8_000,
  betas: [demand],
  compaction: { type: "summarize" },
  messages: [...messages],
  ...more,
});

function byThreshold(pause: boolean): Params {
  return {
    model: "m",
    max_tokens: 8_000,
    betas: [threshold],
    context_management: {
      edits: [{
        type: "compact_20260112",
        trigger: { type: "input_tokens", value: 50_000 },
        pause_after_compaction: pause,
      }],
    },
    messages: [...conversation(600_000), { role: "user", content: "What do you know?" }],
  };
}

/** Goes on at another vendor, and finds the facts of the compacted part. */
async function assertRemembered(
  client: Anthropic,
  compacted: Pick<Beta, "content">,
  facts = factsOf(),
) {
  const answer = await client.beta.messages.create({
    model: "n",
    max_tokens: 500,
    betas: [demand, threshold],
    messages: [
      { role: "assistant", content: compacted.content as Content },
      { role: "user", content: "What do you know?" },
    ],
  });
  for (const one of facts) assertStringIncludes(JSON.stringify(answer.content), one);
}

for (const format of Object.keys(otherOf) as FormatName[]) {
  const ways = [format, otherOf[format]] as const;

  for (const stream of [false, true]) {
    const way = stream ? "streamed" : "whole";
    Deno.test(`messages over ${format}: on demand gives one signed block that another vendor reads, ${way}`, async () => {
      await using pair = await startPair(ways);
      const client = clientOf(pair);
      const body = onDemand(conversation(200_000));
      const answer = stream
        ? await client.beta.messages.stream(body).finalMessage()
        : await client.beta.messages.create(body);
      assertEquals(answer.stop_reason, "compaction");
      const [block] = answer.content as unknown as readonly Record<string, unknown>[];
      assertEquals([answer.content.length, block.type, block.encrypted_content], [
        1,
        "compaction",
        null,
      ]);
      assertStringIncludes(String(block.signature), "tsc1.");
      const { input_tokens, output_tokens, iterations } = answer.usage;
      assertEquals([input_tokens, output_tokens], [0, 0]);
      assertEquals(iterations?.map(({ type }) => type), ["compaction"]);
      assert((iterations?.[0].input_tokens ?? 0) > 0);
      assertEquals(pair.first.seen.flatMap(({ refusals }) => refusals), []);
      await assertRemembered(client, answer);
      assertEquals(pair.second.seen.flatMap(({ refusals }) => refusals), []);
      const { rows } = await listRequestLogs(pair.gateway.parts.store, { limit: 2 });
      assertEquals(
        new Set(rows[1].costLines?.map(({ part }) => part)),
        new Set(["compaction"]),
      );
    });

    Deno.test(`messages over ${format}: beyond a threshold the block comes before the answer, ${way}`, async () => {
      await using pair = await startPair(ways);
      const client = clientOf(pair);
      const body = byThreshold(false);
      const answer = stream
        ? await client.beta.messages.stream(body).finalMessage()
        : await client.beta.messages.create(body);
      assertEquals(answer.content.map(({ type }) => type), ["compaction", "text"]);
      assertEquals(answer.stop_reason, "end_turn");
      for (const one of factsOf()) assertStringIncludes(JSON.stringify(answer.content[1]), one);
      const { usage: { iterations, output_tokens } } = answer;
      assertEquals(iterations?.map(({ type }) => type), ["compaction", "message"]);
      assertEquals(iterations?.[1].output_tokens, output_tokens);
      await assertRemembered(client, answer);
    });

    Deno.test(`messages over ${format}: a pause ends the answer behind the block, ${way}`, async () => {
      await using pair = await startPair(ways);
      const client = clientOf(pair);
      const body = byThreshold(true);
      const answer = stream
        ? await client.beta.messages.stream(body).finalMessage()
        : await client.beta.messages.create(body);
      assertEquals(answer.content.map(({ type }) => type), ["compaction"]);
      assertEquals(answer.stop_reason, "compaction");
      assertEquals(pair.first.seen.length, 1);
      await assertRemembered(client, answer);
    });
  }

  Deno.test(`messages over ${format}: three compactions in a row keep the facts of the first`, async () => {
    await using pair = await startPair(ways);
    const client = clientOf(pair);
    let before: Turn[] = [];
    const names = ["one", "two", "three"];
    let last: Beta | undefined;
    for (const name of names) {
      const messages = [...before, ...conversation(6_000, name)] as Turn[];
      last = await client.beta.messages.create(onDemand(messages));
      before = [{ role: "assistant", content: last.content as Content }];
    }
    await assertRemembered(client, last as Beta, names.flatMap((name) => factsOf(name)));
  });
}

Deno.test("messages: the client's instructions replace the gateway's, except for their end", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const compaction = { type: "summarize", instructions: "Keep only file names." } as const;
  await clientOf(pair).beta.messages.create(onDemand(conversation(4_000), { compaction }));
  const sent = JSON.stringify(pair.first.seen[0].body);
  assertStringIncludes(sent, "Keep only file names.");
  assertStringIncludes(sent, "Answer with the summary alone.");
  assert(!sent.includes("Aims and constraints"));
});

Deno.test("messages: the prompt is a setting of the configuration, and of the console", async () => {
  await using pair = await startPair(["chat-completions", "messages"], {
    settings: { compactionPrompt: "Write the minutes." },
  });
  const client = clientOf(pair);
  await client.beta.messages.create(onDemand(conversation(4_000)));
  assertStringIncludes(JSON.stringify(pair.first.seen[0].body), "Write the minutes.");
  const { store, directory } = pair.gateway.parts;
  await updateSettings(store, (before) => ({ ...before, compactionPrompt: "List the facts." }));
  await directory.refresh();
  await client.beta.messages.create(onDemand(conversation(4_000)));
  const sent = JSON.stringify(pair.first.seen[1].body);
  assert(sent.includes("List the facts.") && !sent.includes("Write the minutes."), sent);
});

Deno.test("messages: tools stay listed, and none may be called", async () => {
  await using pair = await startPair(["messages", "chat-completions"]);
  const tools = [{ name: "read", input_schema: { type: "object" as const } }];
  await clientOf(pair).beta.messages.create(onDemand(conversation(4_000), { tools }));
  const { body: { tools: sent, tool_choice } } = pair.first.seen[0];
  assertEquals([(sent as unknown[]).length, tool_choice], [1, { type: "none" }]);
});

Deno.test("messages: a count of tokens accepts the member, and counts an opened capsule", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const client = clientOf(pair);
  const { model, betas, compaction, messages } = onDemand(conversation(4_000));
  const counted = await client.beta.messages.countTokens({ model, betas, compaction, messages });
  assert(counted.input_tokens > 500);
  const { content } = await client.beta.messages.create(onDemand(conversation(4_000)));
  const after = await client.beta.messages.countTokens({
    model,
    betas,
    messages: [{ role: "assistant", content: content as Content }, {
      role: "user",
      content: "Hi",
    }],
  });
  assert(after.input_tokens > 40, `${after.input_tokens}`);
});

/** The `error.details.error_code` of a refusal. */
async function refusedWith(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    assertInstanceOf(error, APIError);
    const body = error.error as { error?: { details?: { error_code?: string } } };
    return [error.status, body.error?.details?.error_code];
  }
  return "accepted";
}

Deno.test("messages: changed, doubled and misplaced blocks are refused with the vendor's codes", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const client = clientOf(pair);
  const { content: [made] } = await client.beta.messages.create(onDemand(conversation(4_000)));
  const block = made as unknown as Record<string, string>;
  const sent = pair.first.seen.length;
  const asked = (...turns: unknown[]) =>
    refusedWith(client.beta.messages.create({
      model: "m",
      max_tokens: 50,
      betas: [demand],
      messages: [...turns, { role: "user", content: "Go on." }] as Turn[],
    }));
  const turn = (...content: unknown[]) => ({ role: "assistant", content });
  const [head, id, data] = block.signature.split(".");
  const flipped = `${data.slice(0, 20)}${data[20] === "A" ? "B" : "A"}${data.slice(21)}`;
  const cases: readonly (readonly [string, unknown[]])[] = [
    ["compaction_content_mismatch", [turn({ ...block, content: `${block.content}!` })]],
    ["compaction_signature_invalid", [turn({ ...block, signature: `${head}.${id}.${flipped}` })]],
    ["compaction_signature_invalid", [turn({ ...block, signature: "tsc1.0000.AAAA" })]],
    ["compaction_block_ambiguous", [turn(block), { role: "user", content: "Hi" }, turn(block)]],
    ["compaction_block_misplaced", [{ role: "user", content: "Hi" }, turn(block)]],
  ];
  for (const [code, turns] of cases) assertEquals(await asked(...turns), [400, code]);
  assertEquals(pair.first.seen.length, sent);
});

Deno.test("messages: impossible compactions are refused", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const client = clientOf(pair);
  const asked = (messages: readonly Turn[], more?: Partial<Params>) =>
    refusedWith(client.beta.messages.create(onDemand(messages, more)));
  const call = { type: "tool_use", id: "t1", name: "read", input: {} } as const;
  const turns = conversation(4_000);
  const open = [...turns.slice(0, -1), { role: "assistant" as const, content: [call] }];
  assertEquals(await asked(open), [400, "compaction_incomplete_turn"]);
  assertEquals(await asked(turns, { stop_sequences: ["x"] }), [400, undefined]);
  assertEquals(await asked(turns, { tool_choice: { type: "any" } }), [400, undefined]);
  const instructions = "x".repeat(16_385);
  assertEquals(await asked(turns, { compaction: { type: "summarize", instructions } }), [
    400,
    undefined,
  ]);
  const { content } = await client.beta.messages.create(onDemand(turns));
  const alone = [{ role: "assistant" as const, content: content as Content }];
  assertEquals(await asked(alone), [400, "compaction_nothing_to_summarize"]);
  const small = byThreshold(false);
  const edits = small.context_management?.edits?.map((edit) => ({
    ...edit,
    trigger: { type: "input_tokens" as const, value: 49_999 },
  }));
  const low = { ...small, context_management: { edits } } as Params;
  assertEquals(await refusedWith(client.beta.messages.create(low)), [400, undefined]);
});

Deno.test("messages: a model that writes no summary gives 529 with the vendor's code", async () => {
  await using pair = await startPair(["chat-completions", "messages"], {
    model: () => ({ calls: [], hangs: false, text: "" }),
  });
  const call = clientOf(pair).beta.messages.create(onDemand(conversation(4_000)));
  assertEquals(await refusedWith(call), [529, "compaction_unavailable"]);
});
