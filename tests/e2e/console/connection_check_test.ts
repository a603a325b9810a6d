import { assert, assertEquals } from "@std/assert";
import { newApiKey } from "../../../lib/accounts/mod.ts";
import { adminServices } from "../../../lib/admin/services.ts";
import {
  type ArrivedCall,
  type ConnectionCheck,
  createApiKey,
  getApiKeyByDigest,
  listArrivals,
  openConnectionCheck,
} from "../../../lib/store/api_keys/mod.ts";
import type { OpenChecks } from "../../../lib/store/directory/mod.ts";
import { digestOf } from "../../../lib/store/mod.ts";
import { createUser, defaultSpending } from "../../../lib/store/users/mod.ts";
import { until } from "../../waiting.ts";
import { startUpstream } from "../fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "../gateway.ts";

const model = "tessera-echo";
const body = JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] });

/** A gateway with a check open for its test key, as a browser at an address has opened it. */
async function checked(ip = "127.0.0.1", config: Record<string, unknown> = {}) {
  const gateway = await startGateway(config);
  const { store } = gateway.parts;
  const key = await getApiKeyByDigest(store, digestOf(testKey));
  assert(key);
  const check: ConnectionCheck = {
    accountId: key.accountId,
    keyId: key.id,
    digests: [key.digest, digestOf(oldSecret)],
    prefix: key.prefix,
    lastFour: key.lastFour,
    ip,
    expiresAtMs: Date.now() + 60_000,
  };
  return { gateway, key, check, store };
}

async function open({ store, check }: Awaited<ReturnType<typeof checked>>): Promise<void> {
  await openConnectionCheck(store, check, Date.now());
  await until(() => checks().open(Date.now()).length > 0);
}

/** The open connection checks in the gateway's memory. */
function checks(): OpenChecks {
  const services = adminServices();
  assert(services);
  return services.directory.checks;
}

