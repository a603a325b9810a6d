import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { newApiKey } from "../../../lib/accounts/mod.ts";
import {
  addDeniedCalls,
  type ApiKey,
  createApiKey,
  listDeniedCalls,
  sumsOfDenied,
} from "../../../lib/store/api_keys/mod.ts";
import { createGroup } from "../../../lib/store/catalog/mod.ts";
import { listRequestLogs } from "../../../lib/store/log/mod.ts";
import { textOf } from "../../console/console.ts";
import { administrator } from "../../console/people.ts";
import { testOnStores } from "../../store/temp_store.ts";
import type { TestGateway } from "../gateway.ts";
import { signedInGateway } from "./console_gateway.ts";

/** A key of the first account as it is found later on, and its secret. */
async function keyOf({ store }: Pick<TestGateway["parts"], "store">, parts: Partial<ApiKey>) {
  const draft = { accountId: "owner", name: "nightly", groupId: "default", enabled: true };
  const { apiKey, secret } = newApiKey({ ...draft, ...parts }, Date.now() - 86_400_000);
  await createApiKey(store, { ...apiKey, ...parts });
  return { id: apiKey.id, secret };
}

async function call(base: string, secret: string, path = "/v1/chat/completions"): Promise<number> {
  const response = await fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "tessera-echo", messages: [{ role: "user", content: "hi" }] }),
  });
  await response.body?.cancel();
  return response.status;
}

const past = { expiresAtMs: Date.now() - 1_000 };
const cases = {
  expired: { parts: past, status: 401, todo: "Renew the key" },
  disabled: { parts: { enabled: false }, status: 401, todo: "Enable the key" },
  address: { parts: { ipAllowList: ["192.0.2.1"] }, status: 403, todo: "Allow the address" },
  group: { parts: { groupId: "gone" }, status: 401, todo: "Choose a group" },
  format: { parts: { groupId: "narrow" }, status: 403, todo: "Allow the format" },
} as const;

for (const [reason, { parts, status, todo }] of Object.entries(cases)) {
  Deno.test({
    name: `denied calls: their owner sees that a key is refused (${reason}), and what to do`,
    sanitizeOps: false, // the console's worker that checks passwords outlives the test
    sanitizeResources: false,
    fn: async () => {
      await using console = await signedInGateway(administrator);
      const { origin, parts: { store } } = console.gateway;
      await createGroup(store, {
        id: "narrow",
        models: ["*"],
        formats: ["messages"],
        priceRatio: 1,
        origin: "console",
      });
      const { id, secret } = await keyOf({ store }, parts);
      for (let n = 0; n < 7; n++) assertEquals(await call(origin, secret), status);
      assertEquals((await listRequestLogs(store, { limit: 5 })).rows, []);
      const overview = textOf(await (await console.get("/console")).text());
      assertStringIncludes(overview, "7 calls refused in the last 24 hours");
      assertStringIncludes(overview, todo);
      const page = textOf(await (await console.get(`/console/token/${id}`)).text());
      assertStringIncludes(page, "7 calls refused because");
      assertStringIncludes(page, "127.0.0.1");
    },
  });
}

Deno.test({
  name: "denied calls: a flood with one expired key is one row a minute, an unknown key none",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async () => {
    await using console = await signedInGateway(administrator);
    const { origin, parts: { store } } = console.gateway;
    const { id, secret } = await keyOf({ store }, past);
    for (let n = 0; n < 20; n++) {
      await Promise.all(Array.from({ length: 50 }, () => call(origin, secret)));
    }
    assertEquals(await call(origin, "sk-nobody-has-this-key-at-all"), 401);
    const overview = textOf(await (await console.get("/console")).text());
    assertStringIncludes(overview, "1000 calls refused in the last 24 hours");
    const rows = await listDeniedCalls(store, id, 0);
    assert(rows.length <= 2, `${rows.length} rows`); // the flood may pass the end of a minute
    assertEquals(sumsOfDenied(rows).map(({ count }) => count), [1_000]);
    let stored = 0;
    for await (const _ of store.kv.list({ prefix: ["denied_calls"] })) stored++;
    assertEquals(stored, rows.length);
  },
});

testOnStores("denied calls: isolates that add to one minute share its row", async (store) => {
  const minuteMs = Date.UTC(2026, 10, 21, 8, 40);
  await Promise.all(Array.from({ length: 8 }, (_, n) =>
    addDeniedCalls(store, "key_1", {
      reason: "expired",
      minuteMs,
      count: 100,
      atMs: minuteMs + n,
      ip: `192.0.2.${n}`,
    })));
  const rows = await listDeniedCalls(store, "key_1", minuteMs);
  assertEquals(rows, [
    { reason: "expired", minuteMs, count: 800, atMs: minuteMs + 7, ip: "192.0.2.7" },
  ]);
  assertEquals(await listDeniedCalls(store, "key_1", minuteMs + 60_000), []);
  assertEquals(await listDeniedCalls(store, "key_2", 0), []);
});
