import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { JsonObject } from "../../../lib/canonical/mod.ts";
import { startUpstream } from "../fake_upstream.ts";
import { startGateway } from "../gateway.ts";
import { makeWallet, walletKey } from "../money/wallet.ts";
import { wholeAnswers } from "../responses/whole_answers.ts";
import { capsuleFrom, next, post } from "./capsules.ts";
import { startPair } from "./remembering_model.ts";

/** The accounts and upstreams that can read a capsule, and the refusal of all others. */

Deno.test("a capsule opens for the account that it was made for, and for no other", async () => {
  await using pair = await startPair(["chat-completions", "messages"]);
  const { base, parts: { store } } = pair.gateway;
  await makeWallet(store, 10n ** 12n);
  const capsule = await capsuleFrom({ base });
  const sent = pair.first.seen.length;
  const foreign = await post({ base, key: walletKey }, next(capsule));
  const { error } = foreign.body;
  assertEquals([foreign.status, error.code, error.param], [
    400,
    "invalid_encrypted_content",
    "input[0]",
  ]);
  assertStringIncludes(error.message, "Not charged.");
  assertEquals(pair.first.seen.length, sent);
  assertEquals((await post({ base }, next(capsule))).status, 200);
});

const vendorCapsule = { type: "compaction", id: "cmp_1", encrypted_content: "gAAAAABo".repeat(99) };

for (const format of ["chat-completions", "responses"] as const) {
  Deno.test(`a vendor's capsule is never sent to another upstream of the ${format} format`, async () => {
    await using pair = await startPair([format, "messages"]);
    const { status, body: { error } } = await post(pair.gateway, next(vendorCapsule));
    assertEquals([status, error.code, error.param], [400, "unsupported_parameter", "input[0]"]);
    assertStringIncludes(error.message, "Send the conversation as it was before its compaction");
    assertEquals(pair.first.seen.length, 0);
  });
}

Deno.test("an upstream that compacts itself gets the wish and its own capsule untouched, and the gateway's as text", async () => {
  await using upstream = startUpstream(({ path }) =>
    Response.json(path.endsWith("/compact") ? compactAnswer : wholeAnswers.responses)
  );
  await using gateway = await startGateway({
    upstreams: [{
      id: "vendor",
      preset: "openai",
      baseUrl: upstream.base,
      apiKeys: ["x"],
      models: ["m"],
    }],
  });
  const wish = { input: [{ role: "user", content: "Hi" }, { type: "compaction_trigger" }] };
  assertEquals((await post(gateway, wish)).status, 200);
  assertEquals((await post(gateway, next(vendorCapsule))).status, 200);
  const path = "/v1/responses/compact";
  const compacted = await post({ ...gateway, path }, { input: "Hi", store: undefined });
  assertEquals(compacted, { status: 200, body: compactAnswer });
  const bodies = upstream.seen.map(({ body }) => JSON.parse(body));
  assertEquals(bodies, [
    { model: "m", store: false, ...wish },
    { model: "m", store: false, ...next(vendorCapsule) },
    { model: "m", input: "Hi" },
  ]);
  assertEquals(upstream.seen.map(({ path }) => path), ["/v1/responses", "/v1/responses", path]);
});

