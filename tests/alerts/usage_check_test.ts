import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { noUsage } from "../../lib/canonical/mod.ts";
import { listAlerts, type UsageAlert } from "../../lib/store/alerts/mod.ts";
import type { RequestLogRow } from "../../lib/store/log/mod.ts";
import type { Store } from "../../lib/store/mod.ts";
import { eventOfAlert } from "../../lib/webhooks/alert_event.ts";
import { testConsole, textOf } from "../console/console.ts";
import { administrator, member } from "../console/people.ts";
import { sampleRow } from "../store/samples.ts";
import { testOnStores } from "../store/temp_store.ts";
import { openAlerts } from "./alerting.ts";

const usage = { ...noUsage, inputTokens: 12, outputTokens: 40 };
const absurd = { ...noUsage, inputTokens: 1_000_000_000 };

function doubted(upstreamId: string, fields: Partial<RequestLogRow> = {}): RequestLogRow {
  return sampleRow(1, { upstreamId, usage, statedUsage: absurd, ...fields });
}

async function usageAlerts(store: Store): Promise<UsageAlert[]> {
  const { alerts } = await listAlerts(store, { limit: 50 });
  return alerts.filter((alert) => alert.type === "usage");
}

testOnStores(
  "implausible usage of an upstream raises one alert a day, however many isolates check",
  async (store) => {
    await using one = openAlerts(store);
    await using other = openAlerts(store);
    for (let call = 0; call < 20; call++) {
      one.alerts.noteCall(doubted("acme"));
      other.alerts.noteCall(doubted("acme"));
      one.alerts.noteCall(sampleRow(2, { upstreamId: "honest", usage }));
      await Promise.all([one.alerts.check(), other.alerts.check()]);
    }
    other.alerts.noteCall(
      doubted("other", { usage: absurd, statedUsage: undefined, countedUsage: usage }),
    );
    await other.alerts.check();
    const alerts = await usageAlerts(store);
    assertEquals(
      alerts.map((
        { upstreamId, charged, statedTokens, countedTokens },
      ) => [upstreamId, charged, statedTokens, countedTokens]),
      [["other", "stated", 1_000_000_000, 52], ["acme", "counted", 1_000_000_000, 52]],
    );
    one.clock.nowMs += 86_400_000;
    one.alerts.noteCall(doubted("acme"));
    await one.alerts.check();
    assertEquals((await usageAlerts(store)).length, 3);
    const { type, data } = JSON.parse(eventOfAlert(alerts[1]).body);
    assertEquals([type, data.upstreamId, data.charged], ["usage.implausible", "acme", "counted"]);
  },
);

testConsole(
  "attention: administrators hear of an upstream's usage, members do not",
  async (console) => {
    const { store } = console;
    await using test = openAlerts(store);
    test.alerts.noteCall(doubted("acme", { id: "req_1" }));
    await test.alerts.check();
    const browser = await console.signedIn(administrator);
    const { html } = await browser.get("/console");
    assertStringIncludes(
      textOf(html),
      "Upstream acme reported 1,000,000,000 tokens for a call, but the gateway counted 52. The call was charged for the counted tokens.",
    );
    assertStringIncludes(html, 'href="/console/log/req_1"');
    const chinese = await browser.get("/console", { "accept-language": "zh-CN" });
    assertStringIncludes(textOf(chinese.html), "为一次调用报告了 1,000,000,000 个 Token");
    const own = textOf((await (await console.signedIn(member)).get("/console")).html);
    assert(!own.includes("acme"));
  },
);
