import { assert, assertEquals, assertMatch } from "@std/assert";
import { newApiKey, type Payer, playgroundKeyId } from "../../../lib/accounts/mod.ts";
import { adminServices } from "../../../lib/admin/services.ts";
import { auditStore } from "../../../lib/audit/mod.ts";
import { createApiKey, listApiKeys } from "../../../lib/store/api_keys/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { getBalance, postEntry } from "../../../lib/store/money/mod.ts";
import { createUser, updateUser } from "../../../lib/store/users/mod.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { bodySizes, words } from "../load/sized_body.ts";

const accountId = "usr_reader";
const model = "tessera-echo";
const config = {
  models: [{ id: model, price: { input: 1_000, output: 1_000 } }],
  groups: [{ id: "apart", formats: ["messages"] }],
};
const playground: Payer = { type: "playground", accountId, groupId: "default" };

/** A gateway with a member whose wallet holds some dollars, or nothing. */
async function withMember(
  { funded = true, dollars = 1n }: { readonly funded?: boolean; readonly dollars?: bigint },
  test: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  await using gateway = await startGateway(config);
  const { store } = gateway.parts;
  const nowMs = Date.now();
  await createUser(store, {
    id: accountId,
    email: "reader@example.com",
    role: "member",
    createdAtMs: nowMs,
    enabled: true,
    spending: "prepaid",
  });
  if (funded) {
    await postEntry(store, {
      accountId,
      type: "grant",
      changeNanoUsd: dollars * 1_000_000_000n,
      reason: "test",
      actor: "owner",
      atMs: nowMs,
      idempotencyKey: "grant",
    });
  }
  await test(gateway);
}

async function call(
  payer: Payer,
  path: string,
  body: unknown,
  options: { readonly signal?: AbortSignal; readonly ip?: string } = {},
): Promise<Response> {
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    signal: options.signal,
  });
  const { callGateway } = adminServices() ?? {};
  assert(callGateway);
  return await callGateway(request, { payer, ip: options.ip ?? "203.0.113.7" });
}

const message = (content: string) => ({ model, messages: [{ role: "user", content }] });

const wires: readonly { readonly path: string; readonly body: unknown }[] = [
  { path: "/v1/chat/completions", body: message("hello") },
  { path: "/v1/responses", body: { model, input: "hello" } },
  { path: "/v1/messages", body: { ...message("hello"), max_tokens: 64 } },
  {
    path: `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
  },
];

Deno.test("a call of the console in each format is logged, charged to the account, and nowhere a key", async () => {
  await withMember({}, async ({ parts: { store } }) => {
    for (const { path, body } of wires) {
      const response = await call(playground, path, body);
      assertEquals(response.status, 200, path);
      assertMatch(await response.text(), /hello/);
    }
    const { rows } = await listRequestLogs(store, { accountId, limit: 10 });
    assertEquals(rows.length, wires.length);
    const spent = rows.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0n), 0n);
    assert(spent > 0n);
    for (const row of rows) {
      assertEquals([row.keyId, row.keyName], [playgroundKeyId(accountId), "Playground"]);
    }
    assertEquals((await getBalance(store, accountId)).balanceNanoUsd, 1_000_000_000n - spent);
    assertEquals(await listApiKeys(store, { accountId }), []);
    const { ok, differences, keys } = await auditStore(store);
    assertEquals([ok, differences, keys.Playground.calls], [true, [], wires.length]);
  });
});

Deno.test("a call with a key of the account is the key's own, under its limits", async () => {
  await withMember({}, async ({ parts: { store } }) => {
    const draft = { accountId, name: "ci", groupId: "default", enabled: true };
    const { apiKey } = newApiKey({ ...draft, ipAllowList: ["203.0.113.7"] }, Date.now());
    await createApiKey(store, apiKey);
    const payer: Payer = { type: "key", keyId: apiKey.id };
    const answered = await call(payer, wires[0].path, wires[0].body);
    assertEquals(answered.status, 200);
    await answered.body?.cancel();
    const refused = await call(payer, wires[0].path, wires[0].body, { ip: "203.0.113.8" });
    assertEquals([refused.status, (await refused.json()).error.code], [403, "ip_not_allowed"]);
    const { rows } = await listRequestLogs(store, { accountId, keyId: apiKey.id, limit: 10 });
    assertEquals(rows.map(({ keyName }) => keyName), ["ci"]);
  });
});

const refusals: readonly {
  readonly name: string;
  readonly payer?: Payer;
  readonly path?: string;
  readonly funded?: boolean;
  readonly enabled?: boolean;
  readonly refused: readonly [number, string];
}[] = [
  { name: "an empty wallet", funded: false, refused: [402, "insufficient_quota"] },
  { name: "a disabled account", enabled: false, refused: [401, "invalid_api_key"] },
  {
    name: "a key that is gone",
    payer: { type: "key", keyId: "key_gone" },
    refused: [401, "invalid_api_key"],
  },
  {
    name: "a group that is gone",
    payer: { type: "playground", accountId, groupId: "gone" },
    refused: [401, "invalid_api_key"],
  },
  {
    name: "a group without its format",
    payer: { type: "playground", accountId, groupId: "apart" },
    refused: [403, "format_not_allowed"],
  },
  {
    name: "a path that is not an inference endpoint",
    path: "/v1/models",
    refused: [404, "unknown_endpoint"],
  },
  {
    name: "a doubled path",
    path: "/v1/v1/chat/completions",
    refused: [404, "duplicated_path_segment"],
  },
];
for (const { name, refused, ...given } of refusals) {
  Deno.test(`a call of the console is refused for ${name}`, async () => {
    await withMember(given, async ({ parts: { store } }) => {
      if (given.enabled === false) {
        await updateUser(store, accountId, (user) => ({ ...user, enabled: false }));
      }
      const { payer = playground, path = wires[0].path } = given;
      const response = await call(payer, path, wires[0].body);
      const { error } = await response.json();
      assertEquals([response.status, error.reason ?? error.code], refused);
    });
  });
}

for (const { size, bytes } of bodySizes) {
  Deno.test(`a user who leaves the console ends the call, which is charged for what was delivered: ${size}`, async () => {
    await withMember({ dollars: 10_000n }, async ({ parts: { store } }) => {
      const leaving = new AbortController();
      const asked = { ...message(`pace 50 ${"word ".repeat(200)}`), stream: true };
      const earlier = { role: "user", content: words(bytes) };
      const body = { ...asked, messages: [earlier, ...asked.messages] };
      const response = await call(playground, wires[0].path, body, { signal: leaving.signal });
      assert(response.body);
      let heard = "";
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        heard += text;
        if (heard.includes("word")) break;
      }
      leaving.abort();
      const row = await eventually(async () => {
        const { rows } = await listRequestLogs(store, { accountId, limit: 1 });
        return rows.at(0);
      });
      assertEquals(row.outcome, "client_gone");
      assert(row.durationMs < 5_000 && (row.costNanoUsd ?? 0n) > 0n);
    });
  });
}

async function eventually<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("It did not come about in 4 s");
}
