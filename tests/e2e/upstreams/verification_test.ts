import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { issueApiKey } from "../../../lib/accounts/mod.ts";
import { listApiKeys, updateApiKey } from "../../../lib/store/api_keys/mod.ts";
import { listAuditEntries } from "../../../lib/store/audit/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { textOf } from "../../console/console.ts";
import { administrator, user } from "../../console/people.ts";
import { type ConsoleGateway, signedInGateway } from "../console/console_gateway.ts";

const path = "/console/connect/check";
const member = user({ id: "usr_member", email: "member@example.com", role: "member" });

function serverTest(
  name: string,
  test: (scene: ConsoleGateway) => Promise<void>,
  who = administrator,
) {
  Deno.test({
    name: `verification: ${name}`,
    sanitizeOps: false, // the passwords' worker outlives a test
    sanitizeResources: false,
    fn: async () => {
      await using scene = await signedInGateway(who);
      await test(scene);
    },
  });
}

async function keyOf({ gateway: { parts } }: ConsoleGateway, accountId: string) {
  const draft = { accountId, name: "prod-api", groupId: "default", enabled: true };
  return await issueApiKey(parts.store, draft, { nowMs: Date.now() });
}

async function checked(
  scene: ConsoleGateway,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string; readonly html: string }> {
  const response = await scene.post(path, form);
  const html = await response.text();
  return { status: response.status, text: textOf(html), html };
}

serverTest("a key of one's own: models, a call that is logged, and the client", async (scene) => {
  const { apiKey } = await keyOf(scene, "owner");
  const { text } = await checked(scene, { key: apiKey.id });
  assertStringIncludes(text, "1. Key and models Passed");
  assertStringIncludes(text, "The key may use 1 model.");
  assertStringIncludes(text, "2. Short chat completion Passed");
  assertStringIncludes(text, "tessera-echo answered.");
  assertStringIncludes(text, "3. Your client Skipped");
  const { rows } = await listRequestLogs(scene.gateway.parts.store, {
    accountId: "owner",
    limit: 9,
  });
  assertEquals(rows.map(({ keyId, outcome }) => [keyId, outcome]), [[apiKey.id, "completed"]]);
});

serverTest("where the gateway is well, the client's own fault is named", async (scene) => {
  const { apiKey, secret } = await keyOf(scene, "owner");
  await (await scene.get(`/console/connect?key=${apiKey.id}&since=1`)).body?.cancel();
  const arrived = async () =>
    textOf(await (await scene.get(`/console/connect?key=${apiKey.id}&since=1`)).text());
  for (let attempt = 0; attempt < 100; attempt++) {
    const wrong = await fetch(`${scene.gateway.origin}/v1/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      body: "{}",
    });
    await wrong.body?.cancel();
    if ((await arrived()).includes("extra path segment")) break;
  }
  const { text } = await checked(scene, { key: apiKey.id });
  assertStringIncludes(text, "3. Your client Failed");
  assertStringIncludes(text, "Recent calls from your client had these problems");
  assertStringIncludes(text, "the call went to /v1/v1/chat/completions");
});

serverTest("a pasted key is carried as a client does, and never shown again", async (scene) => {
  const { secret } = await keyOf(scene, "owner");
  const { text, html } = await checked(scene, { secret });
  assertStringIncludes(text, "1. Key and models Passed");
  assertStringIncludes(text, "2. Short chat completion Passed");
  assert(!html.includes(secret));
  const unknown = await checked(scene, { secret: "sk-nobody00000000000000000000" });
  assertStringIncludes(unknown.text, "1. Key and models Failed");
  assertStringIncludes(unknown.text, "Unknown API key");
  assertStringIncludes(unknown.text, "2. Short chat completion Skipped");
  assert(!unknown.html.includes("sk-nobody00000000000000000000"));
  const none = await checked(scene, { secret: "not a key" });
  assertEquals(none.status, 422);
  assertStringIncludes(none.text, "Paste a key that begins with sk-.");
});

serverTest("a disabled key fails at once, and says so", async (scene) => {
  const { store } = scene.gateway.parts;
  const { apiKey } = await keyOf(scene, "owner");
  await updateApiKey(store, apiKey.id, (one) => ({ ...one, enabled: false }));
  const { text } = await checked(scene, { key: apiKey.id });
  assertStringIncludes(text, "prod-api is disabled");
  assertStringIncludes(text, "2. Short chat completion Skipped");
});

serverTest("an address that the key does not allow is named", async (scene) => {
  const { store } = scene.gateway.parts;
  const { apiKey } = await keyOf(scene, "owner");
  await updateApiKey(store, apiKey.id, (one) => ({ ...one, ipAllowList: ["203.0.113.0/24"] }));
  const { text } = await checked(scene, { key: apiKey.id });
  assertStringIncludes(text, "2. Short chat completion Failed");
  assertStringIncludes(text, "prod-api does not allow the IP address of this call");
});

serverTest("a key that may use no model says why", async (scene) => {
  const { store } = scene.gateway.parts;
  const { apiKey } = await keyOf(scene, "owner");
  await updateApiKey(store, apiKey.id, (one) => ({ ...one, models: ["nothing-*"] }));
  const { text } = await checked(scene, { key: apiKey.id });
  assertStringIncludes(text, "The key may use no model");
});

serverTest("the first steps are not for members: they get a key", async (scene) => {
  const welcome = "/console/welcome";
  assertEquals((await scene.get(welcome)).status, 200);
  assertEquals((await scene.post(welcome, { intent: "built-in" })).status, 404);
  const { store } = scene.gateway.parts;
  assertEquals(await listApiKeys(store, { accountId: member.id }), []);
  const made = await scene.post(welcome, { intent: "key" });
  assertEquals(made.headers.get("location"), welcome);
  const [key, ...others] = await listApiKeys(store, { accountId: member.id });
  assertEquals([key.name, key.groupId, others.length], ["first-key", "default", 0]);
  const entries = await listAuditEntries(store, { limit: 10 });
  assert(
    entries.entries.some(({ targetId, action }) => targetId === key.id && action === "created"),
  );
  const shown = await (await scene.get(welcome)).text();
  const secret = /sk-[0-9A-Za-z]{34}/.exec(shown)?.[0] ?? "";
  assertStringIncludes(textOf(shown), `Authorization: Bearer ${secret}`);
  const again = await (await scene.get(welcome)).text();
  assert(secret !== "" && !again.includes(secret));
}, member);

serverTest("a provider that is not there is not saved, and its key waits", async (scene) => {
  const form = { preset: "vllm", key: "sk-provider-1", baseUrl: "http://localhost:1" };
  const answer = await scene.post("/console/welcome", form);
  assertEquals(answer.status, 422);
  const html = await answer.text();
  assertStringIncludes(textOf(html), "The connection test failed, so nothing was saved");
  assertStringIncludes(textOf(html), "Connection refused");
  assert(!html.includes("sk-provider-1"));
  assertEquals(
    await listApiKeys(scene.gateway.parts.store, { accountId: "owner" }).then((keys) =>
      keys.filter(({ name }) => name === "first-key")
    ),
    [],
  );
  const none = await scene.post("/console/welcome", {});
  assertEquals(none.status, 422);
  assertStringIncludes(textOf(await none.text()), "Choose an upstream.");
});