interface Ask {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

async function ask(
  { base }: TestGateway,
  { path = "/v1/chat/completions", method = "POST", headers, text = body }: Ask,
): Promise<void> {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${testKey}`, ...headers },
    ...(method === "POST" && { body: text }),
  });
  await response.text();
}

/** The last thing that arrived. */
async function arrivedAfter(
  scene: Awaited<ReturnType<typeof checked>>,
  asked: Ask,
): Promise<ArrivedCall | undefined> {
  const { accountId, keyId } = scene.check;
  const before = (await listArrivals(scene.store, accountId, keyId)).at(-1)?.id;
  await ask(scene.gateway, asked);
  await until(async () =>
    (await listArrivals(scene.store, accountId, keyId)).at(-1)?.id !== before
  );
  return (await listArrivals(scene.store, accountId, keyId)).at(-1);
}

const oldSecret = "sk-before-its-rotation-0000";
const lookalike = `${testKey.slice(0, 12)}oops`;

const cases: readonly {
  readonly name: string;
  readonly asked: Ask;
  readonly expected: Partial<ArrivedCall>;
}[] = [
  {
    name: "an answer",
    asked: {},
    expected: { carried: "key", model, operation: "generate", errorCode: undefined },
  },
  {
    name: "the list of models",
    asked: { path: "/v1/models", method: "GET" },
    expected: { carried: "key", operation: "list-models", errorCode: undefined },
  },
  {
    name: "a doubled path",
    asked: { path: "/v1/v1/chat/completions" },
    expected: { path: "/v1/v1/chat/completions", errorCode: "duplicated_path_segment" },
  },
  {
    name: "a path beside the API",
    asked: { path: "/api/v1/chat/completions" },
    expected: { path: "/api/v1/chat/completions", errorCode: "unknown_endpoint" },
  },
  {
    name: "an unknown model",
    asked: { text: body.replace(model, "gpt-none") },
    expected: { carried: "key", model: "gpt-none", errorCode: "model_not_found" },
  },
  {
    name: "a key that was copied in part",
    asked: { headers: { authorization: `Bearer ${lookalike}` } },
    expected: { carried: "lookalike", errorCode: "invalid_api_key" },
  },
  {
    name: "the secret before a rotation",
    asked: { headers: { authorization: `Bearer ${oldSecret}` } },
    expected: { carried: "lookalike", errorCode: "invalid_api_key" },
  },
  {
    name: "the placeholder",
    asked: { headers: { authorization: "Bearer YOUR_KEY" } },
    expected: { carried: "placeholder", errorCode: "invalid_api_key" },
  },
  {
    name: "a key that nobody has",
    asked: { headers: { authorization: "Bearer sk-proj-0000000000000000" } },
    expected: { carried: "unknown", errorCode: "invalid_api_key" },
  },
  {
    name: "no key at all",
    asked: { headers: { authorization: "" } },
    expected: { carried: "none", errorCode: "invalid_api_key" },
  },
];

Deno.test("connection check: each kind of arrival is reported as such, without a secret", async (t) => {
  const scene = await checked();
  await using _ = scene.gateway;
  await open(scene);
  for (const { name, asked, expected } of cases) {
    await t.step(name, async () => {
      const arrival = await arrivedAfter(scene, asked);
      assertEquals({ ...arrival, ...expected }, { errorCode: undefined, ...arrival });
      assert(!JSON.stringify(arrival).includes(testKey));
      assert(!JSON.stringify(arrival).includes("sk-"));
    });
  }
});

Deno.test("connection check: an upstream's error message is not shown", async () => {
  const said = { error: { message: "cannot answer hello", type: "invalid_request_error" } };
  await using upstream = startUpstream(() => Response.json(said, { status: 400 }));
  const scene = await checked("127.0.0.1", {
    ...oneUpstream({ "chat-completions": upstream.base }),
    models: [{ id: "m", price: { input: 1, output: 1 } }],
  });
  await using _ = scene.gateway;
  await open(scene);
  await ask(scene.gateway, { text: body.replace(model, "m") });
  await checks().close();
  const { accountId, keyId } = scene.check;
  const [told] = await listArrivals(scene.store, accountId, keyId);
  assertEquals([told.model, told.message], ["m", undefined]);
  assert(told.errorCode !== undefined);
});

Deno.test("connection check: nothing is written while nobody waits", async () => {
  const scene = await checked();
  await using _ = scene.gateway;
  for (const { asked } of cases) await ask(scene.gateway, asked);
  await checks().close();
  const { accountId, keyId } = scene.check;
  assertEquals(await listArrivals(scene.store, accountId, keyId), []);
});

Deno.test("connection check: nothing is written once nobody waits any more", async () => {
  const scene = await checked();
  await using _ = scene.gateway;
  await openConnectionCheck(
    scene.store,
    { ...scene.check, expiresAtMs: Date.now() + 300 },
    Date.now(),
  );
  await until(() => checks().open(0).length === 1);
  await until(() => checks().open(Date.now()).length === 0);
  for (const { asked } of cases) await ask(scene.gateway, asked);
  await checks().close();
  const { accountId, keyId } = scene.check;
  assertEquals(await listArrivals(scene.store, accountId, keyId), []);
});

Deno.test("connection check: a call with another account's key is not reported", async () => {
  const scene = await checked();
  await using _ = scene.gateway;
  const other = { id: "usr_other", email: "other@example.com" };
  await createUser(scene.store, {
    ...other,
    role: "member",
    createdAtMs: 0,
    enabled: true,
    spending: defaultSpending(other.id),
  });
  const draft = { accountId: other.id, name: "other", groupId: "default", enabled: true };
  const { apiKey, secret } = newApiKey(draft, Date.now());
  await createApiKey(scene.store, apiKey);
  await open(scene);
  const headers = { authorization: `Bearer ${secret}` };
  await ask(scene.gateway, { headers });
  await ask(scene.gateway, { headers, path: "/v1/v1/chat/completions" });
  const own = await arrivedAfter(scene, {});
  assertEquals(own?.carried, "key");
  const { accountId, keyId } = scene.check;
  assertEquals((await listArrivals(scene.store, accountId, keyId)).length, 1);
});

Deno.test("connection check: an unknown key counts from the onlooker's address only", async () => {
  const elsewhere = await checked("203.0.113.7");
  await using _ = elsewhere.gateway;
  await open(elsewhere);
  await ask(elsewhere.gateway, { headers: { authorization: "Bearer sk-proj-0000000000000000" } });
  const [arrival, ...more] = [await arrivedAfter(elsewhere, {})];
  assertEquals([arrival?.carried, more.length], ["key", 0]);
  const { accountId, keyId } = elsewhere.check;
  assertEquals((await listArrivals(elsewhere.store, accountId, keyId)).length, 1);
});

Deno.test("connection check: an address where two accounts wait says nothing", async () => {
  const scene = await checked();
  await using _ = scene.gateway;
  const other = { ...scene.check, accountId: "usr_other", keyId: "key_other", digests: [] };
  await openConnectionCheck(
    scene.store,
    { ...other, prefix: "sk-OTH", lastFour: "0THR" },
    Date.now(),
  );
  await open(scene);
  await until(() => checks().open(Date.now()).length === 2);
  await ask(scene.gateway, { headers: { authorization: "Bearer sk-proj-0000000000000000" } });
  assertEquals((await arrivedAfter(scene, {}))?.carried, "key");
  const { accountId, keyId } = scene.check;
  assertEquals((await listArrivals(scene.store, accountId, keyId)).length, 1);
  assertEquals(await listArrivals(scene.store, "usr_other", "key_other"), []);
});

Deno.test("connection check: a flood stays small and a success outlives it", async () => {
  const scene = await checked();
  await using _ = scene.gateway;
  await open(scene);
  await arrivedAfter(scene, {});
  for (let n = 0; n < 30; n++) await ask(scene.gateway, { path: `/v1/nothing-${n}` });
  await checks().close();
  const { accountId, keyId } = scene.check;
  const kept = await listArrivals(scene.store, accountId, keyId);
  assert(kept.length <= 8, `${kept.length} are kept`);
  assertEquals(kept.filter(({ errorCode }) => errorCode === undefined).length, 1);
});
