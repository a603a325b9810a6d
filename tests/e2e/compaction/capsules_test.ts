import { assert, assertEquals, assertStringIncludes } from "@std/assert";
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
