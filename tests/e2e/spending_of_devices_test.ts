import { assert, assertEquals, assertMatch } from "@std/assert";
import { admitDevice, firstTokens, readDeviceCode, startDevice } from "../../lib/accounts/mod.ts";
import { updateApiKey } from "../../lib/store/api_keys/mod.ts";
import type { Budget } from "../../lib/store/money/mod.ts";
import { startUpstream } from "./fake_upstream.ts";
import { oneUpstream, startGateway, type TestGateway, testKey } from "./gateway.ts";

const usage = { input_tokens: 1_000, output_tokens: 0 };
const prefix = "anthropic-ratelimit-unified";

/** Each call costs 0.80 dollars. */
function startUpstreamOfCents() {
  return startUpstream(() =>
    Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage,
    }, { headers: { [`${prefix}-status`]: "rejected" } })
  );
}

/** A gateway, and the access token of a device whose key has the budgets. */
async function withDevice(base: string, budgets: readonly Budget[]) {
  const gateway = await startGateway({
    ...oneUpstream({ messages: base }),
    models: [{ id: "m", price: { input: 800, output: 1 } }],
  });
  const { store, directory } = gateway.parts;
  const nowMs = Date.now();
  const { deviceCode, userCode } = await startDevice(store, nowMs);
  const code = await readDeviceCode(store, userCode, nowMs) ?? "";
  const draft = { accountId: "owner", name: "laptop", groupId: "default", enabled: true };
  await admitDevice(store, { code, draft }, nowMs);
  const tokens = await firstTokens({ store, directory, nowMs }, deviceCode);
  assert(typeof tokens === "object");
  const known = await directory.findKey(tokens.access);
  await updateApiKey(store, known?.id ?? "", (key) => ({ ...key, budgets }));
  return { gateway, access: tokens.access };
}

function call({ base }: TestGateway, key: string): Promise<Response> {
  const body = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] };
  return fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "anthropic-version": "2023-06-01" },
    body: JSON.stringify(body),
  });
}

function spendingIn(headers: Headers): Record<string, string> {
  const own = [...headers].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length + 1), value]));
}

async function usageOf({ base }: TestGateway, key: string) {
  const response = await fetch(`${base}/api/oauth/usage?skip_spend=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  return await response.json();
}

Deno.test("spending of devices: answers show the fullest budget, and its end is a 429", async () => {
  await using upstream = startUpstreamOfCents();
  const day = { period: "day", nanoUsd: 1_000_000_000n } as const;
  const month = { period: "month", nanoUsd: 50_000_000_000n } as const;
  const { gateway, access } = await withDevice(upstream.base, [day, month]);
  await using _ = gateway;
  const first = await call(gateway, access);
  const resets = String(Math.ceil(Date.now() / 86_400_000) * 86_400);
  const fresh = spendingIn(first.headers);
  await first.body?.cancel();
  assertEquals(first.status, 200);
  assertEquals(fresh, {
    status: "allowed",
    "overage-status": "allowed",
    "representative-claim": "overage",
    "overage-utilization": "0.00",
    reset: fresh.reset,
    "overage-reset": fresh.reset,
  });
  const { extra_usage: extra, limits } = await usageOf(gateway, access);
  assertEquals([extra.monthly_limit, extra.used_credits, extra.utilization], [100, 80, 80]);
  assertEquals(limits.map((one: { group: string }) => one.group), ["daily", "monthly"]);
  assertEquals(limits[0].severity, "warning");
  assertEquals(String(Date.parse(limits[0].resets_at) / 1_000), resets);
  const second = await call(gateway, access);
  await second.body?.cancel();
  const warned = spendingIn(second.headers);
  assertEquals([warned.status, warned["overage-status"]], ["allowed_warning", "allowed_warning"]);
  assertEquals(warned["overage-utilization"], "0.80");
  assertEquals([warned["overage-surpassed-threshold"], warned.reset], ["0.75", resets]);
  const refused = await call(gateway, access);
  assertEquals([refused.status, refused.headers.get("x-should-retry")], [429, "false"]);
  assertMatch(refused.headers.get("retry-after") ?? "", /^\d+$/);
  assertEquals(spendingIn(refused.headers), {
    status: "rejected",
    reset: resets,
    "overage-reset": resets,
    "overage-utilization": "1",
    "overage-surpassed-threshold": "1",
    "overage-period": "daily",
    "overage-disabled-reason": "org_spend_cap_reached",
  });
  const { error } = await refused.json();
  assertEquals(error.type, "billing_error");
  assertMatch(
    error.message,
    /^spend limit reached · resets [A-Z][a-z]{2} \d+ · key daily budget · /,
  );
});

Deno.test("spending of devices: other keys, and users without budgets, see none of it", async () => {
  await using upstream = startUpstreamOfCents();
  const { gateway, access } = await withDevice(upstream.base, []);
  await using _ = gateway;
  const unbounded = await call(gateway, access);
  await unbounded.body?.cancel();
  assertEquals([unbounded.status, spendingIn(unbounded.headers)], [200, {}]);
  const { extra_usage: extra, limits } = await usageOf(gateway, access);
  assertEquals([extra.monthly_limit, extra.used_credits, limits], [null, 80, []]);
  const { store, directory } = gateway.parts;
  const { id = "" } = await directory.findKey(gateway.key) ?? {};
  const budgets = [{ period: "day", nanoUsd: 1_000_000_000n }] as const;
  await updateApiKey(store, id, (key) => ({ ...key, budgets }), { by: "config" });
  for (let n = 0; n < 2; n++) {
    const plain = await call(gateway, gateway.key);
    await plain.body?.cancel();
    assertEquals([plain.status, spendingIn(plain.headers)], [200, {}]);
  }
  const refused = await call(gateway, gateway.key);
  await refused.body?.cancel();
  assertEquals([refused.status, spendingIn(refused.headers)], [402, {}]);
});

Deno.test("spending of devices: Codex with a key reads how full its budgets are, others do not", async () => {
  await using upstream = startUpstream(() =>
    Response.json({
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "m",
      output: [{
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi" }],
      }],
      usage: { input_tokens: 1_000, output_tokens: 0, total_tokens: 1_000 },
    })
  );
  await using gateway = await startGateway({
    ...oneUpstream({ responses: upstream.base }),
    models: [{ id: "m", price: { input: 800, output: 1 } }],
    keys: [{
      name: "codex",
      group: "default",
      value: testKey,
      budget: [{ usd: 2, period: "5h" }, { usd: 8, period: "week" }],
    }],
  });
  const codexHeaders = async (userAgent: string) => {
    const response = await fetch(`${gateway.base}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "user-agent": userAgent },
      body: JSON.stringify({ model: "m", input: "Hi", max_output_tokens: 10 }),
    });
    await response.body?.cancel();
    assertEquals(response.status, 200);
    return Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("x-codex")));
  };
  assertEquals(await codexHeaders("openai/7"), {});
  const headers = await codexHeaders("codex_exec/0.171.0 (Linux; x86_64)");
  assertEquals(headers["x-codex-primary-used-percent"], "40");
  assertEquals(headers["x-codex-primary-window-minutes"], "300");
  assertEquals(headers["x-codex-secondary-used-percent"], "10");
  assertEquals(headers["x-codex-secondary-window-minutes"], "10080");
  const resetsInMs = Number(headers["x-codex-primary-reset-at"]) * 1_000 - Date.now();
  assert(resetsInMs > 4.9 * 3_600_000 && resetsInMs <= 5 * 3_600_000 + 2_000, `${resetsInMs}`);
});