/** Two upstreams of the vendor with the same model: the first one cannot read the capsule. */
async function startOrganizations() {
  const code = "invalid_encrypted_content";
  const first = startUpstream(() =>
    Response.json({ error: { message: "Could not be decrypted", code } }, { status: 400 })
  );
  const second = startUpstream(() => Response.json(wholeAnswers.responses));
  const entry = (id: string, { base }: { base: string }, priority: number) => ({
    ...{ id, preset: "openai", baseUrl: base, apiKeys: ["x"], models: ["m"], priority },
  });
  const gateway = await startGateway({
    upstreams: [entry("first", first, 1), entry("second", second, 0)],
    models: [{ id: "m", price: { input: 1, output: 1 } }],
  });
  const parts = [gateway, first, second];
  return {
    ...{ first, second, gateway },
    [Symbol.asyncDispose]: async () => {
      for (const part of parts) await part[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a vendor's capsule that one organization cannot read goes to the next one of the vendor, for any account", async () => {
  await using all = await startOrganizations();
  const { gateway: { base, parts: { store } }, first, second } = all;
  await makeWallet(store, 10n ** 12n);
  for (const key of [undefined, walletKey]) {
    const { status } = await post({ base, ...(key && { key }) }, next(vendorCapsule));
    assertEquals(status, 200);
  }
  const bodies = [...first.seen, ...second.seen].map(({ body }) => JSON.parse(body));
  assertEquals(bodies, Array(4).fill({ model: "m", store: false, ...next(vendorCapsule) }));
});

const vendorBlocks = {
  signed: {
    type: "compaction",
    content: "fact-block-1",
    encrypted_content: null,
    signature: "EoQB",
  },
  automatic: { type: "compaction", content: "fact-block-1", encrypted_content: "EoQB" },
  unreadable: { type: "compaction", content: null, encrypted_content: "EoQB" },
};
const blockBody = (block: JsonObject) => ({
  store: undefined,
  max_tokens: 100,
  messages: [{ role: "assistant", content: [block] }, { role: "user", content: "Go on." }],
});

for (const [name, block] of Object.entries(vendorBlocks)) {
  Deno.test(`Anthropic's ${name} block goes back as it came, and to another vendor as its text`, async () => {
    await using vendor = startUpstream(() => Response.json(wholeAnswers.messages));
    const upstream = { id: "vendor", preset: "anthropic", baseUrl: vendor.base, apiKeys: ["x"] };
    await using pair = await startPair(["chat-completions", "generate-content"], {
      further: [{ ...upstream, models: ["v"] }],
    });
    const asked = { ...pair.gateway, path: "/v1/messages" };
    const kept = await post(asked, { ...blockBody(block), model: "v" });
    assertEquals(kept.status, 200);
    assertEquals(JSON.parse(vendor.seen[0].body).messages, blockBody(block).messages);
    const counting = { ...asked, path: "/v1/messages/count_tokens" };
    const counted = await post(counting, { ...blockBody(block), max_tokens: undefined });
    assertEquals(counted.body.input_tokens > 40, name !== "unreadable", counted.body);
    for (const [model, { seen }] of [["m", pair.first], ["n", pair.second]] as const) {
      const { status, body } = await post(asked, { ...blockBody(block), model });
      if (name === "unreadable") {
        assertEquals([status, seen.length], [400, 0]);
        assertStringIncludes(body.error.message, "or choose a model that has an upstream of that");
        continue;
      }
      assertEquals(status, 200, JSON.stringify(body));
      const sent = JSON.stringify(seen[0].body);
      assert(sent.includes("fact-block-1") && !sent.includes("EoQB"), sent);
      assertEquals(seen[0].refusals, []);
    }
  });
}

Deno.test("the gateway's capsule reaches an upstream that compacts itself as text", async () => {
  await using maker = await startPair(["chat-completions", "messages"]);
  await using upstream = startUpstream(() => Response.json(wholeAnswers.responses));
  const capsule = await capsuleFrom(maker.gateway);
  const { gateway: { parts: { store } } } = maker;
  await using gateway = await startGateway({
    upstreams: [{
      id: "v",
      preset: "openai",
      baseUrl: upstream.base,
      apiKeys: ["x"],
      models: ["m"],
    }],
  });
  // the same secret, as both gateways of one operator have it
  Object.assign(gateway.parts.gateway, { capsules: store.secretBox });
  assertEquals((await post(gateway, next(capsule))).status, 200);
  const [{ body }] = upstream.seen;
  assert(!body.includes("tsc1.") && body.includes("fact-long-1"), body);
});

const compactAnswer = {
  id: "resp_c",
  object: "response.compaction",
  created_at: 1,
  output: [vendorCapsule],
  usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 },
};
