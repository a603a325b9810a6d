import { assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../../lib/canonical/mod.ts";
import { addFormerSecretUse } from "../../../lib/store/api_keys/counted_calls.ts";
import { getApiKey } from "../../../lib/store/api_keys/mod.ts";
import { spend } from "../../alerts/alerting.ts";
import { callIdAt } from "../../console/calls/call_id.ts";
import { nowMs } from "../../console/people.ts";
import { addCall, addKey } from "../../console/records.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

signedInTest("a key's pages are whole in both themes at every width", async (page, served) => {
  await addUsedKey(served);
  await lookAt(page, served.origin, {
    keys: "/console/token",
    keys_none_found: "/console/token?status=expired",
    key: "/console/token/key_1",
    key_edit: "/console/token/key_1/edit",
    key_rotate: "/console/token/key_1/rotate",
  });
});

signedInTest(
  "the pages of a key's sessions are whole in both themes at every width",
  async (page, served) => {
    await addSessions(served);
    await lookAt(page, served.origin, {
      sessions: "/console/token/key_1/sessions",
      session: `/console/token/key_1/sessions?session=${claudeSession}`,
    });
  },
);

const claudeSession = "4b1f9a52-0d8e-4c55-9d5e-1f5b8a6c7d20";

/** A key whose agents worked for five hours, with two sub-agents of one session and another session. */
async function addSessions({ console: { store } }: ServedConsole): Promise<void> {
  await addKey(store, { id: "key_1", name: "prod-api" });
  const agents = [undefined, "a3f9c2d1e8b74506", undefined, "a7713be0c95d4f28"];
  for (let n = 0; n < 60; n++) {
    const agent = agents[n % 4];
    await addCall(store, {
      ...callIdAt(n * 300_000 + 60_000, n),
      model: agent ? "anthropic/claude-haiku-4.5" : "anthropic/claude-opus-5",
      upstreamId: "acme",
      costNanoUsd: BigInt(n % 7 + 1) * 41_237_000n,
      usage: {
        ...noUsage,
        ...{ inputTokens: 1_234, cacheReadTokens: 48_200, cacheWrite5mTokens: 2_310 },
        ...{ outputTokens: 812, hostedToolCalls: n % 20 === 0 ? { "web-search": 1 } : {} },
      },
      ...(n % 17 === 0 && { status: 502, outcome: "upstream_error" }),
      session: n > 55 ? { id: "build-7" } : {
        id: claudeSession,
        ...(agent && { agent }),
        requestClass: agent ? "subagent" : n % 10 === 0 ? "compaction" : "main",
      },
    });
  }
}

signedInTest(
  "keys are chosen and disabled together, with and without a script",
  async (page, served) => {
    const { store } = served.console;
    for (const script of [true, false]) {
      await addKey(store, { id: `key_${script}`, name: `key ${script}` });
      await page.setJavaScriptEnabled(script);
      await page.goto(`${served.origin}/console/token`);
      await page.click(`input[value="key_${script}"]`);
      await Promise.all([page.waitForNavigation(), page.click(".bulk button")]);
      assertStringIncludes(await page.content(), "1 key disabled.");
      assertEquals((await getApiKey(store, `key_${script}`))?.enabled, false);
    }
  },
);

signedInTest("every column of the list of keys is in sight at 1280", async (page, served) => {
  await addUsedKey(served);
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${served.origin}/console/token`);
  const hidden = await page.$eval(".scroll", (region) => region.scrollWidth - region.clientWidth);
  assertEquals(hidden, 0);
});

/** A key with budgets, limits, an old secret and calls. */
async function addUsedKey({ console: { store } }: ServedConsole): Promise<void> {
  const usd = 1_000_000_000n;
  await addKey(store, {
    id: "key_1",
    name: "prod-api",
    previous: { digest: "0", prefix: "sk-old", lastFour: "0000", expiresAtMs: nowMs + 3_600_000 },
    models: ["acme-*", "anthropic/claude-sonnet-4.5-preview-2026-11-01"],
    limits: { requestsPerMinute: 600, tokensPerMinute: 1_000_000, concurrency: 32 },
    budgets: [
      { nanoUsd: 10n * usd, period: "month" },
      { nanoUsd: usd, period: "total" },
      { nanoUsd: 2n * usd, period: "5h" },
      { nanoUsd: 20n * usd, period: "7d" },
    ],
  });
  await addFormerSecretUse(store, "0", { count: 212, atMs: nowMs - 60_000, ip: "203.0.113.7" });
  await addKey(store, { id: "key_2", name: "ci-nightly", groupId: "gone", digest: "2" });
  await addKey(store, { id: "key_3", name: "off", enabled: false, digest: "3" });
  await spend(store, "budget:key:key_1:2026-11", 920);
  await spend(store, "budget:key:key_1:5h", 150);
  for (let n = 0; n < 4; n++) {
    await addCall(store, {
      ...callIdAt(n * 3_600_000, n),
      upstreamId: "acme",
      model: "anthropic/claude-sonnet-4.5-preview-2026-11-01",
      costNanoUsd: 1_234_542_001n,
      userAgent: "claude-cli/2.0.1",
      ip: "203.0.113.7",
    });
  }
}
