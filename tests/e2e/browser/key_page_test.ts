import { assertEquals, assertStringIncludes } from "@std/assert";
import { spend } from "../../alerts/alerting.ts";
import { addCall, addKey, nowMs } from "../../console/console.ts";
import { callIdAt } from "../../console/call_id.ts";
import type { ServedConsole } from "./served_console.ts";
import { lookAt, signedInTest } from "./usage_pages.ts";

signedInTest("a key's pages are whole in both themes at every width", async (page, served) => {
  await addUsedKey(served);
  await lookAt(page, served.origin, {
    key: "/console/token/key_1",
    key_edit: "/console/token/key_1/edit",
    key_rotate: "/console/token/key_1/rotate",
  });
});

signedInTest(
  "a leaked key is rotated in three clicks and copied by a fourth",
  async (page, served) => {
    await addUsedKey(served);
    await page.goto(`${served.origin}/console/token`);
    await page.click(".act .icon-button");
    const rotate = '.act :popover-open a[href$="/rotate"]';
    await page.waitForSelector(rotate);
    await Promise.all([page.waitForNavigation(), page.click(rotate)]);
    await Promise.all([page.waitForNavigation(), page.click(".card button.danger")]);
    assertEquals(new URL(page.url()).pathname, "/console/token");
    assertStringIncludes(await page.content(), "prod-api has a new secret");
    assertEquals(await page.$$eval(".secret .copy-wrap button", ({ length }) => length), 1);
  },
);

/** A key with budgets, limits, an old secret and calls. */
async function addUsedKey({ console: { store } }: ServedConsole): Promise<void> {
  const usd = 1_000_000_000n;
  await addKey(store, {
    id: "key_1",
    name: "prod-api",
    previous: { digest: "0", prefix: "sk-old", lastFour: "0000", expiresAtMs: nowMs + 3_600_000 },
    models: ["acme-*", "anthropic/claude-sonnet-4.5-preview-2026-11-01"],
    limits: { requestsPerMinute: 600, tokensPerMinute: 1_000_000, concurrency: 32 },
    budgets: [{ nanoUsd: 10n * usd, period: "month" }, { nanoUsd: usd, period: "total" }],
  });
  await spend(store, "budget:key:key_1:2026-11", 920);
  for (let n = 0; n < 4; n++) {
    await addCall(store, {
      ...callIdAt(n * 3_600_000, n),
      upstreamId: "acme",
      model: "anthropic/claude-sonnet-4.5-preview-2026-11-01",
      costNanoUsd: 1_234_542_001n,
    });
  }
}
