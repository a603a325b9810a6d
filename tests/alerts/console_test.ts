import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { putAlert } from "../../lib/store/alerts/alert.ts";
import type { Alert } from "../../lib/store/alerts/mod.ts";
import { createGroup } from "../../lib/store/catalog/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { updateUser } from "../../lib/store/users/mod.ts";
import {
  addressEvent,
  claimDelivery,
  endClaim,
  listOutbox,
  postEvent,
} from "../../lib/store/webhooks/mod.ts";
import { configuredId } from "../../lib/webhooks/mod.ts";
import { testConsole, textOf } from "../console/console.ts";
import { administrator, member, nowMs } from "../console/people.ts";
import { addKey } from "../console/records.ts";
import { sampleGroup } from "../store/samples.ts";
import { fundAccount, openAlerts, spend, usd } from "./alerting.ts";

const monthly = [{ period: "month", nanoUsd: 10n * usd }] as const;

testConsole("attention: where nothing runs low, nothing is said", async (console) => {
  const { html } = await (await console.signedIn(member)).get("/console");
  assert(!textOf(html).includes("Needs attention"));
});

testConsole("attention: an account sees its own, administrators see all", async (console) => {
  const { store } = console;
  await createGroup(
    store,
    sampleGroup({ id: "team", budgets: [{ period: "total", nanoUsd: usd }] }),
  );
  await addKey(store, {
    id: "key_a",
    name: "nightly & co",
    accountId: member.id,
    budgets: monthly,
  });
  await addKey(store, { id: "key_b", name: "prod", budgets: monthly });
  await fundAccount(store, member.id, 20n);
  await spend(store, "budget:key:key_a:2026-11", 850);
  await spend(store, "budget:group:team:total", 100);
  await spend(store, `wallet:${member.id}`, 1_580);
  await using test = openAlerts(store);
  test.alerts.noteRefused({ keyId: "key_b", groupId: "team", accountId: "owner" }, {
    kind: "money",
    name: "key monthly budget",
  });
  await test.alerts.check();
  const own = await (await console.signedIn(member)).get("/console");
  const ownText = textOf(own.html);
  assertStringIncludes(ownText, "nightly & co has used 85% of its monthly budget.");
  assertStringIncludes(ownText, "$8.50 of $10.00 · resets Dec 1, 2026");
  assertStringIncludes(ownText, "Your account has $4.20 left.");
  assertStringIncludes(own.html, 'href="/console/token/key_a"');
  assert(!/prod|team|member@example.com has/.test(partOf(ownText)));
  const all = await (await console.signedIn(administrator)).get("/console");
  const allText = textOf(all.html);
  assertStringIncludes(allText, "nightly & co of member@example.com has used 85%");
  assertStringIncludes(allText, "member@example.com has $4.20 left.");
  assertStringIncludes(allText, "prod has spent its monthly budget; calls are refused.");
  assertStringIncludes(
    allText,
    "Group team has used 100% of its total budget. Raise limit $1.00 of $1.00",
  );
  assert(
    !all.html.includes("q=nightly"),
    "a page that shows other people's keys is none of theirs",
  );
});

testConsole(
  "attention: at most five beside a page of all, and administrators hear of a webhook that fails",
  async (console) => {
    const { store } = console;
    await updateUser(store, "owner", (user) => ({ ...user, budgets: monthly }));
    for (let number = 0; number < 8; number++) {
      await addKey(store, {
        id: `key_${number}`,
        name: `key-${number}`,
        accountId: member.id,
        budgets: monthly,
      });
      const alert = budgetAlert(number, { accountId: member.id });
      await putAlert(store.kv.atomic(), alert, nowMs).commit();
    }
    await failDelivery(store, "alert_7");
    const browser = await console.signedIn(administrator);
    const text = textOf((await browser.get("/console")).html);
    assertEquals(text.match(/has used/g)?.length, 5);
    const all = textOf((await browser.get("/console/alerts")).html);
    assertEquals(all.match(/has used/g)?.length, 8);
    assertStringIncludes(text, "key-7 of member@example.com");
    assertStringIncludes(text, "Webhook delivery failed; it will be retried.");
    const own = textOf((await (await console.signedIn(member)).get("/console")).html);
    assert(!own.includes("webhook"));
  },
);

testConsole("attention: in Chinese", async (console) => {
  await addKey(console.store, { id: "key_1", name: "ci", budgets: monthly });
  await putAlert(console.store.kv.atomic(), budgetAlert(1, { accountId: "owner" }), nowMs).commit();
  await spend(console.store, "budget:key:key_1:2026-11", 920);
  const browser = await console.signedIn(administrator);
  const { html } = await browser.get("/console", { "accept-language": "zh-CN" });
  assertStringIncludes(
    textOf(html),
    "需要关注 全部提醒 ci 已用去每月预算的 92%。 查看限额 $9.20，共 $10.00 · 2026年12月1日 重置",
  );
});

/** Leaves a delivery of an alert to the configured webhook that failed once. */
async function failDelivery(store: Store, eventId: string): Promise<void> {
  const event = { id: eventId, type: "budget.threshold_reached", atMs: nowMs, body: "{}" };
  await postEvent(store, event);
  const [taken] = await listOutbox(store);
  await addressEvent(store, taken, { event, endpointIds: [configuredId], nowMs });
  const claimed = await claimDelivery(store, configuredId, { nowMs, claimMs: 60_000 });
  assert(claimed);
  const attempt = { atMs: nowMs, durationMs: 5, status: 500, fault: "The receiver answered 500" };
  const end = { state: "waiting", attempts: 1, dueAtMs: nowMs + 5_000, attempt, nowMs } as const;
  await endClaim(store, claimed, end);
}

function budgetAlert(number: number, fields: Partial<Alert> = {}): Alert {
  return {
    id: `alert_${number}`,
    atMs: nowMs - 60_000 + number,
    type: "budget",
    owner: "key",
    ownerId: `key_${number}`,
    name: `key-${number}`,
    allowanceId: `budget:key:key_${number}:2026-11`,
    refused: false,
    expiresAtMs: nowMs + 86_400_000,
    threshold: 80,
    period: "month",
    periodId: "2026-11",
    timeZone: "UTC",
    endsAtMs: Date.UTC(2026, 11, 1),
    limitNanoUsd: 10n * usd,
    spentNanoUsd: 8n * usd,
    ...fields,
  } as Alert; // of the one type that it names
}

/** The list itself. */
function partOf(text: string): string {
  return text.slice(text.indexOf("Needs attention"), text.indexOf("First steps"));
}
